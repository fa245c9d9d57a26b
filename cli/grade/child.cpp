#include "child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include <lockstep/detail/stop_request.hpp>

namespace lockstep::cli {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t most_output = std::size_t{4} << 20;
constexpr int cannot_start = 127;

[[noreturn]] void throw_system_error(char const* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// A descriptor, closed at the end.
class descriptor {
 public:
  explicit descriptor(int number) : m_number(number) {}
  descriptor(descriptor const&) = delete;
  descriptor& operator=(descriptor const&) = delete;
  ~descriptor() { close(); }

  [[nodiscard]] int number() const { return m_number; }
  void close() {
    if (m_number >= 0) ::close(m_number);
    m_number = -1;
  }

 private:
  int m_number;
};

/// Becomes the program, between fork and exec: nothing here takes memory.
[[noreturn]] void become(char* const* words, char* const* environment, process_limits const& limits,
                         child_channel channel, int stream) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGXFSZ, SIG_DFL);
  std::signal(SIGPIPE, SIG_DFL);
  int const nowhere = ::open("/dev/null", O_RDWR);
  int const kept = ::fcntl(stream, F_DUPFD, 10);
  bool ready = nowhere >= 0 && kept >= 0;
  for (int one = 0; one < 3; ++one) ready = ready && ::dup2(nowhere, one) >= 0;
  int const target = channel == child_channel::errors ? STDERR_FILENO : own_channel;
  ready = ready && ::dup2(kept, target) >= 0;
  if (kept >= 0) ::close(kept);
  // Nothing else of whoever started this tool stays open.
  ready = ready && ::close_range(own_channel + 1, ~0U, 0) == 0;
  if (ready && set_limits(limits)) ::execvpe(words[0], words, environment);
  ::_exit(cannot_start);
}

/// A process that was started, and what it has said so far.
class running_child {
 public:
  running_child(pid_t process, int stream) : m_process(process), m_stream(stream) {}

  [[nodiscard]] finished_child wait(double seconds) {
    auto const end = clock::now() + std::chrono::duration<double>(seconds);
    auto const* const stop = lockstep::detail::stop_scope::current();
    bool is_late = false;
    bool is_stopped = false;
    while (!has_ended()) {
      is_late = clock::now() > end || m_text.size() >= most_output;
      is_stopped = stop != nullptr && stop->is_asked();
      if (is_late || is_stopped) break;
      read_for(20);
    }
    ::kill(-m_process, SIGKILL);  // all that it has started; it is not reaped yet
    int status = 0;
    while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR) continue;
    if (is_stopped) throw lockstep::detail::work_stopped{};
    while (read_for(0)) continue;
    return ended_with(status, is_late);
  }

 private:
  [[nodiscard]] bool has_ended() const {
    siginfo_t found{};
    return ::waitid(P_PID, static_cast<id_t>(m_process), &found, WEXITED | WNOHANG | WNOWAIT) ==
               0 &&
           found.si_pid == m_process;
  }

  /// Reads for that many milliseconds at most. Result: whether something came.
  bool read_for(int milliseconds) {
    pollfd waiting{m_is_open ? m_stream : -1, POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds) <= 0) return false;
    std::array<char, 4096> piece{};
    auto const count = ::read(m_stream, piece.data(), piece.size());
    if (count <= 0) {
      m_is_open = false;
      return false;
    }
    m_text.append(piece.data(), static_cast<std::size_t>(count));
    return m_text.size() < most_output;
  }

  [[nodiscard]] finished_child ended_with(int status, bool is_late) {
    if (is_late) return {child_end::too_late, SIGKILL, std::move(m_text)};
    if (WIFEXITED(status)) return {child_end::ended, WEXITSTATUS(status), std::move(m_text)};
    // The limit of processor time ends a process by SIGXCPU, or SIGKILL where that is ignored.
    bool const is_slow = WTERMSIG(status) == SIGXCPU;
    return {is_slow ? child_end::too_late : child_end::signalled, WTERMSIG(status),
            std::move(m_text)};
  }

  pid_t m_process;
  int m_stream;
  bool m_is_open = true;
  std::string m_text;
};

void write_all(int stream, std::string_view text) {
  while (!text.empty()) {
    auto const count = ::send(stream, text.data(), text.size(), MSG_NOSIGNAL);
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// Lists variables, and behind them this process's, without those of the same names. The language of
/// messages is English.
std::vector<std::string> environment_with(std::vector<std::string> variables) {
  variables.emplace_back("LC_ALL=C");
  auto const own = variables.size();
  for (char* const* one = environ; *one != nullptr; ++one) {
    std::string_view const text(*one);
    auto const name = text.substr(0, text.find('=') + 1);
    bool const is_set = std::any_of(
        variables.begin(), variables.begin() + static_cast<std::ptrdiff_t>(own),
        [name](std::string const& set) { return !name.empty() && set.starts_with(name); });
    if (!is_set) variables.emplace_back(text);
  }
  return variables;
}

/// Points to each word, and to nothing behind the last, as exec wants it.
std::vector<char*> pointers_to(std::vector<std::string> const& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (auto const& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

finished_child run_child(std::vector<std::string> const& words, process_limits const& limits,
                         child_channel channel, std::string_view given,
                         std::vector<std::string> variables) {
  lockstep::detail::stop_scope::check();
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw_system_error("socketpair");
  descriptor const ours(ends[0]);
  descriptor theirs(ends[1]);
  variables = environment_with(std::move(variables));
  auto const arguments = pointers_to(words);
  auto const environment = pointers_to(variables);
  std::signal(SIGCHLD, SIG_DFL);  // ignored, it would tell of no child's end
  auto const process = ::fork();
  if (process < 0) throw_system_error("fork");
  if (process == 0) become(arguments.data(), environment.data(), limits, channel, theirs.number());
  ::setpgid(process, process);  // whoever comes first
  theirs.close();
  write_all(ours.number(), given);
  return running_child(process, ours.number()).wait(limits.seconds);
}

temporary_folder::temporary_folder() {
  auto pattern = (std::filesystem::temp_directory_path() / "lockstep-grade-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw_system_error("a temporary folder");
  m_path = pattern;
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

}  // namespace lockstep::cli
