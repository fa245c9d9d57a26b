#pragma once

#include <cstdint>

#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/experiments/experiment.hpp>

#include "harness/arguments.hpp"

namespace lockstep {

/// A latency, which prices the claims of a machine with packets.
inline constexpr integer_parameter numeric_latency{
    "tau", "latency in the time of a word, which prices the claims", 16, 0, 1'000'000'000'000};
inline constexpr integer_parameter numeric_packet{
    "packet", "words in a packet: messages are rounded up to whole ones", 1, 1,
    std::int64_t{1} << 32U};

/// Reads the packet that is asked for, by its name or of the machine.
[[nodiscard]] std::uint64_t packet_from(arguments const& given);

/// k = tau/m + 1 of a machine's trees, rounded down where tau is not a whole number of packets (and
/// bounds may fail).
/// Errors: invalid_argument for a tau of less than a packet.
[[nodiscard]] int arity_from(bdm_machine const& on);

/// Copies a request, with stacks on which the libraries that it lends have room.
[[nodiscard]] experiment_request with_room_for_libraries(experiment_request asked);

}  // namespace lockstep
