#pragma once

#include <cstdint>
#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/default_request.hpp"

/// Requests as the command line makes them, and what every result has to keep.
namespace requests {

using values = given_parameters;

/// Asks for an algorithm on that network, with the parameters that are given; others, and the ports,
/// are as they are by default.
inline lockstep::experiment_request make(std::string const& name, std::string const& on,
                                         values const& given = {}) {
  auto asked = default_request(*lockstep::find_experiment(name), on);
  for (auto const& [parameter, value] : given) {
    INFO(name << " takes " << parameter);
    REQUIRE(asked.parameters.contains(parameter));
    asked.parameters[parameter] = value;
  }
  return asked;
}

inline lockstep::experiment_result run(std::string const& name,
                                       lockstep::experiment_request const& asked) {
  return lockstep::find_experiment(name)->run(asked);
}

inline lockstep::experiment_result run(std::string const& name, std::string const& on,
                                       values const& given = {}) {
  return run(name, make(name, on, given));
}

/// The line that refuses it before anything runs, of an error of that type; "not refused" if nothing
/// does.
template <class Error = lockstep::error>
std::string refusal(std::string const& name, lockstep::experiment_request const& asked) {
  try {
    static_cast<void>(run(name, asked));
  } catch (Error const& refused) {
    CHECK(refused.step() == 0);
    return refused.message();
  }
  return "not refused";
}

template <class Error = lockstep::error>
std::string refusal(std::string const& name, std::string const& on, values const& given = {}) {
  return refusal<Error>(name, make(name, on, given));
}

/// Whether claims may fail that say why.
enum class errata { allowed, refused };

/// Checks a result, its claims and its bounds.
inline void check(lockstep::experiment_result const& result, errata may_have = errata::allowed) {
  CHECK(result.correct);
  CHECK(result.record.counts().queued == 0);
  CHECK_FALSE(result.claims.empty());
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ", measured " << measured_for(claimed, result) << "; "
                        << claimed.erratum);
    bool const is_excused = may_have == errata::allowed && !claimed.erratum.empty();
    CHECK((holds(claimed, measured_for(claimed, result)) || is_excused));
  }
  for (auto const& bound : result.bounds) CHECK(holds(bound, result.record.counts()));
}

/// A figure that is a whole number.
inline std::int64_t figure(lockstep::experiment_result const& result, std::string const& name) {
  return std::get<std::int64_t>(result.figures.at(name));
}

}  // namespace requests
