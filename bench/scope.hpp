#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "workloads.hpp"

namespace bench {

/// The scope of the measurements: everything, or, for a quick look, small machines only and few
/// rounds.
struct scope {
  bool quick = false;

  /// Sizes of machines.
  [[nodiscard]] std::vector<int> processors() const {
    if (quick) return {64, 1024};
    return {64, 1024, 16'384, 131'072, 1'048'576};
  }
  /// Those that are run with messages of that many words: this computer has the memory, and large
  /// messages stop at 131,072.
  [[nodiscard]] std::vector<int> processors_for(int words) const;
  [[nodiscard]] std::vector<int> threads() const {
    if (quick) return {64};
    return {64, 1024, 4096};
  }

  /// Rounds in which the processors of a machine make about `wanted` steps together, and at least
  /// `fewest` each.
  [[nodiscard]] int rounds(double wanted, int fewest, int processors, int steps_per_round) const {
    auto const steps = std::max(fewest, static_cast<int>(wanted / processors));
    return std::max(1, (quick ? steps / 16 : steps) / steps_per_round);
  }

  /// A run that moves much data averages by itself; a small one is run more often.
  [[nodiscard]] int repetitions(int processors, int words) const {
    auto const moved = static_cast<double>(processors) * words;
    if (quick || moved > 1e7 || processors > 131'072) return 1;
    return moved > 1e5 ? 2 : 3;
  }
};

/// Reads the KiB that a line of one of the system's files has behind its name, such as "VmHWM:", in
/// bytes; nothing if no line has that name.
[[nodiscard]] std::optional<double> bytes_in_line(char const* file, std::string_view name);

/// An engine as the names of benchmarks have it: "fibers:1", "fibers:2", "threads".
struct engine_choice {
  lockstep::engine engine;
  int workers;

  [[nodiscard]] std::string name() const {
    return engine == lockstep::engine::threads ? "threads" : fmt::format("fibers:{}", workers);
  }
  [[nodiscard]] lockstep::machine_options options() const {
    lockstep::machine_options chosen;
    chosen.engine = engine;
    chosen.workers = workers;
    chosen.max_steps = 1'000'000'000;
    return chosen;
  }
};

inline constexpr engine_choice one_worker{lockstep::engine::fibers, 1};
inline constexpr engine_choice two_workers{lockstep::engine::fibers, 2};
inline constexpr engine_choice a_thread_each{lockstep::engine::threads, 0};

/// "ring/fibers:1/p:1024/words:1": what, on what, processors, words of a message.
inline std::string name_of(std::string const& what, std::string const& on, int processors,
                           int words) {
  return fmt::format("{}/{}/p:{}/words:{}", what, on, processors, words);
}

}  // namespace bench
