#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::detail {

/// Columns that a terminal needs for the text: its code points.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// Rows of as many cells each as lines of text, aligned: to the left in those columns, else to the
/// right.
[[nodiscard]] std::string in_columns(std::vector<std::vector<std::string>> const& rows,
                                     std::vector<bool> const& to_the_left);

}  // namespace lockstep::detail
