#pragma once

#include <source_location>
#include <span>

#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/pieces.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Every processor gets the root's block of n elements, which is always cut into p pieces, from
/// floor(jn/p) to floor((j+1)n/p): `scatter`, then `all_gather`. Called by all processors of a
/// crossbar; phases "scatter" and "all-gather".
///
/// `block`: n elements; the root's are sent, the others' overwritten. `options.k`: tau/m + 1 is the
/// paper's first way, `one_phase` its second.
/// Errors: invalid_argument for k < 2; invalid_rank for a root that is not a rank; size_mismatch if
/// blocks are not of one size; those of the machine.
///
/// **Cost** on a crossbar, one-port, strict: with k = tau/m + 1 a time of at most
/// 2(2 tau ceil(log_k p) + n), for every p and n; with `one_phase` at most
/// 2(tau + (p - 1)m ceil(n/(pm))).
///
/// **Source** JaJa and Ryu 1994, Theorem 3.3; the cuts for a p that is not a power of k are
/// lockstep.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::crossbar{9}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> block(18, me.rank());
///   lockstep::block_broadcast(me, std::span(block), {.k = 3});
///   return block[17];
/// });
/// run.results()[8];       // 0
/// run.counts().startups;  // 4
/// run.counts().words;     // 32
/// ```
template <payload_element T>
void block_broadcast(processor& me, std::span<T> block, scatter_options const& options = {},
                     std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_scattered("block_broadcast", options, me.size());
  detail::broadcast_in_pieces(me, block, pieces(block.size(), me.size()), options);
}

}  // namespace lockstep
