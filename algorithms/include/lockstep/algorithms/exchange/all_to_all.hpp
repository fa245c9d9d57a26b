#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/total_exchange.hpp>
#include <lockstep/algorithms/exchange/detail/exchange_host.hpp>
#include <lockstep/algorithms/exchange/exchange_schedule.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Exchanges blocks between all processors (all-to-all personalised exchange, or complete
/// exchange): every processor has a block of its own for every processor. Called by all processors
/// of a torus or mesh of 1 to 8 dimensions of any sizes, with blocks of one size m.
///
/// Processors whose coordinates agree modulo four (mesh: two) exchange along rings first, one
/// dimension after the other; then nodes at distance 2 (torus) and 1 exchange in 4x4 and 2x2
/// submeshes. Every message is a contiguous piece of the data array, without a header, and no two
/// messages share a link. Phases: "ring 1", "ring 2", "exchange distance 2", "exchange distance 1".
/// Sizes that are not multiples of four (mesh: odd ones) are filled up with virtual nodes; one
/// dimension alone is taken as 1 x N.
///
/// `blocks`: m elements per destination; p*m in all, indexed by destination.
/// `schedule`: how it goes, made for the same network, once for all processors; without one, as in
/// the paper, with virtual nodes where the sizes need them. `cheapest_exchange` finds the choice
/// with the fewest steps.
/// Shows: "data array", the blocks in the order in which they lie, and those "going on" in a ring.
/// Result: m elements per source; p*m in all, indexed by source.
/// Errors: invalid_argument if the network does not fit, or p does not divide the number of
/// elements; size_mismatch if block sizes differ between processors; and those of the machine.
///
/// **Cost** one-port, cut-through, contention 1, on R x C with C the larger, multiples of four
/// (mesh: even): torus C/2 + 2 steps and start-ups, RC(C + 4)m/4 words, 2(C - 1) hops, 3
/// rearrangements; mesh C steps and start-ups, RC^2 m/2 words, (C - 2)^2 + 2 hops, 2
/// rearrangements, of RCm elements each time. In n > 2 dimensions, with N_p the largest
/// size of a dimension that is in use in ring phase p (the first max(p, n + 1 - p) are):
/// torus sum N_p/4 + n steps, A(sum N_p + 4n)m/8 words (A processors), sum N_p - n hops, 2n - 1
/// rearrangements; mesh sum N_p/2 steps, A sum N_p m/4 words, sum (N_p - 2)^2/2 + n hops,
/// n - 1 + ceil(n/2) rearrangements, one for every two exchange steps. With the largest
/// dimension among the first (n + 1)/2, rounded up, these are the paper's figures, but for the
/// rearrangements: its n + 1 (mesh: n) need orders that serve two phases. Other sizes in two dimensions
/// take 2 ceil(C/4) + 4 on a torus, 2 ceil(C/2) on a mesh, and a step more for each odd size. With
/// stride 2, for even sizes in any number of dimensions, sum N_i/2 steps, A sum N_i m/4 words.
/// Local work O(pm) a phase; memory 2pm elements, those under way included. (Where a dimension is 4
/// on a torus or 2 on a mesh some rearrangements could be left out; they are made and counted all
/// the same.)
///
/// **Source** Suh and Shin 2001, sections 3.1, 3.2 and 4; for other sizes, stride 2 and groups:
/// lockstep.
///
/// **Example**
/// ```
/// lockstep::machine torus{lockstep::torus{{12, 12}}, {.strict = true}};
/// auto run = torus.run([](lockstep::processor& me) {
///   std::vector<int> blocks(144);                       // one word for each destination
///   for (int to = 0; to < 144; ++to) blocks[to] = 1000 * me.rank() + to;
///   return lockstep::all_to_all(me, std::move(blocks));
/// });
/// run.results()[5][7];    // 7005: what processor 7 had for processor 5
/// run.counts().words;     // 576
/// ```
template <payload_element T>
[[nodiscard]] std::vector<T> all_to_all(
    processor& me, std::vector<T> blocks, exchange_schedule const& schedule,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if (blocks.size() % static_cast<std::size_t>(me.size()) != 0)
    throw invalid_argument("all_to_all: " + std::to_string(blocks.size()) +
                               " elements cannot be divided evenly among " +
                               std::to_string(me.size()) + " processors; pass p * m elements",
                           call.where());

  schedule.require_made_for(me.topology(), call.where());
  auto const m = blocks.size() / static_cast<std::size_t>(me.size());
  detail::exchange_host<T> host(me, schedule, m, [&](int destination, std::span<T> block) {
    detail::copy_run(blocks.data() + static_cast<std::size_t>(destination) * m, block.data(), m);
  });
  host.keep_for_later(std::exchange(blocks, {}));
  host.run();
  blocks.resize(static_cast<std::size_t>(me.size()) * m);
  host.read_blocks([&](int source, std::span<T const> block) {
    detail::copy_run(block.data(), blocks.data() + static_cast<std::size_t>(source) * m, m);
  });
  return blocks;
}

/// Does the same by the schedule of me.topology() (`exchange_schedule::of`), with virtual nodes where
/// the sizes need them. On other networks than a torus or mesh: by the collective of that name
/// (<lockstep/algorithms/collectives/total_exchange.hpp>).
template <payload_element T>
[[nodiscard]] std::vector<T> all_to_all(
    processor& me, std::vector<T> blocks,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if (auto const* const schedule = exchange_schedule::of_grid(me.topology()))
    return all_to_all(me, std::move(blocks), *schedule);
  return all_to_all(me, std::move(blocks), collective_options{});
}

/// Does the same without arrays of all blocks: for data that lie elsewhere, such as rows of a
/// matrix. `write(destination, block)` is called once for each processor, in any order, to lay the
/// m elements that go there into the `std::span<T>`; `read(source, block)` to read those that have
/// come, from a `std::span<T const>`.
/// Errors, cost: as above; two copies fewer.
template <payload_element T, std::invocable<int, std::span<T>> Write,
          std::invocable<int, std::span<T const>> Read>
void all_to_all(processor& me, std::size_t m, Write const& write, Read const& read,
                exchange_schedule const& schedule,
                std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  schedule.require_made_for(me.topology(), call.where());
  detail::exchange_host<T> host(me, schedule, m, write);
  host.run();
  host.read_blocks(read);
}

/// Lists what the paper and lockstep claim that `all_to_all` costs by this schedule, or on this
/// network by its default schedule, with blocks of that many words. With virtual nodes most figures
/// are added up from the schedule itself.
/// Errors: invalid_argument for a network that does not fit.
[[nodiscard]] std::vector<claim> all_to_all_claims(exchange_schedule const& schedule,
                                                   std::uint64_t words);
[[nodiscard]] std::vector<claim> all_to_all_claims(topology const& network, std::uint64_t words);

}  // namespace lockstep
