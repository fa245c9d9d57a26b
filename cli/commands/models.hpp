#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <lockstep/cost_model_registry.hpp>

namespace lockstep::cli {

/// A cost model or a clock model, as --model names it.
struct model_entry {
  std::string_view name;
  std::string_view summary;
  std::vector<model_parameter> parameters;
};

/// Lists all that --model takes: cost models, then clocks.
[[nodiscard]] std::vector<model_entry> model_entries();

using priced_by = std::variant<chosen_model, chosen_clock>;

/// Reads "paragon", or "bdm:tau_words=64", or "loggp-clock:latency_us=5,overhead_us=1": a name, and
/// values for the parameters that differ from the defaults.
/// Errors: usage_error for an unknown name or parameter, or a value that is not a number >= 0.
[[nodiscard]] priced_by find_model(std::string_view spec);

/// The parameters of a model: tau_us, sigma_us_per_word.
[[nodiscard]] std::vector<std::string> parameter_names_of(model_entry const& entry);

/// The parameters of a model with their defaults: "tau_us=100, sigma_us_per_word=0.1".
[[nodiscard]] std::string parameter_values_of(model_entry const& entry);

}  // namespace lockstep::cli
