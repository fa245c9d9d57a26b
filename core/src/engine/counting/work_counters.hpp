#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include <lockstep/counts.hpp>
#include <lockstep/detail/work_meter.hpp>

#include "engine/counting/label_counters.hpp"
#include "engine/counting/section.hpp"

namespace lockstep::detail {

/// Local operations that count together: the most of one processor, and those of all.
struct work_sum {
  std::uint64_t work = 0;
  std::uint64_t operations = 0;

  /// Adds operations of other processors at the same time.
  void join(work_sum const& at_once) {
    work = std::max(work, at_once.work);
    operations += at_once.operations;
  }
  /// Adds operations of another time.
  void append(work_sum const& later) {
    work += later.work;
    operations += later.operations;
  }
};

/// The time at which a processor worked outside pipelined runs. Operations of the same step, after as
/// many barriers, count together (counting rule 14).
struct work_moment {
  std::uint64_t step = 0;
  std::uint64_t barriers = 0;    ///< that the processor had passed
  std::size_t phase = no_phase;  ///< that it was in

  friend auto operator<=>(work_moment const&, work_moment const&) = default;
};

/// The operations of a processor that its worker does not know of yet: all of one moment, or of one
/// pipelined run between barriers.
struct pending_work {
  work_moment at{};
  section const* run = nullptr;
  std::uint64_t operations = 0;

  /// Whether more may be added once the steps before `end` are over.
  [[nodiscard]] bool is_open(std::uint64_t end) const {
    return run == nullptr ? at.step >= end : run->end > end;
  }
};

/// The local operations of one processor, but for those that its meter has taken since `settle`.
struct processor_work {
  pending_work pending{};
  std::uint64_t operations = 0;  ///< in all
  std::uint64_t path = 0;        ///< on the longest path through work and messages that ends here
  work_meter meter{};
  label_counters* labels = nullptr;  ///< where those of the meter count under a label; else nullptr
  label_number label = 0;

  void add(std::uint64_t more) {
    pending.operations += more;
    operations += more;
    path += more;
  }
  /// Takes what the meter has. Called by the processor, or while it does not run.
  void settle() {
    if (meter.has_some()) take_metered();
  }
  /// The same. Afterwards the meter takes no more until it is opened again.
  void close();

 private:
  void take_metered();
};

/// Operations of a processor in a pipelined run between barriers.
struct work_in_run {
  section const* run;
  int rank;
  work_moment at;  ///< the first of them; in a run in which no step passes they count at this time
  std::uint64_t operations;
};

/// Work of one moment.
struct work_then {
  work_moment at;
  work_sum sum;
};

/// The local operations that the processors of one worker did, which it alone writes while
/// processors run.
class work_counters {
 public:
  /// Errors: std::bad_alloc.
  void add(int rank, pending_work const& done);
  /// Moves the work before step `end` outside of pipelined runs, in no order.
  void move_to(std::vector<work_then>& apart, std::uint64_t end);
  /// Moves that of pipelined runs.
  void move_runs_to(std::vector<work_in_run>& in_runs);

  [[nodiscard]] std::size_t entries() const {
    return m_blocks.size() * steps_in_block + m_others.size() + m_in_runs.size();
  }
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr std::uint64_t steps_in_block = 64;
  /// The first moment that is seen in each step of a row of them.
  using block = std::array<work_then, steps_in_block>;

  struct hash {
    [[nodiscard]] std::size_t operator()(work_moment const& of) const {
      constexpr std::uint64_t spread = 0x9E37'79B9'7F4A'7C15;  // 2^64 / golden ratio
      return (of.step * spread + of.barriers) * spread + of.phase;
    }
  };

  std::map<std::uint64_t, block> m_blocks;  ///< by step / steps_in_block
  block* m_selected = nullptr;              ///< the one that was used last
  std::uint64_t m_selected_number = 0;
  std::unordered_map<work_moment, work_sum, hash> m_others;  ///< further moments of a step
  std::vector<work_in_run> m_in_runs;
};

}  // namespace lockstep::detail
