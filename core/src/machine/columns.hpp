#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::detail {

/// Counts the columns that a terminal needs for the text, which are its code points.
[[nodiscard]] std::size_t width_of(std::string_view text);

/// Writes rows, all with the same number of cells, as aligned lines of text: to the left in the
/// marked columns, else to the right.
[[nodiscard]] std::string in_columns(std::vector<std::vector<std::string>> const& rows,
                                     std::vector<bool> const& to_the_left);

}  // namespace lockstep::detail
