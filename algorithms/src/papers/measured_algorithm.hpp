#pragma once

#include <map>
#include <string>

#include <lockstep/algorithms/registry.hpp>

namespace lockstep {

/// What an algorithm of the registry is asked for: these parameters, and for the others what they are
/// where none are given.
[[nodiscard]] std::map<std::string, named_value> parameters_for(
    algorithm const& known, std::map<std::string, named_value> const& given);

/// Runs an algorithm of the registry on that network, strict.
/// Errors: std::logic_error if there is none of that name; those of its `run`.
[[nodiscard]] outcome measured_algorithm(std::string const& name, std::string const& network,
                                         std::map<std::string, named_value> const& given);

}  // namespace lockstep
