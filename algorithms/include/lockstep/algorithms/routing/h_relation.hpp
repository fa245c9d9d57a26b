#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/routing/bin_bounds.hpp>
#include <lockstep/algorithms/routing/detail/bins.hpp>
#include <lockstep/algorithms/routing/detail/padded_blocks.hpp>
#include <lockstep/algorithms/routing/detail/shown_bins.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// The elements that have come to a processor, and the sizes of the bins through which they went.
template <payload_element T>
struct routed_elements {
  std::vector<T> elements;
  std::uint64_t largest_bin_out = 0;      ///< of the bins of this processor's own elements (Step 2)
  std::uint64_t largest_bin_through = 0;  ///< of those that it sends on (Step 4)
  std::uint64_t elements_through = 0;     ///< that it holds in between, its own included
};

/// Blocks that travel whole, whatever is in them: the messages do not depend on the input.
struct block_format {
  block_rule rule = block_rule::bound;
  h_limits limits{};  ///< the same on all processors
};
using padding = block_format;  ///< its former name

namespace detail {

/// `h_relation`, whose elements are shown if they know their sources.
template <payload_element T, class Destination>
[[nodiscard]] routed_elements<T> routed_in_two(processor& me, std::span<T const> elements,
                                               Destination const& destination_of,
                                               block_format const& blocks) {
  auto const slots = blocks_of(blocks.rule, blocks.limits, me.size());
  auto const show = showing_elements<T>(me, destination_of);
  routed_elements<T> routed;
  auto dealt = deal_out(me, elements, destination_of);
  me.work(elements.size());
  routed.largest_bin_out = largest_of(dealt);
  require_bins_fit(me, dealt, 2, blocks.rule, slots.out);
  me.phase("route 1");
  auto const through = exchange_bins(me, std::move(dealt), blocks.rule, slots.out, show);
  auto sorted = bins_by_destination(me, through, destination_of);
  routed.largest_bin_through = largest_of(sorted);
  routed.elements_through = elements_of(sorted);
  me.work(routed.elements_through);
  require_bins_fit(me, sorted, 4, blocks.rule, slots.through);
  me.phase("route 2");
  routed.elements = joined(exchange_bins(me, std::move(sorted), blocks.rule, slots.through, show));
  return routed;
}

}  // namespace detail

/// Routes an h-relation in two phases: every processor deals its elements for j out to successive
/// bins from (rank + j) mod p on, sends bin l to processor l, which sends on to j the elements for
/// j. A deterministic algorithm whose blocks are nearly equal, whatever goes where. Called by all
/// processors of a crossbar; phases "route 1" and "route 2".
///
/// `elements`: any number. `destination_of(element)`: the rank that it goes to, a member or a
/// function. An element counts as the words of its type: 1 unless `words_of` says otherwise.
/// Shows: "elements" with source and destination, wherever they are.
/// Result: the elements for this processor, by the processor through which they came, within it by
/// source, within it in the source's order. That is not the order of sources.
/// Errors: invalid_argument for a destination that is not a rank; those of the machine.
///
/// **Cost** on a crossbar, one-port: 2(p - 1) rounds, empty messages included, 2 start-ups, at most
/// (p - 1)(b1 + b2) words, where b1 and b2 are the largest bins of the two phases: at most
/// h1/p + (p - 1)/2 and h2/p + (p - 1)/2, if no processor sends more than h1 elements or receives
/// more than h2. Local work O(h1 + h2 + p^2); strict.
///
/// **Source** Bader, Helman and JaJa 1996, section 3 and Appendix B, with the blocks of their real
/// size.
///
/// **Example**
/// ```
/// struct person { int home; int age; };
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([&](lockstep::processor& me) {
///   std::vector<person> people(8, person{0, me.rank()});
///   return lockstep::h_relation(me, std::span<person const>(people),
/// &person::home).elements.size();
/// });
/// run.results()[0];    // 32
/// run.counts().words;  // 30
/// ```
template <payload_element T, class Destination>
[[nodiscard]] routed_elements<T> h_relation(
    processor& me, std::span<T const> elements, Destination const& destination_of,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return h_relation(me, elements, destination_of, block_format{.rule = block_rule::real});
}

/// The same in blocks of worst-case size.
///
/// `blocks`: their rule, and the limits that the h-relation keeps; real sizes need no limits.
/// Result: as above.
/// Errors: those of above; invalid_argument for a bin, the own one included, that does not fit in
/// its block, before it is sent; with `bound` and `exact` none does that keeps the limits.
///
/// **Cost** as above, but exactly (p - 1)(b1 + b2) words for every input, with the `blocks_of` rule
/// and limits.
///
/// **Source** Bader, Helman and JaJa 1996, section 3, section 3.3 and Appendix B.
template <payload_element T, class Destination>
[[nodiscard]] routed_elements<T> h_relation(
    processor& me, std::span<T const> elements, Destination const& destination_of,
    block_format const& blocks, std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if (!me.is_shown()) [[likely]]
    return detail::routed_in_two(me, elements, destination_of, blocks);
  auto const traced = detail::traced_elements(me, elements);
  auto const routed = detail::routed_in_two(me, std::span(traced),
                                            detail::destination_of_traced(destination_of), blocks);
  return {detail::untraced(routed.elements), routed.largest_bin_out, routed.largest_bin_through,
          routed.elements_through};
}

}  // namespace lockstep
