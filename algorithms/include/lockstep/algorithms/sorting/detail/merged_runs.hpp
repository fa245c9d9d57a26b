#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/sorting/detail/local_sort.hpp>
#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// Merges sorted runs that lie one after the other, two at a time; of equal elements those of an
/// earlier run come first. An order that sorts by itself does that instead. `ends`: where each run
/// ends, the last one with the values.
/// Cost: at most ceil(log2(runs)) copies of each element, and as much memory again.
template <class T, class Less>
void merge_runs(std::vector<T>& values, std::vector<std::size_t> ends, Less const& less) {
  if (ends.size() < 2) return;
  if constexpr (order_that_sorts<Less, T>) return sort_here(std::span<T>(values), less);
  auto merged = values;
  while (ends.size() > 1) {
    std::vector<std::size_t> ends_of_pairs;
    std::size_t first = 0;
    for (std::size_t run = 0; run < ends.size(); run += 2) {
      auto const middle = ends[run];
      auto const end = ends[std::min(run + 1, ends.size() - 1)];
      auto const at = [&](std::size_t i) {
        return values.begin() + static_cast<std::ptrdiff_t>(i);
      };
      std::merge(at(first), at(middle), at(middle), at(end),
                 merged.begin() + static_cast<std::ptrdiff_t>(first), less);
      ends_of_pairs.push_back(end);
      first = end;
    }
    std::swap(values, merged);
    ends = std::move(ends_of_pairs);
  }
}

/// Merges sorted bins into one sequence; of equal elements those of an earlier
/// bin come first.
template <payload_element T, class Less>
[[nodiscard]] std::vector<T> merged(bins<T> const& runs, Less const& less) {
  auto values = joined(runs);
  std::vector<std::size_t> ends;
  std::size_t end = 0;
  for (auto const& run : runs)
    if (!run.empty()) ends.push_back(end += run.size());
  merge_runs(values, std::move(ends), less);
  return values;
}

}  // namespace lockstep::detail
