#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/algorithms/detail/show_values.hpp>
#include <lockstep/algorithms/sorting/detail/merging_block.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

namespace detail {

/// Finds the line that this one is compared with where Batcher's network merges lists of `half`
/// lines, in the column of comparators of lines that far apart: first half, then half/2, .., 1.
/// Result: itself where that column leaves it alone.
[[nodiscard]] constexpr unsigned odd_even_partner(unsigned line, unsigned half, unsigned distance) {
  if (distance == half) return line ^ half;
  unsigned const partner = (line & distance) != 0 ? line + distance : line - distance;
  unsigned const merged = 2 * half;
  return line / merged == partner / merged ? partner : line;
}

/// Computes Gray's code: those of two lines in a row differ in one bit.
[[nodiscard]] constexpr unsigned gray_code(unsigned line) { return line ^ line >> 1U; }

/// Finds the line of a code.
[[nodiscard]] constexpr unsigned line_of_gray_code(unsigned code) {
  unsigned line = 0;
  for (; code > 0; code >>= 1U) line ^= code;
  return line;
}

/// Merges with the partner's line and splits; a line without a partner waits. Values cross the
/// lower of two dimensions first.
template <payload_element T, class Less>
void odd_even_step(processor& me, merging_block<T, Less>& block, unsigned half, unsigned distance,
                   std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const rank = static_cast<unsigned>(me.rank());
  auto const line = line_of_gray_code(rank);
  auto const partner = odd_even_partner(line, half, distance);
  if (partner == line) return me.idle(block.size() * (distance == 1 ? 1 : 2));
  auto const between = rank ^ gray_code(partner);
  auto const near = 1U << static_cast<unsigned>(std::countr_zero(between));
  auto const far = between ^ near;
  block.merge_split(me, line < partner, [&](T const& value) {
    auto const arrived = me.exchange(static_cast<int>(rank ^ near), value);
    return far == 0 ? arrived : me.exchange(static_cast<int>(rank ^ far), arrived);
  });
  show_values(me, "keys", block.values());
}

/// Moves the values of the line whose code is this rank to the processor whose rank is the line, a
/// dimension after the other, from the highest but one: bits above are those of the line by then.
template <payload_element T>
void gray_code_to_rank(processor& me, std::vector<T>& values,
                       std::source_location where = std::source_location::current()) {
  library_frame const frame(me, where);
  auto const rank = static_cast<unsigned>(me.rank());
  for (auto bit = static_cast<unsigned>(me.size()) / 4; bit > 0; bit /= 2) {
    if ((rank & 2 * bit) == 0) {
      me.idle(values.size());
      continue;
    }
    for (auto& value : values) value = me.exchange(static_cast<int>(rank ^ bit), value);
    show_values(me, "keys", values);
  }
}

}  // namespace detail

/// Sorts k values of each of p = 2^d processors, by Batcher's odd-even merge sort: lists of 2^i
/// lines are merged, i = 0 .. d-1, by columns of comparators (merge-split) of lines 2^j apart, j =
/// i .. 0. `values`: k on every processor. Called by all processors of a hypercube, or of a subcube.
///
/// A comparator of column j < i has lines x and x + 2^j, where bit j of x is 1: the carry runs
/// through the ones above it, so with line x on processor x the two are 2 to i - j + 1 links apart.
/// Therefore line x is on the processor whose rank is the Gray code of x. There the two differ in
/// bit j - 1 of the rank and in one higher bit, and so do the lines of column j = i; only where j =
/// 0 they are neighbours. (The form of the merge all of whose comparators lie along dimensions, even
/// places of one list with odd ones of the other, is the bitonic merge.)
///
/// **Result** The values of rank * k to rank * k + k - 1 of the sorted sequence, in order; not
/// stable.
/// **Shows** "keys".
/// **Errors** invalid_argument for p that is not a power of two, which comes out of the run as
/// processor_failed; not_adjacent where the processors are not a hypercube.
/// **Cost** k(d^2 + d - 1) steps, start-ups, words and hops for d > 0, each value a message of its
/// own: k for each of the d columns j = 0, 2k for each of the d(d - 1)/2 others, whose values take
/// two links on one port, and k(d - 1) from Gray code to rank. In column j < i 2 of 2^(i-j+1) lines
/// wait. One port, strict.
/// **Source** Batcher 1968; the columns: Knuth, The Art of Computer Programming 3, 5.2.2, algorithm
/// M; routes: lockstep.
///
/// **Example**
/// ```
/// lockstep::machine cube{lockstep::hypercube{3}};
/// auto run = cube.run([](lockstep::processor& me) {
///   return lockstep::odd_even_merge_sort(me, std::vector{7 - me.rank()});
/// });
/// run.results()[2];    // {2}
/// run.counts().steps;  // 11
/// ```
template <payload_element T, class Less = std::less<>>
[[nodiscard]] std::vector<T> odd_even_merge_sort(
    processor& me, std::vector<T> values, Less less = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto const p = static_cast<unsigned>(me.size());
  if (!std::has_single_bit(p))
    throw invalid_argument("odd_even_merge_sort: the number of processors has to be a power of two",
                           call.where());
  detail::merging_block block(std::move(values), less);
  detail::show_values(me, "keys", block.values());
  for (unsigned half = 1; half < p; half *= 2)
    for (unsigned distance = half; distance > 0; distance /= 2)
      detail::odd_even_step(me, block, half, distance);
  auto sorted = block.take();
  detail::gray_code_to_rank(me, sorted);
  return sorted;
}

/// Claims what `odd_even_merge_sort` costs for k values on each of 2^d processors.
/// Errors: invalid_argument for d not in 0 .. 30.
[[nodiscard]] std::vector<claim> odd_even_merge_sort_claims(int d, std::uint64_t k);

}  // namespace lockstep
