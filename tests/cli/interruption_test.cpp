#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../catch.hpp"
#include "lockstep_process.hpp"
#include "shell.hpp"

// Signals that end the real executable.

namespace {

namespace fs = std::filesystem;

/// All signals whose default action ends a process, but SIGKILL, which no process can see, and SIGPIPE, which
/// runs with a trace ignore.
std::vector<int> ending_signals() {
  std::vector<int> signals{SIGHUP,  SIGINT,  SIGQUIT,   SIGILL,  SIGTRAP, SIGABRT,  SIGBUS,
                           SIGFPE,  SIGUSR1, SIGSEGV,   SIGUSR2, SIGALRM, SIGTERM,  SIGXCPU,
                           SIGPROF, SIGPOLL, SIGVTALRM, SIGPWR,  SIGSYS,  SIGSTKFLT};
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) signals.push_back(signal);
  return signals;
}

/// `lockstep` with these words, by itself, with the default action of all signals but those that it ignores.
class running_lockstep : public lockstep_process {
 public:
  explicit running_lockstep(std::vector<std::string> words, std::vector<int> const& ignored = {})
      : lockstep_process(std::move(words), [&ignored] {
          // Who runs the tests may ignore some.
          for (int const signal : ending_signals()) ::signal(signal, SIG_DFL);
          for (int const signal : ignored) ::signal(signal, SIG_IGN);
          int const nothing = ::open("/dev/null", O_RDWR);
          ::dup2(nothing, STDOUT_FILENO);
          ::dup2(nothing, STDERR_FILENO);
        }) {}
};

std::ptrdiff_t incomplete_files_in(fs::path const& folder) {
  return std::count_if(fs::directory_iterator(folder), fs::directory_iterator(),
                       [](fs::directory_entry const& one) {
                         return one.path().filename().string().starts_with(".lockstep-");
                       });
}

/// Waits until there are that many. It ends with the process, or with the test's time.
bool has_begun(running_lockstep const& process, fs::path const& folder, std::ptrdiff_t files) {
  while (process.is_running()) {
    if (incomplete_files_in(folder) == files) return true;
    std::this_thread::yield();
  }
  return false;
}

/// Has a pipe that nobody writes into: a run that reads its input from there waits.
class endless_input {
 public:
  explicit endless_input(scratch_directory const& in) : m_pipe(in.file("pipe")) {
    if (::mkfifo(m_pipe.c_str(), 0600) != 0) throw std::runtime_error("no pipe for the test");
  }
  [[nodiscard]] std::string path() const { return m_pipe.string(); }

 private:
  fs::path m_pipe;
};

}  // namespace

TEST_CASE("a signal that ends a run removes what is incomplete", "[interruption]") {
  for (int const signal : ending_signals()) {
    INFO("signal " << signal);
    scratch_directory const scratch;
    endless_input const input(scratch);
    auto const trace = scratch.write("trace.csv", "as it was");
    running_lockstep process({"run", "radix-sort", "--on", "crossbar:4", "--input", input.path(),
                              "--trace", trace.string()});
    REQUIRE(has_begun(process, scratch.file(""), 1));
    process.send(signal);
    CHECK(process.wait_for_end() == signal);
    CHECK(incomplete_files_in(scratch.file("")) == 0);
    CHECK(read_file(trace) == "as it was");
  }
}

// A running machine has a handler of its own for faults, which calls the one before it.
TEST_CASE("a signal removes all files of a figure, while processors run", "[interruption]") {
  for (int const signal : {SIGINT, SIGBUS, SIGSEGV}) {
    INFO("signal " << signal);
    scratch_directory const scratch;
    running_lockstep process({"figure", "suh-shin-15", "--output", scratch.file("").string()});
    REQUIRE(has_begun(process, scratch.file(""), 3));
    process.send(signal);
    CHECK(process.wait_for_end() == signal);
    CHECK(fs::is_empty(scratch.file("")));
  }
}

TEST_CASE("a signal that is ignored stays ignored", "[interruption]") {
  scratch_directory const scratch;
  endless_input const input(scratch);
  running_lockstep process({"run", "radix-sort", "--on", "crossbar:4", "--input", input.path(),
                            "--trace", scratch.file("trace.csv").string()},
                           {SIGHUP});
  REQUIRE(has_begun(process, scratch.file(""), 1));
  process.send(SIGHUP);
  process.send(SIGTERM);
  CHECK(process.wait_for_end() == SIGTERM);
  CHECK(incomplete_files_in(scratch.file("")) == 0);
}

TEST_CASE("a sweep that a signal ended goes on to the same figure, byte for byte",
          "[interruption]") {
  scratch_directory const scratch;
  auto const figure = scratch.file("figure.svg");
  auto const rows = scratch.file("rows");
  std::vector<std::string> const words{
      "sweep",      "radix-sort", "--on",   "crossbar:{4,16,64}", "--n", "{2,4,8,16}0000",
      "--parallel", "1",          "--plot", figure.string()};
  std::string command;
  for (auto const& word : words) command += "'" + word + "' ";
  auto const whole = lockstep_with(command);
  REQUIRE(whole.status == 0);
  auto const drawn = read_file(figure);
  for (int const signal : {SIGINT, SIGTERM, SIGKILL}) {
    INFO("signal " << signal);
    fs::remove(figure);
    fs::remove(rows);
    auto with_rows = words;
    with_rows.insert(with_rows.end(), {"--resume", rows.string()});
    running_lockstep process(with_rows);
    while (process.is_running() && (!fs::exists(rows) || lines_of(read_file(rows)) < 5))
      std::this_thread::yield();
    process.send(signal);
    REQUIRE(process.wait_for_end() == signal);
    auto const finished = lines_of(read_file(rows));
    CHECK(finished >= 5);
    CHECK(finished < 13);
    CHECK_FALSE(fs::exists(figure));
    auto const rest = lockstep_with(command + "--resume '" + rows.string() + "'");
    CHECK(rest.status == 0);
    CHECK(rest.out == whole.out);
    CHECK(read_file(figure) == drawn);
    CHECK(lines_of(read_file(rows)) == 13);
  }
}
