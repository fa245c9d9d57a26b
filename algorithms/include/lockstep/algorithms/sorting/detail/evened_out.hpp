#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/routing/detail/shown_bins.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Elements from `first` up to `end`, in the line of those of all processors.
struct line_segment {
  std::uint64_t first;
  std::uint64_t end;

  [[nodiscard]] std::uint64_t size() const { return end - first; }
  [[nodiscard]] line_segment common_with(line_segment const& other) const {
    auto const from = std::max(first, other.first);
    return {from, std::max(from, std::min(end, other.end))};
  }
};

/// Finds this processor's segment, where processors have that many elements.
/// Errors: invalid_argument unless these are n together. `of`: the name of the sort.
[[nodiscard]] line_segment own_segment(char const* of, processor const& me,
                                       std::span<std::uint64_t const> sizes, std::uint64_t n);

/// Shifts elements, one processor's after the other's, to n/p each, one more on each of the first
/// n mod p; their order stays. Shows "keys". Phases "sizes" and "shift".
/// Errors: invalid_argument unless there are n elements.
/// Cost: 2(p - 1) rounds, 2 start-ups; m(p - 1) words, and those that leave or reach a processor.
template <payload_element T>
[[nodiscard]] std::vector<T> evened_out(
    char const* of, processor& me, std::vector<T> const& mine, std::uint64_t n,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  me.phase("sizes");
  auto const sizes = all_gather(me, std::uint64_t{mine.size()});
  auto const here = own_segment(of, me, sizes, n);
  bins<T> parts;
  for (int rank = 0; rank < me.size(); ++rank) {
    auto const [first, count] = even_block(n, me.size(), rank);
    auto const common = here.common_with({first, first + count});
    auto const part =
        std::span(mine).subspan(common.size() == 0 ? 0 : common.first - here.first, common.size());
    parts.emplace_back(part.begin(), part.end());
  }
  me.phase("shift");
  return joined(exchange_bins(me, std::move(parts), showing_values<T>(me, "keys")));
}

}  // namespace lockstep::detail
