#pragma once

#include <cstdint>
#include <memory>

#include "engine/runtime.hpp"

namespace lockstep::detail {

// What most messages do not need: ways along a dimension, and ports other than one (counting rules
// 3 and 4).

/// The processor that a way leads to, and the route there.
struct route_end {
  int rank;
  std::uint32_t hops;
  way_taken way;
};

/// Finds the end of the way that the sender named, which stands in processor_details::asked_way.
/// Errors: invalid_rank if `to` is not `by_way` but a rank that the processor cannot send to, or if
/// the way leads off the edge or back; invalid_argument; not_adjacent; invalid_topology.
[[nodiscard, gnu::cold]] route_end end_of_way(runtime& run, processor_state& me, int to);

/// Finds the last step in which that port was used.
[[nodiscard, gnu::cold]] std::uint64_t& last_use_of(std::unique_ptr<port_tables>& tables,
                                                    port_table port_tables::*way,
                                                    std::int64_t port);

// Envelopes are taken by value, so that the caller's may stay in registers.
/// Finds the number of the port by which a message leaves `me` for processor `to`.
[[nodiscard, gnu::cold]] std::int64_t out_port(runtime& run, processor_state& me, int to,
                                               envelope sent);
/// Finds the number of the port by which a message comes to `me`.
[[nodiscard, gnu::cold]] std::int64_t in_port(runtime& run, processor_state& me, envelope message);

}  // namespace lockstep::detail
