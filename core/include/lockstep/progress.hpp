#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// How far long work has come, at a moment.
struct progress_state {
  std::string stage{};       ///< what goes on: "checking the result"
  std::uint64_t stages = 0;  ///< stages that have begun so far
  std::uint64_t done = 0;    ///< pieces of the stage's work, of equal size
  std::uint64_t total = 0;   ///< pieces in all; 0 where that is not known
  std::uint64_t step = 0;    ///< that a processor of the running machine has reached; 0 before
  std::uint64_t steps = 0;   ///< that the run is expected to take; 0 where that is not known
  std::uint64_t part = 0;    ///< of the whole work, counted from 1; 0 before, and where it has none
  std::uint64_t parts = 0;   ///< that the whole work has; 0 where that is not known
  double part_begins = 0;    ///< about which share of the whole's time was over then, 0 to 1
  double part_ends = 0;      ///< and which is at the part's end; 0 where that is not known
};

/// A board on which long work notes how far it has come, while another thread looks. It costs what
/// an atomic addition costs. Any number of threads may use it at the same time.
class work_progress {
 public:
  /// Begins a stage. `total`: the pieces that its work has, 0 where that is not known.
  void begin_stage(std::string name, std::uint64_t total = 0);
  /// Notes how many steps the next run is expected to take; 0 where that is not known.
  void expect_steps(std::uint64_t steps);
  /// Notes the parts that the whole work has, for example runs, each with stages of its own. `ends`:
  /// about which share of the whole's time is over at the end of each, ascending, 0 to 1.
  void expect_parts(std::vector<double> ends);
  /// Begins the next part of the whole work.
  void begin_part();
  /// Notes that this number of pieces is done, besides those before.
  void add(std::uint64_t pieces) noexcept { m_done.fetch_add(pieces, std::memory_order_relaxed); }
  /// Notes the step of a processor, if it is later than those noted before.
  void reach_step(std::uint64_t step) noexcept;

  [[nodiscard]] progress_state state() const;

 private:
  mutable std::mutex m_naming;
  std::string m_stage;
  std::uint64_t m_stages = 0;
  std::uint64_t m_total = 0;
  std::uint64_t m_steps = 0;
  std::vector<double> m_part_ends;
  std::uint64_t m_part = 0;
  std::atomic<std::uint64_t> m_done = 0;
  std::atomic<std::uint64_t> m_step = 0;
};

/// While it lives, what its thread does is noted on a board: the runs of machines, and what
/// experiments do besides. It ends on the thread that it began on, before scopes that began earlier.
class progress_scope {
 public:
  /// `board` has to outlive the scope.
  explicit progress_scope(work_progress& board) noexcept;
  progress_scope(progress_scope const&) = delete;
  progress_scope& operator=(progress_scope const&) = delete;
  ~progress_scope();

  /// The board of this thread, or nullptr where nothing is noted.
  [[nodiscard]] static work_progress* board() noexcept;

 private:
  work_progress* m_outer;
};

}  // namespace lockstep
