#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cli {

/// Least number of insertions, deletions, replacements and swaps of neighbours that make one word
/// of the other.
[[nodiscard]] std::size_t edit_distance(std::string_view one, std::string_view other);

/// The names that `word` may have been meant for, nearest first: at most three, none if none is
/// near.
[[nodiscard]] std::vector<std::string> nearest(std::string_view word,
                                               std::vector<std::string> const& names);

/// "did you mean all-to-all?", or, where nothing is near, "there are: all-to-all, prefix".
[[nodiscard]] std::string suggestion(std::string_view word, std::vector<std::string> const& names);

}  // namespace lockstep::cli
