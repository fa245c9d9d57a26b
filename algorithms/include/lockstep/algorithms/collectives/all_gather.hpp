#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/access.hpp>
#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/detail/at_once.hpp>
#include <lockstep/algorithms/collectives/detail/circulant_all_gather.hpp>
#include <lockstep/algorithms/collectives/detail/piece_labels.hpp>
#include <lockstep/algorithms/collectives/detail/truth_values.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Options of `all_gather`. All processors pass the same.
struct all_gather_options {
  /// On a crossbar `automatic` is what `k` and `first_k` say; `circulant` is k = 2.
  chosen_scheme scheme = collective_scheme::automatic;
  int k = one_phase;  ///< each processor has k times as many pieces after each phase as before
  int first_k = 0;    ///< the same of the first phase, if it is another one; else 0
  access how = access::messages;
};

/// Of the two ways of Lemma 3.2 for one element each the second: a phase in which each processor gets so
/// many elements as to fill a packet of m words, one in which these go on as one message. Fewer
/// than m do better with fewer than m such blocks: b = min(m, ceil(sqrt p)).
/// Errors: invalid_argument for p < 1 or m = 0.
/// **Source** JaJa and Ryu 1994, Lemma 3.2; the square root is lockstep.
[[nodiscard]] all_gather_options in_two_phases(
    int p, std::uint64_t packet, std::source_location where = std::source_location::current());

/// The same with packets that are always filled: b = min(m, p), as the lemma says. It is never
/// cheaper than `in_two_phases`.
/// Errors: invalid_argument for p < 1 or m = 0.
/// **Source** JaJa and Ryu 1994, Lemma 3.2.
[[nodiscard]] all_gather_options in_two_filled_phases(
    int p, std::uint64_t packet, std::source_location where = std::source_location::current());

namespace detail {

void require_gathered(all_gather_options const& options);

template <payload_element T>
[[nodiscard]] std::vector<T> all_gather_pieces(processor& me, std::span<T const> mine,
                                               pieces const& of, all_gather_options const& options,
                                               piece_labels const& labels) {
  auto const first_k = options.first_k == 0 ? options.k : options.first_k;
  circulant_all_gather const cycle(me, of, growth_of_pieces(me.size(), first_k, options.k));
  std::vector<T> rotated(of.elements());
  std::ranges::copy(mine, rotated.begin());
  cycle.all_gather(me, options.how, std::span(rotated), labels);
  return cycle.rotated_back(std::span<T const>(rotated));
}

}  // namespace detail

/// Brings n elements together in all processors, where processor i has piece i, elements
/// floor(in/p) to floor((i+1)n/p). Called by all processors of a machine or subset.
///
/// On a crossbar a processor that has c pieces, its own and the next ones in the order of ranks,
/// gets in round s of a phase those that the processor sc ranks further has, or what it lacks of
/// them. So each processor gets just what it lacks, once: n elements, less its own.
///
/// `mine`: this processor's piece.
/// Shows: "pieces", those that have come, with the schemes of a crossbar; with others "values of the
/// blocks" that have.
/// Result: n elements, in the order of ranks.
/// Errors: invalid_argument for a scheme that does not fit the network, for k < 2, or if this
/// processor's piece is not of its size; those of the machine.
///
/// **Cost** one-port, strict, contention 1, n_i the sizes of the dimensions, where p divides n,
/// n (p - 1)/p words: `recursive_doubling` floor(log2 p) rounds, `bucket` sum (n_i - 1) rounds, `ring`
/// p - 1 rounds; on a crossbar `bruck` (with a rearrangement of all elements) and `circulant`
/// ceil(log2 p) rounds. `tree`: as `gather`, then `broadcast`, by that. With all ports `two_way`, on a
/// torus, sum floor(n_i/2) rounds, and `direct` 1 round of n/p words.
///
/// **Cost** on a crossbar, one-port, packets of m words: with `one_phase` p - 1 rounds, 1 start-up,
/// (p - 1)m ceil(n/(pm)) words. With k = tau/m + 1 ceil(log_k p) phases, a time of at most
/// 2 tau ceil(log_k p) + n. For one element each the cheaper of `one_phase` and `in_two_phases` takes
/// at most min(tau + m(p - 1), 2 tau + m^2 + p). Strict.
///
/// **Source** JaJa and Ryu 1994, Lemma 3.2, and Theorem 3.3's way back, here for any p.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{3}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::array const mine{10 * me.rank(), 10 * me.rank() + 1};
///   return lockstep::all_gather(me, std::span<int const>(mine), 6);
/// });
/// run.results()[1];    // {0, 1, 10, 11, 20, 21}
/// run.counts().words;  // 4
/// ```
template <payload_element T>
[[nodiscard]] std::vector<T> all_gather(
    processor& me, std::span<T const> mine, std::size_t n, all_gather_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_gathered(options);
  pieces const of(n, me.size());
  detail::require_elements("all_gather", mine.size(), of.size(me.rank()));
  auto const scheme =
      detail::scheme_of_blocks(collective_operation::all_gather, me, options.scheme, of.size(0));
  if (detail::goes_at_once(me, scheme, options)) {
    me.barrier();
    return detail::all_gather_at_once(me, of, mine);
  }
  if (detail::is_of_crossbar(scheme) || scheme == collective_scheme::circulant)
    return detail::all_gather_pieces(me, mine, of, detail::with_arity_of(options),
                                     detail::piece_labels::for_all());
  detail::require_messages(collective_operation::all_gather, options.how);
  me.barrier();
  if (scheme == collective_scheme::bruck) {
    detail::require_equal_pieces("all_gather", n, me.size());
    return detail::all_gather_by_bruck(me, mine);
  }
  return detail::all_gather_on_network(detail::network_call(me, scheme), of, mine);
}

/// The same for a block of each, all of one size.
template <payload_range Block>
[[nodiscard]] auto all_gather(processor& me, Block const& mine,
                              all_gather_options const& options = {},
                              std::source_location where = std::source_location::current()) {
  using element = std::ranges::range_value_t<Block>;
  library_call const call(me, where);
  std::span<element const> const block(mine);
  return all_gather(me, block, block.size() * static_cast<std::size_t>(me.size()), options);
}

/// The same where processor i has `sizes[i]` elements. All processors pass the same sizes.
/// Errors: besides, invalid_argument unless there are p sizes, and for the schemes of a crossbar but
/// ring, which is taken there, and recursive_doubling.
template <payload_element T>
[[nodiscard]] std::vector<T> all_gatherv(
    processor& me, std::span<T const> mine, std::span<std::size_t const> sizes,
    all_gather_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  auto const scheme =
      detail::scheme_of_listed(collective_operation::all_gather, me, options.scheme, sizes.size());
  detail::require_elements("all_gatherv", mine.size(), sizes[static_cast<std::size_t>(me.rank())]);
  me.barrier();
  return detail::all_gather_on_network(detail::network_call(me, scheme),
                                       detail::listed_blocks(sizes), mine);
}

/// The same for a vector, array and the like.
template <payload_range Block>
[[nodiscard]] auto all_gatherv(processor& me, Block const& mine, std::span<std::size_t const> sizes,
                               all_gather_options const& options = {},
                               std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  return all_gatherv(me, std::span<std::ranges::range_value_t<Block> const>(mine), sizes, options);
}

/// The same for one element each.
template <payload_element T>
  requires(!payload_range<T const&>)
[[nodiscard]] std::vector<T> all_gather(
    processor& me, T const& mine, all_gather_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if constexpr (detail::is_truth_value<T>) {
    return detail::values_of(all_gather(me, detail::truth{mine}, options));
  } else {
    std::array<T, 1> const own{mine};
    return all_gather(me, std::span<T const>(own), static_cast<std::size_t>(me.size()), options);
  }
}

}  // namespace lockstep
