#pragma once

#include <cstdint>

#include <lockstep/algorithms/collectives/arity.hpp>
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

/// Reads the packet that is asked for, or that of the machine where a request lacks it.
[[nodiscard]] inline std::uint64_t packet_from(arguments const& given) {
  auto packet = packet_size;
  packet.fallback = static_cast<std::int64_t>(given.request().options.packet);
  return given[packet];
}

/// Reads p, tau and m.
/// Errors: invalid_argument for another network than a crossbar.
[[nodiscard]] inline bdm_machine bdm_machine_from(arguments const& given) {
  require_crossbar(given);
  return {.p = given.processors(), .tau = given[latency], .packet = packet_from(given)};
}

/// Computes k = tau/m + 1 of a machine's trees, rounded down where tau is not a whole number of
/// packets (and bounds may fail).
/// Errors: invalid_argument for a tau of less than a packet.
[[nodiscard]] inline int arity_from(bdm_machine const& on) {
  return tree_arity(on.tau < on.packet ? on.tau : on.tau - on.tau % on.packet, on.packet);
}

}  // namespace lockstep
