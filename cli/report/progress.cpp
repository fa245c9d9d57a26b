#include "progress.hpp"

#include <unistd.h>

#include <array>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace lockstep::cli {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::string_view erase_line = "\r\x1b[K";
constexpr auto frame_time = std::chrono::milliseconds(100);
constexpr std::array<char, 4> frames{'|', '/', '-', '\\'};

/// A line that a terminal did not take does not stop the run.
void show(int file, std::string_view text) {
  [[maybe_unused]] auto const written = ::write(file, text.data(), text.size());
}

void animate(std::stop_token const& ending, int file, std::string const& what,
             std::chrono::milliseconds delay) {
  std::mutex quiet;
  std::condition_variable_any woken;
  std::unique_lock lock(quiet);
  auto const ended_within = [&](std::chrono::milliseconds time) {
    return woken.wait_for(lock, ending, time, [&] { return ending.stop_requested(); });
  };
  auto const start = clock::now();
  if (ended_within(delay)) return;
  for (std::size_t frame = 0;; frame = (frame + 1) % frames.size()) {
    std::chrono::duration<double> const passed = clock::now() - start;
    show(file, fmt::format("{}{} {}: {:.0f} s", erase_line, frames[frame], what, passed.count()));
    if (ended_within(frame_time)) break;
  }
  show(file, erase_line);
}

}  // namespace

progress::progress(int file, std::string what, std::chrono::milliseconds delay) {
  if (::isatty(file) != 1) return;
  m_thread = std::jthread([file, what = std::move(what), delay](std::stop_token const& ending) {
    animate(ending, file, what, delay);
  });
}

progress::~progress() {
  m_thread.request_stop();
  if (m_thread.joinable()) m_thread.join();
}

}  // namespace lockstep::cli
