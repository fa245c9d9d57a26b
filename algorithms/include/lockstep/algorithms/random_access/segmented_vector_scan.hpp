#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/vector_combine.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Scans in segments by `scan(operator, summands)`, a scan of vectors in that direction.
template <payload_element T, class Operator, class Scan>
[[nodiscard]] std::vector<extended<T>> scanned_in_segments(Operator const& plus,
                                                           std::span<extended<T> const> mine,
                                                           bool ends_a_segment,
                                                           scan_direction direction,
                                                           Scan const& scan) {
  // In scan order a segment begins behind a processor, so what lies before that is on the side of
  // the scan that the segmented operator takes for its left one.
  bool const upward = direction == scan_direction::upward;
  extended_operator<T, std::decay_t<Operator>> const wider{plus};
  auto const in_segments = [&](segmented<extended<T>> const& lower,
                               segmented<extended<T>> const& higher) -> segmented<extended<T>> {
    auto const& later = upward ? higher : lower;
    return {lower.begins || higher.begins,
            later.begins ? later.value : wider(lower.value, higher.value)};
  };
  std::vector<segmented<extended<T>>> summands(mine.size());
  for (std::size_t i = 0; i < mine.size(); ++i)
    summands[i] = {ends_a_segment, ends_a_segment ? extended<T>() : mine[i]};
  auto const sums = scan(in_segments, std::span(std::as_const(summands)));
  std::vector<extended<T>> before(mine.size());
  if (sums) std::ranges::transform(*sums, before.begin(), &segmented<extended<T>>::value);
  return before;
}

}  // namespace detail

/// Scans vectors in segments of processors, element by element, exclusively: a processor gets the
/// combination of the vectors of those before it in its segment, in rank order. From the highest
/// rank down, unless `options` says otherwise, so that the lowest processor of a segment gets what
/// all others of it have. Called as `vector_combine`.
///
/// `mine`: s elements, some of them perhaps nothing, as many in each processor. `ends_a_segment`:
/// whether this processor is the last of its segment in the scan; what it has itself is then left
/// to it, and the next processor begins a segment.
/// Result: s elements; nothing if nothing has to be combined.
/// Errors: those of `vector_combine`.
///
/// **Cost** that of `vector_scan` of s elements. Where segments end travels with the elements as a
/// bit of each, which is not counted: all processors of a random access write know it.
///
/// **Source** Shankar and Ranka 1997, section 4.3.2; the direction, which is not said there, is
/// lockstep's.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<lockstep::extended<int>> const mine{me.rank() + 1};
///   return lockstep::segmented_vector_scan(me, std::plus<int>{}, std::span(mine), me.rank() == 1)
///       .front();
/// });
/// run.results()[1].value;     // 7
/// run.results()[0].is_there;  // false
/// ```
template <payload_element T, associative_operator<T> Operator>
[[nodiscard]] std::vector<extended<T>> segmented_vector_scan(
    processor& me, Operator const& plus, std::span<extended<T> const> mine, bool ends_a_segment,
    vector_options const& options = {.direction = scan_direction::downward},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return detail::scanned_in_segments<T>(plus, mine, ends_a_segment, options.direction,
                                        [&](auto const& in_segments, auto const& summands) {
                                          return vector_scan(me, in_segments, summands, options);
                                        });
}

}  // namespace lockstep
