#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

#include "catch.hpp"
#include "experiments/requests.hpp"
#include "experiments/temporary_file.hpp"

// What tests of requests for sorts and merges share.

/// What it says of a request that it refuses before anything runs.
inline std::string refusal_of_sort(std::string const& name,
                                   lockstep::experiment_request const& asked) {
  return requests::refusal<lockstep::invalid_argument>(name, asked);
}

inline std::string refusal_of_sort(std::string const& name, std::string const& on,
                                   given_parameters const& given = {}) {
  return requests::refusal<lockstep::invalid_argument>(name, on, given);
}

/// What it writes when it sorts a file of that content, or says of it behind the file's name.
inline std::string written_by_sort(std::string const& name, std::string const& on,
                                   std::string const& content, given_parameters const& given = {}) {
  temporary_file const input(content);
  temporary_file const output("as before");
  auto asked = requests::make(name, on, given);
  asked.input = input.path();
  asked.output = output.path();
  try {
    auto const result = requests::run(name, asked);  // outside of CHECK, which would catch
    CHECK(result.correct);
    if (given.contains("column")) CHECK(result.parameters.at("column") == given.at("column"));
  } catch (lockstep::bad_input const& bad) {
    CHECK(output.content() == "as before");
    std::string const text = bad.what();
    CHECK(text.starts_with(input.path().string()));
    CHECK(text.find('\n') == std::string::npos);
    return text.substr(input.path().string().size());
  }
  return output.content();
}

/// Checks that the result is right, that claims hold, but for those with an erratum, and bounds, too.
/// Result: how many claims do not hold.
inline int check_right_sort(lockstep::experiment_result const& result) {
  int broken = 0;
  CHECK(result.correct);
  CHECK(result.claims.size() >= 1);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ", measured " << measured_for(claimed, result));
    bool const is_kept = holds(claimed, measured_for(claimed, result));
    CHECK((is_kept || !claimed.erratum.empty()));
    broken += is_kept ? 0 : 1;
  }
  for (auto const& bound : result.bounds) {
    INFO(bound.figure << " >= " << bound.value);
    CHECK(holds(bound, result.record.counts()));
  }
  return broken;
}

/// A whole number among the parameters or figures of a result.
inline std::int64_t number_in(std::map<std::string, lockstep::parameter_value> const& all,
                              std::string const& name) {
  return std::get<std::int64_t>(all.at(name));
}
