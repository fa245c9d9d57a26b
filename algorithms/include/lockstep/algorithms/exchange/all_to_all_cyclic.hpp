#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/library_call.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// Tells why this network does not fit the cyclic exchange, with examples that fit; empty if it fits.
[[nodiscard]] std::string unsupported_reason_cyclic(topology const& network);

namespace detail {

/// A step of the cyclic exchange, as one processor takes it.
struct cyclic_step {
  int bit = 0;       ///< of a rank: the partner's differs in it; 0 where the processor is idle
  int distance = 0;  ///< in links, of all pairs of the step
  bool begins_phase = false;  ///< the first step at that distance
};

/// Lists the 2^d steps of a processor of a 2^d x 2^d mesh.
[[nodiscard]] std::vector<cyclic_step> cyclic_steps_of(topology const& network, int rank);

/// Finds the block in a place of the data array after exchanges in these bits: of the place's bits these
/// tell the source, and the others the destination.
[[nodiscard]] block_label cyclic_label(int rank, int place, int bits);

/// Lists the blocks of the data array after exchanges in these bits.
[[nodiscard]] std::vector<block_label> cyclic_labels(processor const& me, int bits);

/// The reason why fewer words are rearranged than Suh and Shin's Table 2 says of [16].
inline constexpr char const* fewer_rearrangements_than_16 =
    "Table 2 charges [16] with a rearrangement between any two steps, 2^d - 1; ours counts each "
    "processor's own, 2d - 1";

}  // namespace detail

/// Exchanges blocks between all processors in 2 x 2 submeshes that are interleaved: in phase k, from
/// 0 to d - 1, the four processors of a submesh are 2^k links apart; each exchanges half of its blocks
/// with that of its row, and half with that of its column. Half of the submeshes of a phase begin with the
/// rows, the others with the columns, but for the one submesh of a 2 x 2 mesh. From k = 1 on they take turns
/// in the steps, so that no two messages of a step share a link. Called by all processors of a 2^d x 2^d
/// mesh, with blocks of one size m.
///
/// `blocks`: m elements per destination; p*m in all, indexed by destination.
/// Shows: "data array", the blocks in the order in which they lie.
/// Result: m elements per source; p*m in all, indexed by source.
/// Errors: invalid_argument if the network does not fit, or p does not divide the number of elements;
/// size_mismatch if block sizes differ between processors; and those of the machine.
///
/// **Cost** one-port, cut-through: 2^d steps and start-ups, 2^(3d-1) m words, (2^(2d) + 2)/3 hops, 2d - 1
/// rearrangements; strict. A processor is idle in all but two steps of a phase.
///
/// **Source** lockstep, after the cyclic exchange of Sundar, Jayasimha, Panda and Sadayappan 1994. Suh and
/// Shin 2001 have a few sentences on it in section 1, and its formulas in Table 2. Distances, the order and
/// length of phases, and the step in which a pair exchanges are lockstep's, chosen so that start-ups, words,
/// hops and barriers are those of the formulas.
///
/// **Example**
/// ```
/// lockstep::machine mesh{lockstep::mesh{{8, 8}}, {.strict = true}};
/// auto run = mesh.run([](lockstep::processor& me) {
///   return lockstep::all_to_all_cyclic(me, std::vector<int>(64, me.rank()));
/// });
/// run.counts().steps;  // 8
/// run.counts().words;  // 256
/// ```
template <payload_element T>
[[nodiscard]] std::vector<T> all_to_all_cyclic(
    processor& me, std::vector<T> blocks,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if (auto const reason = unsupported_reason_cyclic(me.topology()); !reason.empty())
    throw invalid_argument("all_to_all_cyclic: " + reason, call.where());
  auto const processors = static_cast<std::size_t>(me.size());
  if (blocks.size() % processors != 0)
    throw invalid_argument("all_to_all_cyclic: " + std::to_string(blocks.size()) +
                               " elements cannot be divided evenly among " +
                               std::to_string(processors) + " processors; pass p * m elements",
                           call.where());
  auto const m = blocks.size() / processors;
  std::vector<T> travelling(blocks.size() / 2);
  int bits = 0;  // in which it has exchanged
  if (me.is_shown()) me.show("data array", detail::cyclic_labels(me, bits));
  for (auto const& step : detail::cyclic_steps_of(me.topology(), me.rank())) {
    if (step.begins_phase) me.phase("distance " + std::to_string(step.distance));
    if (step.bit == 0) {
      me.idle();
      continue;
    }
    if (bits != 0) me.rearrange(blocks.size() * words_of<T>);
    // The places that differ from the rank in this bit hold the blocks for the other half.
    auto const each_block_of_other_half = [&](auto const& visit) {
      auto next = travelling.begin();
      for (int place = 0; place < me.size(); ++place) {
        if (((place ^ me.rank()) & step.bit) == 0) continue;
        auto const block = blocks.begin() + static_cast<std::ptrdiff_t>(place) * std::ptrdiff_t(m);
        visit(block, next);
        next += static_cast<std::ptrdiff_t>(m);
      }
    };
    each_block_of_other_half([m](auto block, auto next) { std::copy_n(block, m, next); });
    int const partner = me.rank() ^ step.bit;
    me.send(partner, std::span<T const>(travelling));
    me.receive_into(partner, std::span<T>(travelling));
    each_block_of_other_half([m](auto block, auto next) { std::copy_n(next, m, block); });
    bits |= step.bit;
    if (me.is_shown()) me.show("data array", detail::cyclic_labels(me, bits));
  }
  return blocks;
}

/// Lists what `all_to_all_cyclic` costs on this network with blocks of that many words.
/// Errors: invalid_argument for a network that does not fit.
[[nodiscard]] std::vector<claim> all_to_all_cyclic_claims(topology const& network,
                                                          std::uint64_t words);

}  // namespace lockstep
