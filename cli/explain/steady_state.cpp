#include "steady_state.hpp"

#include <cstddef>

namespace lockstep::cli {

step_range longest_unbroken(std::string_view cells, char pause, std::uint64_t first) {
  step_range longest{first, first - 1};
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    length = cells[i] == pause ? 0 : length + 1;
    if (length > longest.count()) longest = {first + i + 1 - length, first + i};
  }
  return longest;
}

std::optional<steady_state> steady_part(std::string_view cells, std::uint64_t first) {
  std::optional<steady_state> longest;
  for (std::size_t round = 1; 3 * round <= cells.size(); ++round) {
    std::size_t same = 0;  // cells that are as those a round before
    for (std::size_t i = round; i < cells.size(); ++i) {
      same = cells[i] == cells[i - round] ? same + 1 : 0;
      auto const length = same + round;
      bool const is_steady = length >= 3 * round && 2 * length > cells.size();
      if (!is_steady || (longest && length <= longest->steps.count())) continue;
      auto const start = i + 1 - length;
      longest = {.steps = {first + start, first + i},
                 .round = std::string(cells.substr(start, round))};
    }
  }
  return longest;
}

}  // namespace lockstep::cli
