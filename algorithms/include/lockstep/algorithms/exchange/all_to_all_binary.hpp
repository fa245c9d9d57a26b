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

/// Tells why this network does not fit the binary exchange, with examples that fit; empty if it
/// fits.
[[nodiscard]] std::string unsupported_reason_binary(topology const& network);
/// The former name of `unsupported_reason_binary`.
[[nodiscard]] inline std::string why_not_binary(topology const& network) {
  return unsupported_reason_binary(network);
}

namespace detail {

/// One more cut of the mesh in halves; a processor exchanges with its mirror image.
struct mesh_cut {
  int partner = 0;
  bool is_upper_half = false;  ///< that this processor is in
};

/// Lists the cuts in which a processor takes part: dimension 0 down to single rows, then the next.
[[nodiscard]] std::vector<mesh_cut> cuts_of(topology const& network, int rank);

/// Lists whose blocks a processor holds after that many cuts, in the order in which they lie.
[[nodiscard]] std::vector<int> sources_after(topology const& network, int rank, std::size_t cuts);

/// Lists the blocks that a processor holds after that many cuts, in the order in which they lie.
[[nodiscard]] std::vector<block_label> labels_after(topology const& network, int rank,
                                                    std::size_t cuts);

}  // namespace detail

/// Exchanges blocks between all processors by halves: the mesh is halved again and again, and at
/// each cut processors that are mirror images of each other exchange all blocks for the other half.
/// Called by all processors of a mesh whose dimensions are powers of two, with blocks of one size
/// m.
///
/// Few steps, but all messages of a line cross its cut at once: the machine must not be strict, and
/// what that costs are its contention and its serialised steps. In which order the halves are cut,
/// the source does not say, and it does not matter for the counts.
///
/// `blocks`: m elements per destination; p*m in all, indexed by destination.
/// Shows: "data array", the blocks in the order in which they lie.
/// Result: m elements per source; p*m in all, indexed by source.
/// Errors: invalid_argument if the network does not fit, or p does not divide the number of
/// elements; size_mismatch if block sizes differ between processors; and those of the machine.
///
/// **Cost** one-port, cut-through: log2 p steps and start-ups, p/2 log2 p m words, log2 p - 1
/// rearrangements; the cut of a line of s processors has contention s/2.
///
/// **Source** Bokhari and Berryman 1992, as Suh and Shin 2001 describe it in section 1.
template <payload_element T>
[[nodiscard]] std::vector<T> all_to_all_binary(
    processor& me, std::vector<T> blocks,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if (auto const reason = unsupported_reason_binary(me.topology()); !reason.empty())
    throw invalid_argument("all_to_all_binary: " + reason, call.where());
  auto const processors = static_cast<std::size_t>(me.size());
  if (blocks.size() % processors != 0)
    throw invalid_argument("all_to_all_binary: " + std::to_string(blocks.size()) +
                               " elements cannot be divided evenly among " +
                               std::to_string(processors) + " processors; pass p * m elements",
                           call.where());
  auto const m = blocks.size() / processors;

  // Blocks for one destination lie together, destinations in rank order.
  auto const cuts = detail::cuts_of(me.topology(), me.rank());
  auto from_one_side = m;  // elements for one destination
  std::vector<T> arrived(blocks.size() / 2);
  std::vector<T> merged(blocks.size());
  auto const show_after = [&](std::size_t done) {
    if (me.is_shown()) me.show("data array", detail::labels_after(me.topology(), me.rank(), done));
  };
  show_after(0);
  for (auto const& cut : cuts) {
    auto const half = blocks.size() / 2;
    auto const lower = std::span<T>(blocks).first(half);
    auto const upper = std::span<T>(blocks).last(half);
    me.exchange_into(cut.partner, cut.is_upper_half ? lower : upper, std::span<T>(arrived),
                     cut.partner);
    if (&cut != &cuts.back()) me.rearrange(blocks.size() * words_of<T>);
    auto const kept = cut.is_upper_half ? upper : lower;
    auto next = merged.begin();
    for (std::size_t at = 0; at < half; at += from_one_side) {
      next = std::ranges::copy(kept.subspan(at, from_one_side), next).out;
      next = std::ranges::copy(std::span<T>(arrived).subspan(at, from_one_side), next).out;
    }
    std::swap(blocks, merged);
    from_one_side *= 2;
    show_after(static_cast<std::size_t>(&cut - cuts.data()) + 1);
  }

  auto const sources = detail::sources_after(me.topology(), me.rank(), cuts.size());
  for (std::size_t i = 0; i < sources.size(); ++i)
    std::ranges::copy(
        std::span<T>(blocks).subspan(i * m, m),
        merged.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(sources[i]) * m));
  return merged;
}

/// Lists what `all_to_all_binary` costs on this network with blocks of that many words.
/// Errors: invalid_argument for a network that does not fit.
[[nodiscard]] std::vector<claim> all_to_all_binary_claims(topology const& network,
                                                          std::uint64_t words);

}  // namespace lockstep
