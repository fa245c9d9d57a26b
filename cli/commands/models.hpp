#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <lockstep/cost_model_registry.hpp>

namespace lockstep::cli {

/// Reads "paragon", or "bdm:tau_words=64", or "loggp:latency_us=5,overhead_us=1": a name, and
/// values for the parameters that differ from the defaults.
/// Errors: usage_error for an unknown name or parameter, or a value that is not a number >= 0.
[[nodiscard]] chosen_model find_model(std::string_view spec);

/// The parameters of a model: tau_us, sigma_us_per_word.
[[nodiscard]] std::vector<std::string> parameter_names_of(registered_model const& entry);

/// The parameters of a model with their defaults: "tau_us=100, sigma_us_per_word=0.1".
[[nodiscard]] std::string parameter_values_of(registered_model const& entry);

}  // namespace lockstep::cli
