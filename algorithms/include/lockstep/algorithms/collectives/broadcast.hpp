#pragma once

#include <ranges>
#include <source_location>
#include <span>

#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/broadcast_block.hpp>
#include <lockstep/algorithms/collectives/detail/truth_values.hpp>
#include <lockstep/detail/library_frame.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Every processor gets the root's block. Called by all processors of a machine or subset.
///
/// `block`: n elements; the root's are sent, the others' overwritten.
/// Shows: "block", or the "pieces" of it, with the schemes of a crossbar; with others "values of the
/// block", as far as they have come.
/// Errors: invalid_argument for a scheme that does not fit the network, and for k < 2 in the scheme
/// k_ary; invalid_rank for a root that is not a rank; size_mismatch if blocks are not of one size;
/// those of the machine.
///
/// **Cost** one-port, strict, contention 1, n_i the sizes of the dimensions:
/// - `binomial`: sum ceil(log2 n_i) rounds, n sum ceil(log2 n_i) words; on a hypercube or crossbar
///   ceil(log2 p) rounds, n ceil(log2 p) words.
/// - `bucket`, `ring`, `halving_doubling`: a binomial scatter, then an all-gather, of pieces.
/// - `tree`: as many rounds as it takes in a breadth-first tree, the block in each.
/// With all ports (`ports::all`): `tree` as many rounds as links to the farthest processor; on a crossbar
/// `direct` 1 round of n words, `transpose` two rounds, with a piece in each message.
///
/// **Cost** on a crossbar, one-port, n words, packets of m words, strict:
/// - `transpose`: 2(p - 1) rounds, 2 start-ups. Phase "scatter" takes the words of the pieces of all
///   but the root, each rounded up to packets, phase "all-gather" (p - 1)m ceil(n/(pm)) words.
/// - `direct`: p - 1 rounds, 1 start-up, (p - 1)m ceil(n/m) words. Phase "broadcast".
/// - `k_ary`, n = 1: phase "broadcast", s = 1, k, k^2, ..: s processors send to k - 1 others each;
///   ceil(log_k p) start-ups, and a packet in each of the at most k - 1 that a phase has. With
///   k = tau/m + 1 that is a time of at most 2 tau ceil(log_k p). n > 1: `scatter`, then `all_gather`,
///   of pieces floor(jn/p) to floor((j+1)n/p), whose phases are "scatter" and "all-gather": a time of
///   at most 2(2 tau ceil(log_k p) + n).
///
/// **Source** JaJa and Ryu 1994, Lemma 3.1, Theorems 3.1 and 3.3; `transpose` with the pieces of
/// Bader, Helman and JaJa 1996, section 1.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{4}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> block(8, me.rank());
///   lockstep::broadcast(me, std::span(block), {.root = 2});
///   return block[7];
/// });
/// run.results()[0];    // 2
/// run.counts().words;  // 12
/// ```
template <payload_element T>
void broadcast(processor& me, std::span<T> block, collective_options const& options = {},
               std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::broadcast_block(me, block, options);
}

/// The same for a vector, array and the like, in place.
template <payload_range Block>
void broadcast(processor& me, Block& block, collective_options const& options = {},
               std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  broadcast(me, std::span<std::ranges::range_value_t<Block>>(block), options);
}

/// The same for one element. Result: the root's.
template <payload_element T>
  requires(!payload_range<T const&>)
[[nodiscard]] T broadcast(processor& me, T item, collective_options const& options = {},
                          std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if constexpr (detail::is_truth_value<T>) {
    return broadcast(me, detail::truth{item}, options).value;
  } else {
    detail::library_frame const frame(me, std::source_location::current());
    detail::broadcast_block(me, std::span<T, 1>(&item, 1), options);
    return item;
  }
}

}  // namespace lockstep
