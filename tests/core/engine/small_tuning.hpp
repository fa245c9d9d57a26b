#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "engine/tuning.hpp"

namespace reference {

/// Sizes with which machines of eight processors have several blocks already, and can have two workers, and
/// counters are merged all the time.
constexpr lockstep::detail::tuning small_tuning(std::uint64_t (*available_memory)()) {
  return {.processors_per_block = 3,
          .processors_per_worker = 4,
          .switches_per_turn = 40,
          .switches_per_look = 5,
          .bytes_lent = 16,
          .bytes_handed_over = 1024,
          .entries_per_merge = 10,
          .steps_per_merge = 0,
          .most_untold = 100'000,
          .most_call_bytes = std::size_t{1} << 22,
          .most_stretches = 1 << 20,
          .records_per_round = 4,
          .bytes_unasked = 1 << 20,
          .available_memory = available_memory,
          .cores = [] { return 2; },
          .patience = std::chrono::seconds(1)};
}

}  // namespace reference
