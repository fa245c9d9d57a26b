#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/detail/rearranging_node.hpp>
#include <lockstep/algorithms/exchange/exchange_orders.hpp>
#include <lockstep/algorithms/exchange/exchange_schedule.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Exchanges blocks as `all_to_all` does, with the fewest rearrangements of data arrays: an order
/// reaches across the border of two phases where it can. Every message is one contiguous piece,
/// which is checked, and what comes is received in its place. Called by all processors of a torus
/// or mesh of the paper's sizes.
///
/// `blocks`: m elements per destination; p*m in all, indexed by destination.
/// `schedule`: made for the same network, without virtual nodes, groups or stride 2.
/// Shows: "data array", the blocks in the order in which they lie.
/// Result: m elements per source; p*m in all, indexed by source.
/// Errors: invalid_argument for another schedule, or if p does not divide the number of elements;
/// size_mismatch if block sizes differ between processors; and those of the machine.
///
/// **Cost** that of `all_to_all`, but for the rearrangements, which are as many as
/// `fewest_rearrangements` proves to be needed for the sends of the schedule. Nodes may rearrange at
/// different times. On a torus of three dimensions, of sides to 24 with the largest first, n + 1
/// suffice unless all are 12 or more and one is 16 or more. Local work O(pm log p) a rearrangement.
///
/// **Source** Suh and Shin 2001, sections 3.1, 3.2 and 4; the orders are lockstep.
///
/// **Example**
/// ```
/// lockstep::machine torus{lockstep::torus{{4, 4, 4}}, {.strict = true}};
/// lockstep::exchange_schedule const schedule(torus.topology());
/// auto run = torus.run([&](lockstep::processor& me) {
///   std::vector<int> blocks(64);
///   for (int to = 0; to < 64; ++to) blocks[to] = 1000 * me.rank() + to;
///   return lockstep::all_to_all_in_fewest_orders(me, blocks, schedule);
/// });
/// run.results()[5][7];           // 7005
/// run.counts().rearrangements;   // 2
/// ```
template <payload_element T>
[[nodiscard]] std::vector<T> all_to_all_in_fewest_orders(
    processor& me, std::vector<T> const& blocks, exchange_schedule const& schedule,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if (blocks.size() % static_cast<std::size_t>(me.size()) != 0)
    throw invalid_argument("all_to_all_in_fewest_orders: " + std::to_string(blocks.size()) +
                               " elements cannot be divided evenly among " +
                               std::to_string(me.size()) + " processors; pass p * m elements",
                           call.where());
  schedule.require_made_for(me.topology(), call.where());
  static_cast<void>(fewest_rearrangements(schedule));  // refuses other schedules
  return detail::rearranging_node<T>(me, schedule, blocks).run();
}

/// Lists what the paper and lockstep claim that it costs, with blocks of that many words.
/// Errors: those of `fewest_rearrangements`.
[[nodiscard]] std::vector<claim> all_to_all_in_fewest_orders_claims(
    exchange_schedule const& schedule, std::uint64_t words);

}  // namespace lockstep
