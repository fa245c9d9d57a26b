#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

using given_parameters = std::map<std::string, lockstep::parameter_value>;

/// Makes the request that the command line makes where nothing but a network is given, and parameters.
inline lockstep::experiment_request default_request(
    lockstep::experiment const& which, std::shared_ptr<lockstep::topology const> network,
    given_parameters const& given = {}) {
  lockstep::experiment_request asked{.network = std::move(network)};
  asked.options.ports = which.default_ports;
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  for (auto const& [parameter, value] : given) asked.parameters[parameter] = value;
  return asked;
}

inline lockstep::experiment_request default_request(lockstep::experiment const& which,
                                                    std::string const& on,
                                                    given_parameters const& given = {}) {
  return default_request(which, lockstep::parse(on), given);
}
