#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace lockstep::detail {

/// Figures that change how long a run takes, and how much is kept of it, and nothing else.
struct tuning {
  /// What a share needs at each switch fits into a cache of one or two MB.
  std::size_t processors_per_block;
  /// With fewer for each a second worker would lose where much of the data changes threads.
  int processors_per_worker;
  /// Switches of a share, for each of its processors, after which the others have their turn.
  int switches_per_turn;
  /// Switches after which a worker looks whether a turn is over or its worker_counters is worth folding.
  int switches_per_look;
  /// Entries of the ledgers that are worth folding: often enough to stay in the caches.
  std::size_t entries_per_merge;
  /// Steps whose counts are worth folding.
  std::size_t steps_per_merge;
  /// Messages that wait until observers may be told of them.
  std::size_t most_untold;
  /// Stretches of equal steps that are recorded.
  std::size_t most_stretches;
  /// Bytes that counts may take before it is asked whether there are more, and whom it is asked.
  std::size_t bytes_unasked;
  std::uint64_t (*available_memory)();
  /// How long a run waits for more threads before it begins.
  std::chrono::milliseconds patience;
};

/// Those in use. In a file of their own, so that a test can be linked with others, under which a
/// small and short run goes through all that a large and long one does.
extern tuning const usual_tuning;

}  // namespace lockstep::detail
