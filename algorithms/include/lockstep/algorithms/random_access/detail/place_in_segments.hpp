#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/monotone_schedule.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep::detail {

/// The place of a processor among the others, by which it sends its messages.
struct place_in_segments {
  bool first_began_before = false;    ///< whether lower ranks send to its first destination
  bool last_goes_on = false;          ///< whether higher ranks send to its last one
  std::uint64_t messages_before = 0;  ///< of lower ranks, to its first destination
};

/// Schedules a processor's messages. `destinations`: increasing.
/// Result: a message to each, in the same order, of step 0 to the processor itself.
[[nodiscard]] std::vector<scheduled_message> scheduled_sends(int rank,
                                                             std::span<int const> destinations,
                                                             place_in_segments const& place);

}  // namespace lockstep::detail
