#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

// Shared by tests of experiments on random access.

using access_parameters = std::map<std::string, lockstep::parameter_value>;

inline lockstep::parameter_value text(std::string const& value) { return value; }

inline lockstep::experiment_result run_access(std::string const& name, std::string const& on,
                                              access_parameters const& given,
                                              std::uint64_t packet = 1) {
  auto const& which = *lockstep::find_experiment(name);
  lockstep::experiment_request asked{.network = lockstep::parse(on)};
  asked.options.packet = packet;
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  for (auto const& [parameter, value] : given) {
    REQUIRE(asked.parameters.contains(parameter));
    asked.parameters[parameter] = value;
  }
  return which.run(asked);
}

inline lockstep::experiment_result run_access(std::string const& name, int p,
                                              access_parameters const& given) {
  return run_access(name, "crossbar:" + std::to_string(p), given);
}

/// The refusal, in one line, before anything ran; "not refused" if there is none.
inline std::string refusal_of_access(std::string const& name, std::string const& on,
                                     access_parameters const& given) {
  try {
    static_cast<void>(run_access(name, on, given));
  } catch (lockstep::invalid_argument const& refused) {
    CHECK(refused.step() == 0);
    CHECK(refused.message().find('\n') == std::string::npos);
    return refused.message();
  }
  return "not refused";
}

inline std::int64_t figure_of(lockstep::experiment_result const& result, std::string const& name) {
  return std::get<std::int64_t>(result.figures.at(name));
}

inline std::vector<std::int64_t> figures_of(lockstep::experiment_result const& result,
                                            std::vector<std::string> const& names) {
  std::vector<std::int64_t> all;
  for (auto const& name : names) all.push_back(figure_of(result, name));
  return all;
}

/// Checks result, bounds and claims: `keeps(claim)` says whether a claim is as it has to be.
template <class Keeps>
void check_access_by(lockstep::experiment_result const& result, Keeps const& keeps) {
  CHECK(result.correct);
  CHECK(result.record.counts().queued == 0);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ", measured " << measured_for(claimed, result));
    CHECK(keeps(claimed));
  }
  for (auto const& bound : result.bounds) {
    INFO(bound.figure << " >= " << bound.formula << " = " << bound.value);
    CHECK(holds(bound, result.record.counts()));
  }
}

/// Each claim holds, or has a known erratum.
inline void check_access(lockstep::experiment_result const& result) {
  check_access_by(result, [&](lockstep::claim const& claimed) {
    return holds(claimed, measured_for(claimed, result)) || !claimed.erratum.empty();
  });
}

/// No claim is judged a fault.
inline void check_judged(lockstep::experiment_result const& result) {
  check_access_by(result, [&](lockstep::claim const& claimed) {
    return !judge(claimed, measured_for(claimed, result)).is_fault;
  });
}

/// A parameter, and the values that it takes in turn.
struct varied {
  varied(std::string of, std::initializer_list<std::int64_t> numbers)
      : name(std::move(of)), values(numbers.begin(), numbers.end()) {}
  varied(std::string of, std::initializer_list<char const*> texts) : name(std::move(of)) {
    for (auto const* const each : texts) values.emplace_back(std::string(each));
  }

  std::string name;
  std::vector<lockstep::parameter_value> values;
};

/// Runs all combinations of the values on p processors, and calls `check(result, parameters)`.
template <class Check>
void for_each_run(std::string const& name, int p, std::span<varied const> all, Check const& check,
                  access_parameters const& chosen = {}) {
  if (all.empty()) {
    std::string asked;
    for (auto const& [parameter, value] : chosen)
      asked += " --" + parameter + " " +
               std::visit(
                   []<class Value>(Value const& of) {
                     if constexpr (requires { std::to_string(of); })
                       return std::to_string(of);
                     else
                       return std::string(of);
                   },
                   value);
    INFO(name << " on crossbar:" << p << asked);
    return check(run_access(name, p, chosen), chosen);
  }
  for (auto const& value : all.front().values) {
    auto more = chosen;
    more[all.front().name] = value;
    for_each_run(name, p, all.subspan(1), check, more);
  }
}

/// Checks all combinations.
inline void check_each(std::string const& name, int p, std::vector<varied> const& all) {
  for_each_run(name, p, all, [](auto const& result, auto const&) { check_access(result); });
}
