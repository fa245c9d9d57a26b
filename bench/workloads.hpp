#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/lockstep.hpp>

namespace bench {

using word = std::uint64_t;

/// On what a workload runs: p processors, m words a message.
struct setting {
  int processors;
  int words;
  lockstep::machine_options options;
};

/// The counts and times of a run, all counting on.
struct outcome {
  std::uint64_t steps = 0;
  std::uint64_t messages = 0;
  std::string error;   ///< the fault of its results or counts; empty if nothing
  double seconds = 0;  ///< all rounds but the first took; 0 if it was not measured
};

/// Seconds that all rounds but the first took. Whoever calls begin and end first makes the time:
/// after a barrier behind the first round, and after one behind the last. So what it takes to start
/// and end a run is left out.
class round_clock {
 public:
  void begin() { note(m_begin); }
  void end() { note(m_end); }
  [[nodiscard]] double seconds() const {
    return m_begin == 0 ? 0 : 1e-9 * static_cast<double>(m_end - m_begin);
  }

 private:
  using ticks = std::chrono::nanoseconds::rep;
  static void note(std::atomic<ticks>& when) {
    if (when.load(std::memory_order_relaxed) != 0) return;
    ticks unset = 0;
    std::chrono::nanoseconds const now = std::chrono::steady_clock::now().time_since_epoch();
    when.compare_exchange_strong(unset, now.count());
  }

  std::atomic<ticks> m_begin = 0;
  std::atomic<ticks> m_end = 0;
};

/// A program for any number of processors (a power of two) that sends in every round, and checks
/// what it got and what was counted.
struct workload {
  std::string name;
  int (*steps_per_round)(int processors);
  outcome (*run)(setting const& at, int rounds);
};

/// Round: each processor sends what it holds to the next on a ring, and goes on with what came in.
outcome ring_shift(setting const& at, int rounds);

/// The ring shift with std::vectors that are moved, not copied.
outcome ring_shift_of_moved_vectors(setting const& at, int rounds);

/// Round: the sums over ranks 0 to r, for each processor r of a hypercube, in log2 p steps.
outcome hypercube_prefix(setting const& at, int rounds);

/// Round: each processor of a crossbar sends what it holds to another one, by a permutation without
/// fixed points that looks random, and goes on with what came in.
outcome random_permutation(setting const& at, int rounds);

/// The permutations with std::vectors that are moved, not copied.
outcome random_permutation_of_moved_vectors(setting const& at, int rounds);

/// Round: the prefix sums of the `active_in_tree` processors of the last subtree of a binary tree
/// of p - 1 processors. All others do nothing.
outcome prefix_in_subtree(setting const& at, int rounds);

/// The same among those nearest to the root, whose ranks are evenly apart.
outcome prefix_at_the_top(setting const& at, int rounds);

inline constexpr int active_levels_in_tree = 10;
inline constexpr int active_in_tree = (1 << active_levels_in_tree) - 1;

/// No round: what it takes to start the processors, and to end them.
outcome nothing(setting const& at, int rounds);

/// Those that are run on every engine and size with messages of that many words.
[[nodiscard]] std::vector<workload> main_workloads(int words);

}  // namespace bench
