#pragma once

#include <concepts>
#include <cstdint>
#include <source_location>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/algorithms/sorting/detail/counting_pass.hpp>
#include <lockstep/algorithms/sorting/radix.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Sorts elements by a digit in 0 .. range-1; those of one digit stay in order: that of processors,
/// and within one that of its elements. Each processor counts its elements with each digit, q =
/// ceil(range/p) of the digits are added up by each processor, and every element goes where its
/// rank tells. Called by all processors of a crossbar; phases "counts", "ranks", "route 1" and
/// "route 2".
///
/// `elements`: those of this processor, any number, default constructible. `digit_of(element)`: its
/// digit, a member or a function, the same each time. `blocks`: of what size bins are sent. An
/// element that travels has its place with it; both together are one element, as the paper counts.
/// Shows: "keys".
/// Result: this processor's block of the sorted elements: n/p of them, one more on each of the
/// first n mod p processors.
/// Errors: invalid_argument for a digit that is not below the range, a range of 0, or, unless
/// blocks are real, a processor with more than ceil(n/p) elements; those of the machine.
///
/// **Cost** on a crossbar, one-port: 4(p - 1) rounds, 4 start-ups, and, if nobody has more than
/// ceil(n/p) elements, at most (3q + 2 floor(ceil(n/p)/p + (p-1)/2))(p - 1) words: q = ceil(range/p)
/// for each of three transposes, the rest for the h-relation, whose bins are one larger each with
/// `block_rule::bound`. Local work, as operations
/// (`processor::work`), of all processors: 4n + 3p^2 q, where n are increments of counts, 3p^2 q additions of
/// counts, and 3n elements that are put in a bin, twice, or at their places; the busiest processor does
/// at most 3 ceil(n/p) + 3pq and those that come to it in between; strict.
///
/// **Source** Bader, Helman and JaJa 1996, section 4 and Appendix C, Algorithm 2, with exclusive
/// scans (as printed every rank is too large by the processor's own count) and n/p, not p, elements
/// to a processor.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> const mine{7 - me.rank(), me.rank(), 3};
///   return lockstep::counting_sort(me, mine, std::identity{}, 8);
/// });
/// run.results()[0];      // {0, 1, 2}
/// run.counts().startups;  // 4
/// ```
template <payload_element T, class Digit>
  requires std::default_initializable<T>
[[nodiscard]] std::vector<T> counting_sort(
    processor& me, std::vector<T> elements, Digit const& digit_of, std::uint64_t range,
    block_rule blocks = block_rule::real,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_range(range);
  detail::counting_passes<T> passes(me, std::move(elements), blocks);
  passes.sort_by(digit_of, range);
  return std::move(passes).finish();
}

}  // namespace lockstep
