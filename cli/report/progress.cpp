#include "progress.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace lockstep::cli {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::string_view erase_line = "\r\x1b[K";
constexpr auto frame_time = std::chrono::milliseconds(100);
constexpr std::array<char, 4> frames{'|', '/', '-', '\\'};

/// The terminal that shows a line, or -1.
std::atomic<int> terminal_with_line = -1;
/// Whether a signal ends the process.
std::atomic<bool> is_ending = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// A line that a terminal did not take does not stop the run.
void write_to(int file, std::string_view text) noexcept {
  [[maybe_unused]] auto const written = ::write(file, text.data(), text.size());
}

void show(int file, std::string_view line) {
  if (is_ending) return;
  terminal_with_line = file;
  write_to(file, line);
  if (is_ending) write_to(file, erase_line);  // the signal came in between
}

std::size_t columns_of(int file) {
  winsize size{};
  return ::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void animate(std::stop_token const& ending, int file, std::string const& what,
             work_progress const& board, std::chrono::milliseconds delay) {
  std::mutex quiet;
  std::condition_variable_any woken;
  std::unique_lock lock(quiet);
  auto const start = clock::now();
  stage_clock rates;
  auto const ended_within = [&](std::chrono::milliseconds time) {
    return woken.wait_for(lock, ending, time, [&] { return ending.stop_requested(); });
  };
  auto const first_frame = start + delay;
  for (std::size_t frame = 0;;) {
    auto const state = board.state();
    auto const passed = clock::now() - start;
    auto const left = rates.left(state, passed);
    if (start + passed >= first_frame) {
      auto const line =
          fmt::format("{} {}", frames[frame], progress_line(what, state, left, passed));
      show(file, fmt::format("{}{}", erase_line, fitted(line, columns_of(file) - 1)));
      frame = (frame + 1) % frames.size();
    }
    if (ended_within(frame_time)) break;
  }
  if (terminal_with_line.exchange(-1) >= 0) write_to(file, erase_line);
}

/// While it lives, threads that begin do not take signals: their handlers run elsewhere.
class signals_elsewhere {
 public:
  signals_elsewhere() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &m_before);
  }
  signals_elsewhere(signals_elsewhere const&) = delete;
  signals_elsewhere& operator=(signals_elsewhere const&) = delete;
  ~signals_elsewhere() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }

 private:
  sigset_t m_before{};
};

/// How much of the stage is done, 0 to 1; 0 where that is not known.
double share_of_stage(progress_state const& state) {
  auto const share = [](std::uint64_t done, std::uint64_t of) {
    return std::min(static_cast<double>(done) / static_cast<double>(of), 1.0);
  };
  if (state.total > 0) return share(state.done, state.total);
  if (state.steps > 0 && state.step > 0) return share(state.step - 1, state.steps);
  return 0;
}

/// How much of the time of the whole work is over, 0 to 1; 0 where that is not known. What a stage has
/// done counts within the part that it belongs to.
double share_of_whole(progress_state const& state) {
  if (state.part_ends <= 0) return 0;
  return state.part_begins + (state.part_ends - state.part_begins) * share_of_stage(state);
}

/// Rounded down: 100 % are all of it.
std::string percentage(double share) {
  if (share < 0.1) return fmt::format("{:.1f} %", std::floor(1000 * share) / 10);
  return fmt::format("{:.0f} %", std::floor(100 * share));
}

std::string time_text(stage_clock::time of) {
  auto const seconds = of.count();
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.0f} h", seconds / 3600);
}

/// Which of the runs of the whole work it is: "run 12 of 399"; nothing where it has none.
std::string run_text(progress_state const& state) {
  if (state.part == 0) return "";
  if (state.part > state.parts) return fmt::format("run {}", state.part);
  return fmt::format("run {} of {}", state.part, state.parts);
}

std::string left_text(std::optional<stage_clock::time> left) {
  return left ? fmt::format(", about {} left", time_text(*left)) : "";
}

/// The stage, without the network that `what` ends with already.
std::string_view stage_beside(std::string_view what, std::string_view stage) {
  auto const network = stage.find(" on ");
  if (network == std::string_view::npos || !what.ends_with(stage.substr(network))) return stage;
  return stage.substr(0, network);
}

}  // namespace

progress::progress(int file, std::string what, std::string stage, std::chrono::milliseconds delay) {
  if (::isatty(file) != 1) return;
  m_noting.emplace(m_board);
  if (!stage.empty()) m_board.begin_stage(std::move(stage));
  signals_elsewhere const masked;
  try {
    m_thread =
        std::jthread([this, file, what = std::move(what), delay](std::stop_token const& ending) {
          animate(ending, file, what, m_board, delay);
        });
  } catch (std::system_error const&) {
    // Without a thread for it nothing is shown.
  }
}

progress::~progress() {
  m_thread.request_stop();
  if (m_thread.joinable()) m_thread.join();
}

std::optional<stage_clock::time> stage_clock::left(progress_state const& state, time now) {
  bool const has_parts = state.part_ends > 0;
  auto share = has_parts ? share_of_whole(state) : share_of_stage(state);
  if (has_parts) share = m_latest = std::max(share, m_latest);  // a part's next stage begins at 0
  if (share < m_share || (state.stages != m_stages && !has_parts)) m_has_begun = false;
  m_stages = state.stages;
  if (!m_has_begun) {
    m_share = share;
    m_since = now;
    m_has_begun = share > 0;
    return {};
  }
  auto const done = share - m_share;
  auto const passed = now - m_since;
  bool const in_last_step =
      !has_parts && state.total == 0 && state.step >= state.steps;  // a processor is, at least
  if (share >= 1 || in_last_step || done <= 0 || passed < (done < 0.01 ? time(5) : time(1)))
    return {};
  return passed * ((1 - share) / done);
}

std::string progress_line(std::string_view what, progress_state const& state,
                          std::optional<stage_clock::time> left, stage_clock::time passed) {
  if (state.stage.empty()) return fmt::format("{}: {}", what, time_text(passed));
  auto line = fmt::format("{}: ", what);
  bool const is_of_whole = state.part_ends > 0;
  // The rest of the whole stands before what a narrow terminal cuts off.
  if (state.part > 0) line += run_text(state) + (is_of_whole ? left_text(left) : "") + ": ";
  line += stage_beside(what, state.stage);
  if (state.total > 0)
    line += ", " + percentage(share_of_stage(state));
  else if (state.step > 0 && state.step <= state.steps)
    line += fmt::format(", step {} of {}", state.step, state.steps);
  else if (state.step > 0)
    line += fmt::format(", step {}", state.step);
  if (!is_of_whole) line += left_text(left);
  return line + fmt::format(", {} so far", time_text(passed));
}

std::string fitted(std::string_view line, std::size_t columns) {
  std::string text(line);
  for (auto& each : text)
    if (auto const code = static_cast<unsigned char>(each); code < ' ' || code == 0x7f) each = '?';
  if (text.size() <= columns) return text;
  auto const begins_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
  };
  while (columns > 0 && !begins_character(columns)) --columns;
  text.resize(columns);
  return text;
}

void erase_progress() noexcept {
  is_ending = true;
  if (auto const file = terminal_with_line.exchange(-1); file >= 0) write_to(file, erase_line);
}

}  // namespace lockstep::cli
