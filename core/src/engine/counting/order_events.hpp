#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/scheduling/group.hpp"

namespace lockstep::detail {

/// One event of a processor, by which messages of others follow its calls.
struct order_event {
  enum class kind : std::uint8_t {
    sent,
    taken,
    chooses,  ///< the message that is taken next
    met       ///< in a barrier
  } what;
  std::uint8_t pass;
  int other;  ///< the receiver, or sender; of `chooses` the index into `admitted`; or a barrier
};

/// The senders whose messages a call of receive_any may take.
struct senders_admitted {
  group const* members = nullptr;
  std::vector<int> among{};  ///< sorted; empty: all members

  [[nodiscard]] bool has(int sender) const {
    if (!among.empty()) return std::ranges::binary_search(among, sender);
    return members->whole() || members->in_group(sender) >= 0;
  }
};

/// The events of a processor since they were last gone through.
struct order_events {
  std::vector<order_event> list;
  std::vector<senders_admitted> admitted;  ///< of each that chooses
};

}  // namespace lockstep::detail
