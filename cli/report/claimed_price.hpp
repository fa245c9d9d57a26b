#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

#include <lockstep/cost_model_registry.hpp>
#include <lockstep/counts.hpp>

namespace lockstep::cli {

/// Prices the counts of a row of a sweep with the claimed ones in their places, where start-ups and words are
/// claimed, and no claim is negative or without end. Claims are rounded to whole numbers.
[[nodiscard]] std::optional<double> price_of_claims(nlohmann::ordered_json const& row,
                                                    counts const& counted,
                                                    chosen_model const& model, int processors);

/// Sets a count by its name, rounded to a whole number. Other names change nothing. Result: false, and nothing
/// is set, for a value that is negative, at least 2^63, or no number.
bool set_count(counts& of, std::string_view name, double value);

}  // namespace lockstep::cli
