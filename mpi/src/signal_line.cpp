#include "signal_line.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace lockstep::mpi {

namespace {

struct named_signal {
  int number;
  std::string_view name;
};
constexpr std::array named_signals{named_signal{SIGINT, "SIGINT"}, named_signal{SIGTERM, "SIGTERM"},
                                   named_signal{SIGHUP, "SIGHUP"},
                                   named_signal{SIGQUIT, "SIGQUIT"}};

/// A line that is there before the signal comes.
class ready_line {
 public:
  void set(std::string_view name, std::string_view from, int process, int processes) noexcept {
    auto const made =
        fmt::format_to_n(m_text.data(), m_text.size(),
                         "lockstep: {}{} came to process {} of {}: all processes end\n", name, from,
                         process, processes);
    m_size = std::min<std::size_t>(made.size, m_text.size());
  }
  void write() const noexcept {
    static_cast<void>(!::write(STDERR_FILENO, m_text.data(), m_size));  // nobody is told otherwise
  }

 private:
  std::array<char, 128> m_text{};
  std::size_t m_size = 0;
};

/// All that a handler knows.
struct handled {
  std::array<ready_line, named_signals.size()> lines{};
  std::array<ready_line, named_signals.size()> from_launcher{};
  std::array<struct sigaction, named_signals.size()> before{};
  std::array<bool, named_signals.size()> is_set{};
  pid_t launcher = 0;
};
handled known;
std::atomic<int*> first_of_all = nullptr;
static_assert(std::atomic<int*>::is_always_lock_free);
static_assert(std::atomic_ref<int>::is_always_lock_free);

/// Whether no process has written the line yet.
bool is_first() noexcept {
  auto* const flag = first_of_all.load();
  return flag == nullptr || std::atomic_ref<int>(*flag).exchange(1) == 0;
}

/// The signal waits until this returns; then it does what it did before.
void write_line(int signal, siginfo_t* came, void* /*context*/) {
  std::size_t at = 0;
  while (at < named_signals.size() && named_signals[at].number != signal) ++at;
  if (at == named_signals.size()) return;
  bool const is_of_launcher = came->si_code <= 0 && came->si_pid == known.launcher;
  if (is_first()) (is_of_launcher ? known.from_launcher : known.lines)[at].write();
  ::sigaction(signal, &known.before[at], nullptr);
  std::raise(signal);
}

}  // namespace

signal_line::signal_line(int process, int processes, int* first) noexcept {
  first_of_all = first;
  known.launcher = ::getppid();
  for (std::size_t at = 0; at < named_signals.size(); ++at) {
    auto const [number, name] = named_signals[at];
    known.lines[at].set(name, "", process, processes);
    known.from_launcher[at].set(name, " from the launcher", process, processes);
    struct sigaction handling {};
    handling.sa_sigaction = write_line;
    // A fiber's stack may be full.
    handling.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&handling.sa_mask);
    known.is_set[at] = ::sigaction(number, nullptr, &known.before[at]) == 0 &&
                       known.before[at].sa_handler != SIG_IGN &&
                       ::sigaction(number, &handling, nullptr) == 0;
  }
}

signal_line::~signal_line() {
  for (std::size_t at = 0; at < named_signals.size(); ++at) {
    struct sigaction now {};
    if (known.is_set[at] && ::sigaction(named_signals[at].number, nullptr, &now) == 0 &&
        (now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == write_line)
      ::sigaction(named_signals[at].number, &known.before[at], nullptr);
  }
  first_of_all = nullptr;
}

}  // namespace lockstep::mpi
