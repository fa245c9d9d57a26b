#pragma once

#include <cstddef>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/access.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/detail/block_tree.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// How `broadcast_item` goes about it. All processors say the same.
struct item_broadcast_options {
  /// For each phase k: a processor that has the item sends it to k - 1 others.
  std::vector<int> parts{};
  int root = 0;
  access how = access::messages;
};

/// Finds the phases of the cheapest broadcast of one item: the parts of `item_broadcast_options`. Of
/// phases that take the same time, the fewest; none for one processor. On the command line these are
/// the scheme `best`.
///
/// In a phase whose busiest sender sends k - 1 packets, s processors that have the item become at most
/// sk, and it takes a time of tau + (k - 1)m. The rest takes less time the more have the item. So
/// the least time is t(p) = min over k of t(ceil(p/k)) + tau + (k - 1)m, with t(1) = 0, of all programs
/// that read and write in phases which end with a barrier.
///
/// Errors: invalid_argument for p < 1 or packets of 0 words, and where a time passes 64 bits. Takes
/// O(p^(3/4) log p) time.
/// **Source** The phases of JaJa and Ryu 1994, proof of Theorem 3.1; finding them, lockstep.
///
/// **Example** `cheapest_broadcast({.p = 72, .tau = 16, .packet = 1}); // {9, 8}`
[[nodiscard]] std::vector<int> cheapest_broadcast(
    bdm_machine const& on, std::source_location where = std::source_location::current());

/// Makes the claims about `broadcast_item` with these phases: exact counts and time. The bound of
/// Theorem 3.1 is claimed of phases that take the least time, and of the paper's own, which all have
/// k = tau/m + 1 parts.
/// Errors: those of `cheapest_broadcast`; invalid_argument for parts of less than 2 or too few for
/// all processors.
[[nodiscard]] std::vector<claim> item_broadcast_claims(bdm_machine const& on,
                                                       std::vector<int> const& parts);

namespace detail {

/// Errors: invalid_argument for parts of less than 2, and for phases that do not reach p processors;
/// invalid_rank for a root that is not a rank.
void require_item_broadcast(item_broadcast_options const& options, int processors);

}  // namespace detail

/// Every processor gets the root's item, in phases of any number of parts each. Called by all
/// processors of a crossbar; phase "broadcast".
///
/// `item`: the root's is sent.
/// Shows: "block".
/// Result: the root's item.
/// Errors: invalid_argument for parts of less than 2, and for phases that do not reach all
/// processors; invalid_rank for a root that is not a rank; those of the machine.
///
/// **Cost** on a crossbar, one-port, packets of m words: a start-up for each phase, and as many
/// packets as the busiest sender of each phase has others to send to, at most k - 1. Strict.
///
/// **Source** JaJa and Ryu 1994, Theorem 3.1, where all phases have k = tau/m + 1 parts.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{6}};
/// auto run = machine.run([](lockstep::processor& me) {
///   return lockstep::broadcast_item(me, me.rank() * 10, {.parts = {2, 3}, .root = 4});
/// });
/// run.results()[5];       // 40
/// run.counts().startups;  // 2
/// run.counts().words;     // 3
/// ```
template <payload_element T>
[[nodiscard]] T broadcast_item(processor& me, T item, item_broadcast_options const& options,
                               std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_item_broadcast(options, me.size());
  me.phase("broadcast");
  detail::broadcast_in_phases(me, options.how, options.root, std::span(&item, 1),
                              [&](std::size_t phase) { return options.parts[phase]; });
  return item;
}

}  // namespace lockstep
