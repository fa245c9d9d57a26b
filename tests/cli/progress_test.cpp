#include "report/progress.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <lockstep/experiments/papers.hpp>
#include <lockstep/progress.hpp>

#include "../catch.hpp"
#include "lockstep_process.hpp"
#include "pseudo_terminal.hpp"
#include "shell.hpp"

namespace {

using namespace std::chrono_literals;
using lockstep::progress_state;
using lockstep::cli::fitted;
using lockstep::cli::progress_line;
using lockstep::cli::stage_clock;

constexpr char const* erased = "\r\x1b[K";

/// `lockstep` with these words, by itself, on a terminal of its own.
class lockstep_on_terminal {
 public:
  explicit lockstep_on_terminal(std::vector<std::string> words)
      : m_process(std::move(words), [this] {
          ::setsid();
          ::ioctl(m_screen.terminal(), TIOCSCTTY, 0);
          ::signal(SIGINT, SIG_DFL);
          for (int const file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            ::dup2(m_screen.terminal(), file);
        }) {}

  void press(std::string const& keys) const { m_screen.type(keys); }
  /// All that was shown so far.
  [[nodiscard]] std::string const& shown() { return m_shown += m_screen.shown(); }
  /// Waits until that was shown. It ends with the process, or with the test's time.
  [[nodiscard]] bool shows(std::string const& part) {
    while (shown().find(part) == std::string::npos) {
      if (!m_process.is_running()) return shown().find(part) != std::string::npos;
      std::this_thread::sleep_for(5ms);
    }
    return true;
  }
  /// The signal that ended it, or 0.
  [[nodiscard]] int wait_for_end() { return m_process.wait_for_end(); }

 private:
  pseudo_terminal m_screen;
  lockstep_process m_process;
  std::string m_shown;
};

/// A pipe that stays open at both ends, and nothing moves: reading from it waits, and so does writing
/// much into it.
class stuck_pipe {
 public:
  explicit stuck_pipe(std::filesystem::path const& place) : m_place(place) {
    if (::mkfifo(m_place.c_str(), 0600) != 0) throw std::runtime_error("no pipe for the test");
    m_file = ::open(m_place.c_str(), O_RDWR | O_CLOEXEC);
  }
  stuck_pipe(stuck_pipe const&) = delete;
  stuck_pipe& operator=(stuck_pipe const&) = delete;
  ~stuck_pipe() { ::close(m_file); }

  [[nodiscard]] std::string path() const { return m_place.string(); }

 private:
  std::filesystem::path m_place;
  int m_file = -1;
};

/// Counts files whose names begin so.
std::ptrdiff_t files_named(std::string const& prefix, scratch_directory const& in) {
  return std::ranges::count_if(std::filesystem::directory_iterator(in.file("")), [&](auto& one) {
    return one.path().filename().string().starts_with(prefix);
  });
}

/// While it lives, programs that are started keep temporary files in that folder.
class temporary_files_in {
 public:
  explicit temporary_files_in(std::filesystem::path const& folder) {
    if (char const* const before = std::getenv("TMPDIR")) m_before = before;
    ::setenv("TMPDIR", folder.c_str(), 1);
  }
  temporary_files_in(temporary_files_in const&) = delete;
  temporary_files_in& operator=(temporary_files_in const&) = delete;
  ~temporary_files_in() {
    if (m_before)
      ::setenv("TMPDIR", m_before->c_str(), 1);
    else
      ::unsetenv("TMPDIR");
  }

 private:
  std::optional<std::string> m_before;
};

/// Counts processes whose words have that part.
int processes_with(std::string const& part) {
  int found = 0;
  for (auto const& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream stream(process.path() / "cmdline");
    std::string const words{std::istreambuf_iterator<char>(stream), {}};
    if (words.find(part) != std::string::npos) ++found;
  }
  return found;
}

/// Whether that becomes so within five seconds.
bool ends_soon(std::function<bool()> const& is_so) {
  for (int times = 0; times < 500 && !is_so(); ++times) std::this_thread::sleep_for(10ms);
  return is_so();
}

/// Runs it on a terminal until that stage is shown, presses Ctrl-C, and checks what is left.
void check_interrupted_in(std::string const& stage, std::vector<std::string> const& words,
                          scratch_directory const& scratch) {
  INFO("in the stage: " << stage);
  lockstep_on_terminal run(words);
  REQUIRE(run.shows(stage));
  run.press("\x03");
  CHECK(run.wait_for_end() == SIGINT);
  auto const text = run.shown();
  INFO(text.substr(text.size() - std::min<std::size_t>(text.size(), 300)));
  CHECK(text.ends_with(erased));
  CHECK(files_named(".lockstep-", scratch) == 0);
}

}  // namespace

TEST_CASE("a long run shows on a terminal that it goes on, and erases that at the end",
          "[progress][threads]") {
  pseudo_terminal const screen;
  {
    lockstep::cli::progress const shown(screen.terminal(), "all-to-all on torus:64x64", {}, 50ms);
    std::this_thread::sleep_for(400ms);
  }
  auto const text = screen.shown();
  INFO(text);
  CHECK(text.find("| all-to-all on torus:64x64: 0 s") != std::string::npos);
  CHECK(text.find("/ all-to-all on torus:64x64: 0 s") != std::string::npos);
  CHECK(text.ends_with(erased));
}

TEST_CASE("a long run shows the stage that it is in, as the work notes it", "[progress][threads]") {
  pseudo_terminal const screen;
  {
    lockstep::cli::progress const shown(screen.terminal(), "cannon", "making the input", 1ms);
    std::this_thread::sleep_for(200ms);
    auto* const board = lockstep::progress_scope::board();
    REQUIRE(board != nullptr);
    board->begin_stage("checking", 200);
    board->add(50);
    std::this_thread::sleep_for(300ms);
  }
  CHECK(lockstep::progress_scope::board() == nullptr);
  auto const text = screen.shown();
  INFO(text);
  CHECK(text.find("cannon: making the input, 0 s so far") != std::string::npos);
  CHECK(text.find("cannon: checking, 25 %, 0 s so far") != std::string::npos);
}

TEST_CASE("a short run shows nothing, and does not wait", "[progress]") {
  pseudo_terminal const screen;
  auto const start = std::chrono::steady_clock::now();
  { lockstep::cli::progress const shown(screen.terminal(), "all-to-all", {}, 10s); }
  CHECK(std::chrono::steady_clock::now() - start < 5s);
  CHECK(screen.shown().empty());
}

TEST_CASE("a pipe sees no progress, and nothing is noted for it", "[progress]") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_NONBLOCK) == 0);
  {
    lockstep::cli::progress const shown(ends[1], "all-to-all", {}, 1ms);
    CHECK(lockstep::progress_scope::board() == nullptr);
    std::this_thread::sleep_for(100ms);
  }
  char byte = 0;
  CHECK(::read(ends[0], &byte, 1) == -1);  // nothing there
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("the line of a long run", "[progress]") {
  auto const line = [](progress_state const& state, std::optional<stage_clock::time> left = {}) {
    return progress_line("cannon on torus:1x1", state, left, 12s);
  };
  CHECK(line({}) == "cannon on torus:1x1: 12 s");
  CHECK(line({.stage = "making the input"}) ==
        "cannon on torus:1x1: making the input, 12 s so far");
  CHECK(line({.stage = "running on torus:1x1", .total = 1000, .step = 3}) ==
        "cannon on torus:1x1: running, 0.0 %, 12 s so far");
  CHECK(line({.stage = "running on torus:8x8", .done = 345, .total = 1000}, 25s) ==
        "cannon on torus:1x1: running on torus:8x8, 34 %, about 25 s left, 12 s so far");
  CHECK(line({.stage = "running on torus:1x1", .step = 3}) ==
        "cannon on torus:1x1: running, step 3, 12 s so far");
  CHECK(line({.stage = "running on torus:1x1", .step = 3, .steps = 40}, 150s) ==
        "cannon on torus:1x1: running, step 3 of 40, about 2 min left, 12 s so far");
  CHECK(line({.stage = "running on torus:1x1", .step = 41, .steps = 40}) ==
        "cannon on torus:1x1: running, step 41, 12 s so far");
  progress_state const run_12{.stage = "running on crossbar:9",
                              .step = 3,
                              .steps = 8,
                              .part = 12,
                              .parts = 399,
                              .part_ends = 0.5};
  CHECK(line(run_12, 9s) ==
        "cannon on torus:1x1: run 12 of 399, about 9 s left: running on crossbar:9, step 3 of 8, "
        "12 s so far");
  CHECK(line({.stage = "checking", .done = 1, .total = 4, .part = 12}, 9s) ==
        "cannon on torus:1x1: run 12: checking, 25 %, about 9 s left, 12 s so far");
  CHECK(line({.stage = "checking", .part = 12}) ==
        "cannon on torus:1x1: run 12: checking, 12 s so far");
  CHECK(line({.stage = "checking", .done = 5, .total = 4}) ==
        "cannon on torus:1x1: checking, 100 %, 12 s so far");
  CHECK(line({.stage = "checking", .done = 19, .total = 1000}, 8000s) ==
        "cannon on torus:1x1: checking, 1.9 %, about 2 h left, 12 s so far");
}

TEST_CASE("a line has one row of the terminal, and does nothing to it", "[progress]") {
  CHECK(fitted("checking", 80) == "checking");
  CHECK(fitted("checking", 5) == "check");
  CHECK(fitted("reading \x1b[2J\n\x07 x", 80) == "reading ?[2J?? x");
  CHECK(fitted("gr\xc3\xb6\xc3\x9f"
               "e",
               4) == "gr\xc3\xb6");
  CHECK(fitted("gr\xc3\xb6\xc3\x9f"
               "e",
               3) == "gr");
  CHECK(fitted("x", 0).empty());
}

TEST_CASE("what is left is estimated from the rate at which a stage's work gets done",
          "[progress]") {
  stage_clock rates;
  progress_state state{.stage = "checking", .stages = 1, .total = 1000};
  CHECK_FALSE(rates.left(state, 0s));
  state.done = 100;  // the rate counts from here on: what came before may have been preparation
  CHECK_FALSE(rates.left(state, 10s));
  state.done = 200;
  CHECK_FALSE(rates.left(state, 10.5s));  // too early
  state.done = 300;
  CHECK(rates.left(state, 14s).value().count() == Approx(14));
  state.done = 1000;
  CHECK_FALSE(rates.left(state, 30s));
  state = {.stage = "next", .stages = 2, .done = 5, .total = 1000};
  CHECK_FALSE(rates.left(state, 31s));
  state.done = 10;
  CHECK_FALSE(rates.left(state, 33s));  // too little
  CHECK(rates.left(state, 36s).value().count() == Approx(990));
}

TEST_CASE("what is left is estimated from steps where a run's are known", "[progress]") {
  stage_clock rates;
  progress_state state{.stage = "running", .stages = 1, .steps = 101};
  CHECK_FALSE(rates.left(state, 0s));
  state.step = 2;
  CHECK_FALSE(rates.left(state, 1s));
  state.step = 52;
  CHECK(rates.left(state, 3s).value().count() == Approx(2));
  state.step = 101;  // others may be far behind
  CHECK_FALSE(rates.left(state, 4s));
  state = {.stage = "running", .stages = 2, .step = 52};
  CHECK_FALSE(rates.left(state, 4s));
  CHECK_FALSE(rates.left(state, 9s));
}

TEST_CASE("what is left of several runs is estimated for all of them", "[progress]") {
  stage_clock rates;
  progress_state state{.stages = 1, .part = 1, .parts = 3, .part_begins = 0, .part_ends = 0.1};
  CHECK_FALSE(rates.left(state, 0s));
  state = {.stages = 2, .part = 2, .parts = 3, .part_begins = 0.1, .part_ends = 0.5};
  CHECK_FALSE(rates.left(state, 1s));
  state.step = 51;
  state.steps = 100;  // within the run
  CHECK(rates.left(state, 3s).value().count() == Approx(7));
  state.stages = 3;  // its next stage begins at its beginning
  state.step = state.steps = 0;
  CHECK(rates.left(state, 4s).value().count() == Approx(10.5));
  state = {.stages = 4, .part = 3, .parts = 3, .part_begins = 0.5, .part_ends = 1};
  CHECK(rates.left(state, 9s).value().count() == Approx(10));
}

TEST_CASE("runs of which nothing is known have the estimates of their stages", "[progress]") {
  stage_clock rates;
  progress_state state{.stages = 1, .done = 1, .total = 10, .part = 5};
  CHECK_FALSE(rates.left(state, 0s));
  state.done = 6;
  CHECK(rates.left(state, 5s).value().count() == Approx(4));
  state = {.stages = 2, .done = 1, .total = 10, .part = 6};
  CHECK_FALSE(rates.left(state, 6s));
}

// By hand, for it takes minutes.
TEST_CASE("all tables and figures have as many runs as are expected", "[.][pace]") {
  auto const noted_runs = [](auto const& work) {
    lockstep::work_progress board;
    lockstep::progress_scope const noting(board);
    work();
    return board.state().part;
  };
  for (auto const& paper : lockstep::papers()) {
    INFO(paper.name);
    auto const expected = lockstep::expected_runs(paper.name);
    if (expected.empty()) continue;
    constexpr int all = std::numeric_limits<int>::max();
    CHECK(noted_runs([&] {
            static_cast<void>(paper.tables(all));
            if (paper.printed != nullptr) static_cast<void>(paper.printed(all));
          }) == expected.size());
  }
  for (auto const& figure : lockstep::figures()) {
    INFO(figure.name);
    auto const expected = lockstep::expected_runs(figure.name);
    if (expected.empty()) continue;
    CHECK(noted_runs([&] { static_cast<void>(figure.draw(figure.sizes)); }) == expected.size());
  }
}

TEST_CASE("Ctrl-C ends a run that reads its input", "[progress][interruption]") {
  scratch_directory const scratch;
  stuck_pipe const pipe(scratch.file("pipe"));
  check_interrupted_in("reading ",
                       {"run", "radix-sort", "--on", "crossbar:4", "--input", pipe.path(),
                        "--output", scratch.file("sorted").string()},
                       scratch);
  CHECK_FALSE(std::filesystem::exists(scratch.file("sorted")));
}

TEST_CASE("Ctrl-C ends a run whose processors run, step by step", "[progress][interruption]") {
  scratch_directory const scratch;
  check_interrupted_in(
      " of 50009,",
      {"run", "msbt-broadcast", "--on", "hypercube:10", "--k", "50000", "--engine", "fibers"},
      scratch);
}

TEST_CASE("Ctrl-C ends a run that checks its result", "[progress][interruption]") {
  scratch_directory const scratch;
  check_interrupted_in("checking the product, ",
                       {"run", "cannon", "--on", "torus:1x1", "--n", "1400", "--trace",
                        scratch.file("trace.csv").string()},
                       scratch);
  CHECK_FALSE(std::filesystem::exists(scratch.file("trace.csv")));
}

TEST_CASE("Ctrl-C ends a run of threads, which says at which step it is",
          "[progress][interruption][threads]") {
  scratch_directory const scratch;
  check_interrupted_in(
      " of 50006,",
      {"run", "msbt-broadcast", "--on", "hypercube:7", "--k", "50000", "--engine", "threads"},
      scratch);
}

TEST_CASE("Ctrl-C ends a run that checks its spectrum, or that its keys are sorted",
          "[progress][interruption]") {
  scratch_directory const scratch;
  check_interrupted_in("checking the result, ",
                       {"run", "fft", "--on", "crossbar:4", "--n", "4194304"}, scratch);
  check_interrupted_in("checking the result, ",
                       {"run", "column-sort", "--on", "crossbar:4", "--n", "16000000", "--output",
                        scratch.file("sorted").string()},
                       scratch);
  CHECK_FALSE(std::filesystem::exists(scratch.file("sorted")));
}

TEST_CASE("Ctrl-C ends a run that writes its result", "[progress][interruption]") {
  scratch_directory const scratch;
  stuck_pipe const pipe(scratch.file("pipe"));
  check_interrupted_in(
      "writing ",
      {"run", "radix-sort", "--on", "crossbar:4", "--n", "100000", "--output", pipe.path()},
      scratch);
}

TEST_CASE("Ctrl-C ends a run whose page is made", "[progress][interruption]") {
  scratch_directory const scratch;
  auto const page = scratch.file("page.html");
  check_interrupted_in("making the page ",
                       {"view", "all-to-all", "--on", "torus:24x24", "--output", page.string()},
                       scratch);
  CHECK_FALSE(std::filesystem::exists(page));
}

TEST_CASE("Ctrl-C ends a paper's tables and a figure, which say what runs",
          "[progress][interruption]") {
  scratch_directory const scratch;
  check_interrupted_in("the tables of jaja-ryu: run ", {"paper", "jaja-ryu"}, scratch);
  check_interrupted_in("suh-shin-13: run 4 of 4, about ",
                       {"figure", "suh-shin-13", "--output", scratch.file("").string()}, scratch);
  CHECK(std::filesystem::is_empty(scratch.file("")));
}

TEST_CASE("Ctrl-C ends a grade, and what it has started, and leaves no file",
          "[progress][interruption][grade]") {
  scratch_directory const scratch;
  std::filesystem::create_directory(scratch.file("tmp"));
  temporary_files_in const elsewhere(scratch.file("tmp"));
  // A compiler that makes nothing of any file but one, and waits for ever there.
  auto const interrupt_in = [&](std::string const& stage, std::string const& slow_file) {
    auto const compiler =
        scratch.write("compiler.sh", "case \"$*\" in *' -E '*) exit 0;; *" + slow_file +
                                         "*) ;; *) exit 0;; esac\n" +
                                         "echo > \"$TMPDIR\"/left.s\n"
                                         "sh -c 'sleep 1000; :' \"$TMPDIR\" & sleep 1000\n");
    check_interrupted_in(
        stage,
        {"grade", scratch.write("class.cpp", "").string(), "--test",
         scratch.write("test.cpp", "").string(), "--compiler", "sh " + compiler.string()},
        scratch);
  };
  SECTION("while the test is compiled") { interrupt_in("grade: 1 s", "test.cpp"); }
  SECTION("while a submission is compiled") { interrupt_in("grade: running", "class.cpp"); }
  CHECK(std::filesystem::is_empty(scratch.file("tmp")));
  CHECK(ends_soon([&] { return processes_with(scratch.file("").string()) == 0; }));
}

TEST_CASE("what is redirected has no progress in it", "[progress]") {
  scratch_directory const scratch;
  stuck_pipe const pipe(scratch.file("pipe"));
  auto const out = scratch.file("out").string();
  auto const err = scratch.file("err").string();
  std::string const binary = LOCKSTEP_BINARY;
  auto const line = "timeout -s INT 2 '" + binary + "' run radix-sort --on crossbar:4 --input " +
                    pipe.path() + " >" + out + " 2>" + err;
  CHECK(std::system(line.c_str()) != 0);  // it waited for its input
  CHECK(read_file(out).empty());
  CHECK(read_file(err).empty());
}
