#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/scan.hpp>
#include <lockstep/algorithms/detail/counting_operator.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/detail/network_rounds.hpp>
#include <lockstep/algorithms/random_access/vector_combine.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// Whether vectors are combined by trees along lines: where halves of vectors, exchanged at distances
/// 1, 2, 4, .., would share links.
[[nodiscard]] inline bool sums_by_trees(processor const& me) {
  return axes_of(me.topology()).kind == network_kind::grid;
}

/// Scans vectors upwards, exclusively, in the way of the network. Result: nothing on rank 0.
template <payload_element T, class Operator>
[[nodiscard]] std::optional<std::vector<T>> scanned_on_network(processor& me, Operator const& plus,
                                                               std::span<T const> mine) {
  if (!sums_by_trees(me)) return scanned_by_fold(me, plus, mine, scan_direction::upward);
  auto before = exclusive_scan(me, plus, mine, {.scheme = collective_scheme::binomial});
  if (me.rank() == 0) return std::nullopt;
  return before;
}

/// Combines the vectors of lower ranks, back to the one that begins a segment, element by element.
template <payload_element T, class Operator>
[[nodiscard]] std::vector<extended<T>> prefixes_since_begin(processor& me, Operator const& plus,
                                                            std::span<extended<T> const> mine,
                                                            bool begins_a_segment) {
  extended_operator<T, std::decay_t<Operator>> const wider{plus};
  segmented_operator<extended<T>, decltype(wider)> const in_segments{wider};
  std::vector<segmented<extended<T>>> summands;
  summands.reserve(mine.size());
  for (auto const& value : mine) summands.push_back({begins_a_segment, value});
  auto const sums = scanned_on_network(me, counting_operator(me, in_segments),
                                       std::span(std::as_const(summands)));
  std::vector<extended<T>> before(mine.size());
  if (sums) std::ranges::transform(*sums, before.begin(), &segmented<extended<T>>::value);
  return before;
}

}  // namespace lockstep::detail
