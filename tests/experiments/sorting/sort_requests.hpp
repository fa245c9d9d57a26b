#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

// What tests of requests for sorts share.

using parameters_of_sort = std::map<std::string, lockstep::parameter_value>;

/// Asks for a sort or merge on that network, with the parameters that are given, and others, and
/// ports, as they are by default.
inline lockstep::experiment_request sort_request(std::string const& name, std::string const& on,
                                                 parameters_of_sort const& given = {}) {
  auto const& which = *lockstep::find_experiment(name);
  lockstep::experiment_request asked{.network = lockstep::parse(on)};
  asked.options.ports = which.default_ports;
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  for (auto const& [parameter, value] : given) asked.parameters[parameter] = value;
  return asked;
}

inline lockstep::experiment_result run_sort(std::string const& name,
                                            lockstep::experiment_request const& asked) {
  return lockstep::find_experiment(name)->run(asked);
}

/// Checks the result and all claims, none of which has an erratum.
inline void check_right_sort(lockstep::experiment_result const& result) {
  CHECK(result.correct);
  CHECK_FALSE(result.claims.empty());
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << symbol(claimed.bound) << " " << claimed.formula << " = "
                        << claimed.value() << ", measured " << measured_for(claimed, result));
    CHECK(claimed.erratum.empty());
    CHECK(holds(claimed, measured_for(claimed, result)));
  }
}
