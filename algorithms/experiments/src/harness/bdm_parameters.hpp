#pragma once

#include <cstdint>

#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "harness/arguments.hpp"
#include "harness/harness.hpp"

namespace lockstep {

/// Parameters of algorithms of the block-distributed memory model.
inline constexpr integer_parameter latency{
    "tau", "latency in the time of a word, which prices the claims", 16, 0, 1'000'000'000'000};
inline constexpr integer_parameter packet_size{
    "packet", "words in a packet: messages are rounded up to whole ones", 1, 1,
    std::int64_t{1} << 32U};

/// Reads p, tau and m, which is the machine's packet where a request lacks it.
/// Errors: invalid_argument for another network than a crossbar.
[[nodiscard]] inline bdm_machine bdm_machine_from(arguments const& given) {
  require_crossbar(given);
  auto packet = packet_size;
  packet.fallback = static_cast<std::int64_t>(given.request().options.packet);
  return {.p = given.processors(), .tau = given[latency], .packet = given[packet]};
}

}  // namespace lockstep
