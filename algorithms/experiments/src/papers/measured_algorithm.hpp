#pragma once

#include <map>
#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// Makes the error to throw where a paper's runs show a mistake of lockstep's own: that, or a wrong
/// result.
[[nodiscard]] broken_invariant own_mistake(std::string const& what);
[[nodiscard]] broken_invariant wrong_result(std::string const& of);

/// Completes the parameters of an algorithm of the registry: these, and for the others what they
/// are where none are given.
[[nodiscard]] std::map<std::string, parameter_value> parameters_for(
    experiment const& known, std::map<std::string, parameter_value> const& given);

/// Runs an algorithm of the registry on that network, strict, as a part of what was begun before.
/// Errors: broken_invariant if there is none of that name; those of its `run`.
[[nodiscard]] experiment_result run_of_algorithm(
    std::string const& name, std::string const& network,
    std::map<std::string, parameter_value> const& given);

/// Does the same as the next of several runs.
[[nodiscard]] experiment_result measured_algorithm(
    std::string const& name, std::string const& network,
    std::map<std::string, parameter_value> const& given);

}  // namespace lockstep
