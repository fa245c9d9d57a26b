#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <lockstep/progress.hpp>

namespace lockstep::cli {

/// Shows on a terminal that something goes on: after a while a line with the stage that the work is
/// in, how much of that is done, about how long the rest of it takes where that can be known, and the
/// time that has passed. The line is erased at the end. Shows nothing where the stream is not a
/// terminal.
class progress {
 public:
  /// `file` is the stream's descriptor, `what` what is going on, `stage` what it begins with, and
  /// `delay` how long to keep quiet.
  progress(int file, std::string what, std::string stage = {},
           std::chrono::milliseconds delay = std::chrono::seconds(1));
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  ~progress();

  /// Expects runs, each with stages of its own (work_progress::expect_parts).
  void expect_runs(std::vector<double> ends) { m_board.expect_parts(std::move(ends)); }

 private:
  work_progress m_board;
  std::optional<progress_scope> m_noting;
  std::jthread m_thread;
};

/// Estimates how long the rest of a stage takes, or of the whole work where the shares of its parts are
/// known: from when some of it is done, by the rate since then. Knows nothing in the first second, nor in
/// the first five while less than a hundredth is done.
class stage_clock {
 public:
  using time = std::chrono::duration<double>;

  /// Takes the state at that time, and gives the time that is left, if it is known.
  std::optional<time> left(progress_state const& state, time now);

 private:
  std::uint64_t m_stages = 0;
  double m_share = 0;   ///< that was done at m_since
  double m_latest = 0;  ///< the most of the whole work that was done so far
  time m_since{0};
  bool m_has_begun = false;
};

/// Writes the line, without what moves: "cannon on torus:1x1: running, 34 %, about 9 s left, 12 s so
/// far", "the tables of jaja-ryu: run 12 of 399, about 9 s left: running on crossbar:9, step 3 of 16, 2 s
/// so far".
[[nodiscard]] std::string progress_line(std::string_view what, progress_state const& state,
                                        std::optional<stage_clock::time> left,
                                        stage_clock::time passed);

/// Cuts a line so that it has one row of a terminal of that many columns, and none of its characters
/// does anything to the terminal.
[[nodiscard]] std::string fitted(std::string_view line, std::size_t columns);

/// Erases the line that is shown, and has no other shown. A handler of a signal that ends the process
/// may call it.
void erase_progress() noexcept;

}  // namespace lockstep::cli
