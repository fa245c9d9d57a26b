#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/sorting/detail/tagged.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Brings the samples of all processors together in all of them, sorted. In phase "samples".
/// Cost: p - 1 rounds, 1 start-up; the words of a processor's samples, p - 1 times.
template <payload_element T, class Less>
[[nodiscard]] std::vector<tagged<T>> all_samples(
    processor& me, std::vector<tagged<T>> const& mine, Less const& less,
    std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  me.phase("samples");
  bins<tagged<T>> to_all(static_cast<std::size_t>(me.size()), mine);
  auto samples = joined(exchange_bins(me, std::move(to_all)));
  std::ranges::sort(samples, tagged_order<Less>{less});
  return samples;
}

/// Picks the samples of these ranks as pivots; none of none.
template <payload_element T>
[[nodiscard]] std::vector<tagged<T>> picked(std::span<tagged<T> const> samples,
                                            std::span<std::size_t const> ranks) {
  std::vector<tagged<T>> pivots;
  if (samples.empty()) return pivots;
  pivots.reserve(ranks.size());
  for (auto const rank : ranks) pivots.push_back(samples[rank]);
  return pivots;
}

/// Finds the bucket of an element: the number of pivots that are not after it.
template <payload_element T, class Less>
[[nodiscard]] std::size_t bucket_of(tagged<T> const& element, std::span<tagged<T> const> pivots,
                                    Less const& less) {
  auto const after = std::ranges::upper_bound(pivots, element, tagged_order<Less>{less});
  return static_cast<std::size_t>(after - pivots.begin());
}

/// Finds where the buckets of this processor's sorted elements end: p indices, the last of which is
/// the number of elements.
template <payload_element T, class Less>
[[nodiscard]] std::vector<std::size_t> bucket_ends(processor const& me, std::span<T const> sorted,
                                                   std::span<tagged<T> const> pivots,
                                                   Less const& less) {
  std::vector<std::size_t> ends;
  ends.reserve(static_cast<std::size_t>(me.size()));
  auto const rank = static_cast<std::uint32_t>(me.rank());
  for (auto const& pivot : pivots) {
    if (pivot.processor == rank) {
      ends.push_back(pivot.index);
      continue;
    }
    auto const end = pivot.processor < rank
                         ? std::ranges::lower_bound(sorted, pivot.element, std::cref(less))
                         : std::ranges::upper_bound(sorted, pivot.element, std::cref(less));
    ends.push_back(static_cast<std::size_t>(end - sorted.begin()));
  }
  ends.resize(static_cast<std::size_t>(me.size()), sorted.size());
  return ends;
}

}  // namespace lockstep::detail
