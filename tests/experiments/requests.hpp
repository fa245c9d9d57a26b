#pragma once

#include <map>
#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "complaint_of.hpp"

// Shared by tests of what the command line can ask for.

namespace reference {

using parameters = std::map<std::string, lockstep::parameter_value>;

/// What is asked of that experiment on a network: its own parameters, but for those that are given.
inline lockstep::experiment_request request_of(std::string const& name, std::string const& on,
                                               parameters const& given = {}) {
  lockstep::experiment_request asked{.network = lockstep::parse(on)};
  for (auto const& taken : lockstep::find_experiment(name)->parameters)
    asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = 1;
  for (auto const& [parameter, value] : given) asked.parameters[parameter] = value;
  return asked;
}

inline lockstep::experiment_result result_of(std::string const& name, std::string const& on,
                                             parameters const& given = {}) {
  return lockstep::find_experiment(name)->run(request_of(name, on, given));
}

/// What is said to a request that is refused before anything runs; "nothing" if it is not.
inline std::string refusal_of(std::string const& name, lockstep::experiment_request const& asked) {
  return complaint_of<lockstep::invalid_argument>(
      [&] { return lockstep::find_experiment(name)->run(asked); });
}
inline std::string refusal_of(std::string const& name, std::string const& on,
                              parameters const& given = {}) {
  return refusal_of(name, request_of(name, on, given));
}

}  // namespace reference
