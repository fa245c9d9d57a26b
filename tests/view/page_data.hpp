#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace reference {

/// Finds the runs of a page: the text of its script element, from base64, inflated, and read.
/// Errors: std::runtime_error for a page without it, or data that are not what they are to be.
[[nodiscard]] nlohmann::json page_data(std::string const& page);

/// Adds up a column of differences.
[[nodiscard]] std::vector<std::int64_t> summed(nlohmann::json const& differences);

/// Says where the parts of a run contradict each other: columns of different lengths, indices that
/// lead nowhere, messages that do not make up the figures of their steps, or running figures that do
/// not end with the run's counts. A line for each.
[[nodiscard]] std::vector<std::string> contradictions(nlohmann::json const& run);

}  // namespace reference
