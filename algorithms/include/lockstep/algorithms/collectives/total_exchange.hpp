#pragma once

#include <cstddef>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/collective_scheme.hpp>
#include <lockstep/algorithms/collectives/detail/at_once.hpp>
#include <lockstep/algorithms/collectives/detail/exchange_stages.hpp>
#include <lockstep/algorithms/collectives/detail/fitting_scheme.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>

namespace lockstep {

/// Exchanges blocks between all processors of a machine or subset, of any network: every processor
/// has a block of its own for every processor. (`all_to_all` without options is, on a torus or
/// mesh, Suh and Shin's, which takes fewer words.)
///
/// `blocks`: m elements per destination; p*m in all, indexed by destination.
/// Result: m elements per source; p*m in all, indexed by source.
/// Errors: invalid_argument for a scheme that does not fit the network, or if p does not divide the
/// number of elements; size_mismatch if block sizes differ between processors; those of the machine.
///
/// **Cost** one-port, strict, contention 1:
/// - `direct`, on a crossbar: p - 1 rounds, 1 start-up, a block in each; with all ports 1 round.
/// - `bruck`, on a crossbar: ceil(log2 p) rounds, half of the blocks in each where p is a power of
///   two, and two rearrangements of all blocks.
/// - `bucket`, on a hypercube, torus or mesh: for each dimension of size s one round less than s, with
///   1/s, 2/s, .. of the blocks; on a hypercube half of the blocks in each.
/// - `tree`, on any network: each link of a breadth-first tree takes the blocks that have to cross it,
///   first upwards, then downwards.
///
/// **Source** Bruck et al., Efficient Algorithms for All-to-All Communications in Multiport
/// Message-Passing Systems, 1997, for `bruck`.
///
/// **Example**
/// ```
/// lockstep::machine machine{lockstep::hypercube{2}};
/// auto run = machine.run([](lockstep::processor& me) {
///   std::vector<int> blocks{0, 1, 2, 3};
///   for (int& block : blocks) block += 10 * me.rank();
///   return lockstep::all_to_all(me, std::move(blocks), {.scheme = "bucket"});
/// });
/// run.results()[2];     // {2, 12, 22, 32}
/// run.counts().rounds;  // 2
/// ```
template <payload_element T>
[[nodiscard]] std::vector<T> all_to_all(
    processor& me, std::vector<T> blocks, collective_options const& options,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  detail::require_equal_pieces("all_to_all", blocks.size(), me.size());
  auto const elements = blocks.size() / static_cast<std::size_t>(me.size());
  auto const scheme =
      detail::scheme_of_blocks(collective_operation::all_to_all, me, options.scheme, elements);
  me.barrier();
  switch (scheme) {
    case collective_scheme::direct:
      if (detail::goes_at_once(me, scheme, options.how))
        return detail::parts_at_once(me, detail::equal_blocks(elements),
                                     std::span<T const>(blocks));
      detail::all_to_all_directly(me, elements, std::span(blocks));
      break;
    case collective_scheme::bruck:
      return detail::all_to_all_by_bruck(me, elements, std::span<T const>(blocks));
    case collective_scheme::tree:
      detail::all_to_all_by_tree(me, elements, std::span(blocks));
      break;
    default:
      detail::all_to_all_in_rings(
          me, detail::ring_lines(collective_scheme::bucket, me.topology(), me.rank()), elements,
          std::span(blocks));
  }
  return blocks;
}

/// The same for blocks of any sizes, which only their senders know: directly on a crossbar;
/// elsewhere a message with the sizes, a word each, goes before each message with blocks.
///
/// `blocks`: one for each destination. Result: one of each source.
/// Errors: invalid_argument for another scheme than direct, bucket and tree, and unless there are p
/// blocks; those of the machine.
///
/// **Cost** one-port, strict, contention 1: `direct` p - 1 rounds, 1 start-up, in each the longest of
/// its blocks; `bucket` and `tree` twice the rounds of `all_to_all`, with the sizes in every other.
template <payload_element T>
[[nodiscard]] std::vector<std::vector<T>> all_to_allv(
    processor& me, std::vector<std::vector<T>> blocks, collective_options const& options = {},
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if (blocks.size() != static_cast<std::size_t>(me.size()))
    throw invalid_argument("all_to_allv: " + std::to_string(blocks.size()) + " blocks for " +
                               std::to_string(me.size()) + " processors; pass one for each",
                           call.where());
  auto const scheme =
      detail::scheme_of_blocks(collective_operation::all_to_all, me, options.scheme, 1);
  if (scheme == collective_scheme::bruck)
    throw invalid_argument("all_to_allv: the scheme bruck is for blocks of one size; take direct",
                           call.where());
  me.barrier();
  switch (scheme) {
    case collective_scheme::direct: {
      std::vector<std::vector<T>> came(blocks.size());
      auto const here = static_cast<std::size_t>(me.rank());
      came[here] = std::move(blocks[here]);
      me.pipelined([&] {
        detail::in_shifted_rounds(
            me, [&](int to) { me.send(to, std::move(blocks[static_cast<std::size_t>(to)])); },
            [&](int from) { came[static_cast<std::size_t>(from)] = me.receive<T>(from); });
      });
      return came;
    }
    case collective_scheme::tree:
      detail::all_to_allv_by_tree(me, blocks);
      break;
    default:
      detail::all_to_allv_in_rings(
          me, detail::ring_lines(collective_scheme::bucket, me.topology(), me.rank()), blocks);
  }
  return blocks;
}

}  // namespace lockstep
