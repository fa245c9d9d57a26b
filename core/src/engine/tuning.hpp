#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <lockstep/memory.hpp>

namespace lockstep::detail {

/// Sizes that change how long a run takes, and how much is kept of it, and nothing else. The defaults are the
/// library's.
struct tuning {
  /// Processors of a block, whose switches touch no more than fits into a cache of one or two MB.
  std::size_t processors_per_block = 2048;
  /// Processors that a worker needs for a second one to be worth its share of the messages.
  int processors_per_worker = 8192;
  /// Switches of a block, for each of its processors, after which the other blocks have their turn.
  int switches_per_turn = 64;
  /// Switches after which a worker looks whether a turn is over or its counters are worth merging.
  int switches_per_look = 256;
  /// The least bytes of a payload that an exchange lends.
  std::size_t bytes_lent = 2048;
  /// Bytes of messages to other workers after which a worker's round ends, as soon as it looks.
  std::size_t bytes_handed_over = std::size_t{1} << 22;
  /// Entries that are worth merging: few enough to stay in the caches.
  std::size_t entries_per_merge = std::size_t{1} << 16;
  /// Steps whose counters are worth merging.
  std::size_t steps_per_merge = std::size_t{1} << 14;
  /// Messages that wait until observers may be told of them.
  std::size_t most_untold = std::size_t{1} << 22;
  /// Bytes of calls, and of what was shown, that are kept for observers, and of events for a clock.
  std::size_t most_call_bytes = std::size_t{1} << 29;
  /// Stretches of equal steps that are recorded.
  std::size_t most_stretches = std::size_t{1} << 20;
  /// Records of processors that the processes of a cluster tell each other in a round, all together.
  int records_per_round = 1 << 18;
  /// Bytes that counters may take before the available memory is looked at, and the function that
  /// finds it.
  std::size_t bytes_unasked = std::size_t{1} << 24;
  std::uint64_t (*available_memory)() = lockstep::available_memory;
  /// The function that finds how many threads the computer runs at a time.
  int (*cores)() = nullptr;
  /// Threads that run the workers of a machine at most.
  int most_threads = std::numeric_limits<int>::max();
  /// How long a run waits for more threads before it begins.
  std::chrono::milliseconds patience{20};
};

/// The sizes in use. They have a file of their own, so that a test can be linked with others, under
/// which a small and short run goes through everything that a large and long one does.
extern tuning const usual_tuning;

}  // namespace lockstep::detail
