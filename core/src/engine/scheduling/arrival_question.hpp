#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/scheduling/group.hpp"

namespace lockstep::detail {

/// A question of a processor that waits: which message comes first, or how many have come. It is
/// answered when no processor can go on, see decide_arrivals.cpp.
struct arrival_question {
  group const* members = nullptr;  ///< whose messages count
  std::span<int const> among{};    ///< of these: ranks on the machine, sorted; empty: all
  int from = -1;            ///< of `receive_any` the answer: the sender; of the others the question
  std::size_t pending = 0;  ///< the answer to the others: messages that have come

  [[nodiscard]] bool admits(int sender) const {
    if (!among.empty()) return std::ranges::binary_search(among, sender);
    return members->whole() || members->in_group(sender) >= 0;
  }
};

}  // namespace lockstep::detail
