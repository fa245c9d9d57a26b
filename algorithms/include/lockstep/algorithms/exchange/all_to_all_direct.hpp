#pragma once

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

/// Tells why this network does not fit the direct exchange, with examples that fit; empty if it
/// fits.
[[nodiscard]] std::string unsupported_reason_direct(topology const& network);
/// The former name of `unsupported_reason_direct`.
[[nodiscard]] inline std::string why_not_direct(topology const& network) {
  return unsupported_reason_direct(network);
}

namespace detail {

/// Lists the blocks that a processor holds after that step of the direct exchange, by the other
/// processor: those of processors with which it has exchanged, and those for the others.
[[nodiscard]] std::vector<block_label> labels_of_pairs(processor const& me, int step);

}  // namespace detail

/// Exchanges blocks between all processors, a pair at a time: in step i = 1 .. p-1 processor r
/// exchanges blocks with processor r XOR i, by the topology's own route. Called by all processors
/// of a torus or mesh whose dimensions are powers of two, with blocks of one size m.
///
/// Every block is sent once, but messages of one step share links: the machine must not be strict,
/// and what that costs are its contention and its serialised steps.
///
/// `blocks`: m elements per destination; p*m in all, indexed by destination.
/// Shows: "data array", the blocks by the other processor.
/// Result: m elements per source; p*m in all, indexed by source.
/// Errors: invalid_argument if the network does not fit, or p does not divide the number of
/// elements; size_mismatch if block sizes differ between processors; and those of the machine.
///
/// **Cost** one-port, cut-through: p - 1 steps and start-ups, (p - 1)m words; on a mesh a step
/// whose largest coordinate of i begins with the bit 2^h has contention 2^h. Local work O(pm), no
/// memory beside the blocks.
///
/// **Source** Suh and Shin 2001, Fig. 1 (after the direct algorithms that they cite).
///
/// **Example**
/// ```
/// lockstep::machine mesh{lockstep::mesh{{2, 4}}};
/// auto run = mesh.run([](lockstep::processor& me) {
///   return lockstep::all_to_all_direct(me, std::vector<int>(8, me.rank()));
/// });
/// run.counts().steps;             // 7
/// run.counts().serialised_steps;  // 11
/// ```
template <payload_element T>
[[nodiscard]] std::vector<T> all_to_all_direct(
    processor& me, std::vector<T> blocks,
    std::source_location where = std::source_location::current()) {
  library_call const call(me, where);
  if (auto const reason = unsupported_reason_direct(me.topology()); !reason.empty())
    throw invalid_argument("all_to_all_direct: " + reason, call.where());
  auto const processors = static_cast<std::size_t>(me.size());
  if (blocks.size() % processors != 0)
    throw invalid_argument("all_to_all_direct: " + std::to_string(blocks.size()) +
                               " elements cannot be divided evenly among " +
                               std::to_string(processors) + " processors; pass p * m elements",
                           call.where());
  auto const m = blocks.size() / processors;
  if (me.is_shown()) me.show("data array", detail::labels_of_pairs(me, 0));
  for (int step = 1; step < me.size(); ++step) {
    int const partner = me.rank() ^ step;
    auto const block = std::span<T>(blocks).subspan(static_cast<std::size_t>(partner) * m, m);
    me.send(partner, block);
    me.receive_into(partner, block);
    if (me.is_shown()) me.show("data array", detail::labels_of_pairs(me, step));
  }
  return blocks;
}

/// Computes a lower bound on the steps without contention of exchanges on an a x a mesh whose blocks go by
/// themselves, straight from source to destination: a^3/4 for even a, since a^4/4 blocks cross the middle,
/// which has a links; a(a^2 - 1)/4 for odd a. Exchanges that combine messages can take fewer steps.
/// Errors: invalid_argument for a > 2,000,000.
/// Source: Scott 1991, as Suh and Shin 2001 tell of it in section 1 (a^3/4, for any a); the derivation, and
/// the value for odd a, are lockstep's.
[[nodiscard]] std::uint64_t direct_exchange_bound(
    std::uint64_t a, std::source_location where = std::source_location::current());

/// Lists what `all_to_all_direct` costs on this network with blocks of that many words.
/// Errors: invalid_argument for a network that does not fit.
[[nodiscard]] std::vector<claim> all_to_all_direct_claims(topology const& network,
                                                          std::uint64_t words);

}  // namespace lockstep
