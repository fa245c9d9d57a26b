#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include <lockstep/cost_model_registry.hpp>
#include <lockstep/counts.hpp>

namespace lockstep::cli {

/// Prices the counts of a row of a sweep with the claimed ones in their places, where start-ups and words are
/// claimed.
[[nodiscard]] std::optional<double> price_of_claims(nlohmann::ordered_json const& row,
                                                    counts const& counted,
                                                    chosen_model const& model, int processors);

/// Sets a count by its name. Names of others change nothing.
void set_count(counts& of, std::string_view name, double value);

}  // namespace lockstep::cli
