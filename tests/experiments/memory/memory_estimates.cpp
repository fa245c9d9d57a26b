// What runs are said to take, beside what they take: each run in a process of its own, whose peak of memory
// (VmHWM) is to be at most the estimate, and the estimate at most 1.25 times the peak.
//
//   lockstep_memory_estimates [--few] [NAME]   those of that name, of all algorithms, or the few of the tests
//
// A run of an input file is said to take what it has read before it runs, and what it takes besides.
// Either may be off by 12 MiB, which a process has of its own. Exit status 1 if an estimate is wrong, or an
// algorithm has no row.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/memory.hpp>

#include "experiments/default_request.hpp"

namespace {

using lockstep::experiment_request;
using lockstep::stacks;

constexpr double most_times = 1.25;
/// Bytes beside the run that a process comes to.
constexpr std::uint64_t of_a_process = std::uint64_t{12} << 20U;

/// A run, at about the largest size that takes ten seconds or a few GiB.
struct memory_row {
  char const* algorithm;
  char const* on;
  std::map<std::string, std::int64_t> parameters{};
  bool in_tests = false;
  std::size_t rows_of_file = 0;  ///< of numbers; none: the input is generated
};

std::vector<memory_row> rows() {
  struct runs_of {
    char const* algorithm;
    std::vector<char const*> networks;
    std::vector<std::map<std::string, std::int64_t>> parameters{{}};
    bool in_tests = false;
    std::size_t rows_of_file = 0;
  };
  std::vector<runs_of> const table{
      {"prefix", {"hypercube:16"}, {{}}, true},
      {"prefix", {"hypercube:20", "tree:20"}},
      {"prefix", {"hypercube:10"}, {{}}, true, 2'000'000},
      {"prefix", {"hypercube:10"}, {{}}, false, 12'000'000},
      {"prefix", {"shuffle-exchange:20"}},
      {"segmented-prefix", {"hypercube:20"}},
      {"data-distribution", {"hypercube:20"}},
      {"segmented-prefix", {"hypercube:17"}, {{{"k", 8}}}},
      {"data-distribution", {"hypercube:17"}, {{{"k", 8}}}},
      {"pipelined-prefix", {"hypercube:18"}},
      {"concentrate", {"hypercube:16"}},
      {"inverse-concentrate", {"hypercube:16"}},
      {"monotone-route", {"hypercube:16"}},
      {"msbt-broadcast", {"hypercube:16", "hypercube:19"}},
      {"msbt-sum", {"hypercube:19"}},
      {"greedy-route", {"hypercube:16"}},
      {"goal", {"torus:64x64"}, {{{"messages", 1000}}}},
      {"bitonic-sort", {"hypercube:16"}},
      {"odd-even-transposition-sort", {"mesh:4096"}, {{{"k", 1}}}},
      {"shear-sort", {"mesh:256x64"}, {{{"k", 1}}}},
      {"bitonic-sort", {"hypercube:18"}},
      {"odd-even-merge-sort", {"hypercube:16", "hypercube:17"}},
      {"nassimi-sahni-sort", {"hypercube:14", "hypercube:16"}},
      {"merge", {"hypercube:14", "hypercube:16"}},
      {"merge-sort", {"hypercube:12", "hypercube:14"}},
      {"multiway-merge", {"hypercube:14", "hypercube:16"}},
      {"multiway-merge-sort", {"hypercube:12", "hypercube:14"}},
      {"all-to-all", {"torus:32x32"}, {{}}, true},
      {"all-to-all", {"torus:64x64", "torus:96x96"}},
      {"all-to-all-direct", {"mesh:64x64"}},
      {"all-to-all-binary", {"mesh:64x64"}},
      {"transpose", {"crossbar:256"}, {{{"words", 1 << 18}}}},
      {"broadcast", {"crossbar:4096"}, {{{"words", 4096}}}},
      {"all-gather", {"crossbar:2048", "crossbar:8192"}},
      {"gather", {"crossbar:4096"}, {{{"words", 4096}}}},
      {"scatter", {"crossbar:4096"}, {{{"words", 4096}}}},
      {"reduce", {"crossbar:4096"}, {{{"words", 16384}}}},
      {"all-reduce", {"crossbar:4096"}, {{{"words", 16384}}}},
      {"broadcast", {"torus:64x64", "tree:12"}, {{{"words", 4096}}}},
      {"all-gather", {"mesh:64x64", "hypercube:12"}},
      {"gather", {"mesh:64x64", "tree:12"}, {{{"words", 4096}}}},
      {"scatter", {"mesh:64x64", "tree:12"}, {{{"words", 4096}}}},
      {"scatter", {"tree:10"}, {{{"words", 4096}}}, true},
      {"reduce", {"mesh:64x64"}, {{{"words", 16384}}}},
      {"all-reduce", {"mesh:64x64", "hypercube:12"}, {{{"words", 16384}}}},
      {"reduce-scatter", {"crossbar:2048", "mesh:64x64", "hypercube:12"}},
      {"scan", {"crossbar:4096", "mesh:64x64"}, {{{"words", 16384}}}},
      {"exclusive-scan", {"hypercube:12"}, {{{"words", 16384}}}},
      {"all-to-all", {"hypercube:11"}},
      {"gatherv", {"crossbar:4096", "mesh:64x64", "tree:12"}, {{{"words", 4096}}}},
      {"scatterv", {"crossbar:4096", "mesh:64x64", "tree:12"}, {{{"words", 4096}}}},
      {"all-gatherv", {"crossbar:1024", "mesh:64x64", "hypercube:12"}, {{{"words", 1}}}},
      {"all-gatherv", {"mesh:32x32", "tree:10"}, {{{"words", 64}}}},
      {"all-to-allv", {"crossbar:256", "hypercube:8", "mesh:16x16"}, {{{"words", 512}}}},
      {"all-to-allv", {"crossbar:1024", "hypercube:10"}},
      {"block-broadcast", {"crossbar:1024"}, {{{"words", 65536}}}},
      {"matrix-sum", {"crossbar:64"}, {{{"n", 512}}}},
      {"h-relation", {"crossbar:512"}},
      {"h-relation", {"crossbar:256"}, {{{"n", 1 << 22}}, {{"n", 1 << 24}}}},
      {"h-relation-direct", {"crossbar:256"}, {{{"n", 1 << 22}}, {{"n", 1 << 24}}}},
      {"randomized-routing", {"crossbar:512"}},
      {"randomized-routing", {"crossbar:256"}, {{{"n", 1 << 22}}, {{"n", 1 << 24}}}},
      {"balance", {"crossbar:256"}, {{{"n", 1 << 22}}, {{"n", 1 << 25}}}},
      {"counting-sort", {"crossbar:256"}, {{{"n", 1 << 23}}, {{"n", 1 << 26}}}},
      {"radix-sort", {"crossbar:64"}, {{{"n", 1 << 20}}}, true},
      {"radix-sort", {"crossbar:256"}, {{{"n", 1 << 23}}, {{"n", 1 << 25}}}},
      {"column-sort", {"crossbar:64"}, {{{"n", 1 << 22}}, {{"n", 1 << 25}}}},
      {"rotate-sort", {"crossbar:64"}, {{{"n", 1 << 22}}, {{"n", 1 << 24}}}},
      {"sample-sort", {"crossbar:64"}, {{{"n", 1 << 22}}, {{"n", 1 << 25}}}},
      {"median-sort", {"crossbar:64"}, {{{"n", 1 << 22}}, {{"n", 1 << 25}}}},
      {"vector-combine", {"hypercube:12"}, {{{"words", 8192}}}},
      {"vector-scan", {"hypercube:12"}, {{{"words", 8192}}}},
      {"vector-combine-scan", {"hypercube:12"}, {{{"words", 8192}}}},
      {"transportation", {"crossbar:256"}, {{{"t", 65536}}}},
      {"random-access-write", {"crossbar:64"}, {{{"n", 1 << 20}}, {{"n", 1 << 24}}}},
      {"random-access-read", {"crossbar:64"}, {{{"n", 1 << 20}}, {{"n", 1 << 24}}}},
      {"generalize", {"crossbar:64"}, {{{"n", 1 << 21}}, {{"n", 1 << 25}}}},
      {"concentrate-elements", {"crossbar:64"}, {{{"n", 1 << 21}}, {{"n", 1 << 25}}}},
      {"distribute-elements", {"crossbar:64"}, {{{"n", 1 << 21}}, {{"n", 1 << 25}}}},
      {"fft", {"crossbar:64"}, {{{"n", 1 << 20}}}, true},
      {"fft", {"crossbar:64"}, {{{"n", 1 << 22}}}},
      {"matrix-product", {"crossbar:1", "crossbar:8"}, {{{"n", 1536}}}},
      {"matrix-product", {"crossbar:64", "crossbar:512", "crossbar:4096"}, {{{"n", 1024}}}},
      {"cannon", {"torus:1x1", "torus:2x2", "torus:8x8", "torus:32x32"}, {{{"n", 1536}}}},
      {"summa", {"torus:1x1", "torus:2x2", "torus:8x8"}, {{{"n", 1536}}}},
      {"summa", {"torus:8x8"}, {{{"n", 1536}, {"panels", 16}}}},
      {"summa", {"torus:32x32"}, {{{"n", 1536}}}},
  };
  std::vector<memory_row> all;
  for (auto const& of : table)
    for (auto const* const on : of.networks)
      for (auto const& parameters : of.parameters)
        all.push_back({of.algorithm, on, parameters, of.in_tests, of.rows_of_file});
  return all;
}

/// A file of a column of numbers, for as long as this lives.
class input_file {
 public:
  explicit input_file(std::size_t rows)
      : m_path(std::filesystem::temp_directory_path() /
               fmt::format("lockstep-memory-{}.csv", ::getpid())) {
    if (rows == 0) return;
    std::ofstream file(m_path);
    file << "number\n";
    for (std::size_t row = 0; row < rows; ++row) file << row * 7919 % 1'000'003 << '\n';
  }
  input_file(input_file const&) = delete;
  input_file& operator=(input_file const&) = delete;
  ~input_file() {
    std::error_code none;
    std::filesystem::remove(m_path, none);
  }

  [[nodiscard]] std::filesystem::path const& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

/// What a run was said to take, and what it took, in bytes beside what the process had before.
struct memory_of_run {
  std::uint64_t estimate = 0;
  std::uint64_t peak = 0;
  double seconds = 0;
  bool correct = false;

  [[nodiscard]] double times() const {
    return static_cast<double>(estimate) / static_cast<double>(std::max<std::uint64_t>(peak, 1));
  }
  [[nodiscard]] bool is_well() const {
    return correct && peak <= estimate + of_a_process &&
           static_cast<double>(estimate) <=
               most_times * static_cast<double>(peak) + static_cast<double>(of_a_process);
  }
};

/// Reads a line of /proc/self/status, in bytes.
std::uint64_t status_of(std::string_view line) {
  std::ifstream file("/proc/self/status");
  for (std::string name; file >> name;) {
    std::uint64_t kibibytes = 0;
    if (name == line && file >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

experiment_request request_of(memory_row const& row, lockstep::experiment const& which,
                              stacks kind) {
  auto asked = default_request(which, row.on, {row.parameters.begin(), row.parameters.end()});
  asked.options.stacks = kind;
  asked.stacks_chosen = true;
  return asked;
}

memory_of_run measured_here(memory_row const& row, stacks kind) {
  auto const* const which = lockstep::find_experiment(row.algorithm);
  if (which == nullptr) return {};
  memory_of_run did;
  auto asked = request_of(row, *which, kind);
  input_file const file(row.rows_of_file);
  if (row.rows_of_file > 0) {
    asked.input = file.path();
    asked.parameters["column"] = std::string("number");
  }
  auto const before = status_of("VmRSS:");
  std::optional<std::uint64_t> read;
  asked.told_of_memory = [&](std::uint64_t bytes) {
    if (!read) read = row.rows_of_file > 0 ? status_of("VmRSS:") - before : 0;
    did.estimate = std::max(did.estimate, *read + bytes);
  };
  auto const start = std::chrono::steady_clock::now();
  did.correct = which->run(asked).correct;
  did.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  did.peak = status_of("VmHWM:") - before;
  return did;
}

/// Runs it in a process of its own.
memory_of_run measured(memory_row const& row, stacks kind) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  auto const process = ::fork();
  if (process == 0) {
    memory_of_run did;
    try {
      did = measured_here(row, kind);
    } catch (std::exception const& failed) {
      fmt::print(stderr, "{} on {}: {}\n", row.algorithm, row.on, failed.what());
    }
    bool const told = ::write(ends[1], &did, sizeof did) == sizeof did;
    ::_exit(told ? 0 : 1);
  }
  ::close(ends[1]);
  memory_of_run did;
  bool const read = ::read(ends[0], &did, sizeof did) == sizeof did;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(process, &status, 0);
  return read && status == 0 ? did : memory_of_run{};
}

/// Prints a row. Result: whether its estimate is right.
bool print_row(memory_row const& row, stacks kind) {
  auto const did = measured(row, kind);
  std::string parameters;
  for (auto const& [name, value] : row.parameters)
    parameters += fmt::format(" --{} {}", name, value);
  if (row.rows_of_file > 0) parameters += fmt::format(" --input, {} rows", row.rows_of_file);
  constexpr double mebibyte = 1 << 20;
  fmt::print("| {} | {}{} | {} | {:.1f} | {:.1f} | {:.2f}{} | {:.2f} |\n", row.algorithm, row.on,
             parameters, kind == stacks::own ? "own" : "copied",
             static_cast<double>(did.estimate) / mebibyte, static_cast<double>(did.peak) / mebibyte,
             did.times(), did.is_well() ? "" : " !", did.seconds);
  std::fflush(stdout);
  return did.is_well();
}

/// Prints the algorithms without a row. Result: whether there is none.
bool all_have_rows() {
  auto const all = rows();
  bool good = true;
  for (auto const& each : lockstep::experiments()) {
    if (std::ranges::any_of(all, [&](auto const& row) { return row.algorithm == each.name; }))
      continue;
    fmt::print("{} has no row\n", each.name);
    good = false;
  }
  return good;
}

}  // namespace

int main(int count, char** arguments) {
  auto const given = std::span(arguments, static_cast<std::size_t>(count)).subspan(1);
  bool const few = !given.empty() && std::string_view(given[0]) == "--few";
  std::string_view const name = given.size() > (few ? 1U : 0U) ? given.back() : "";
  fmt::print(
      "| algorithm | on | stacks | estimate, MiB | peak, MiB | times | s |\n"
      "|---|---|---|---|---|---|---|\n");
  bool well = all_have_rows();
  for (auto const& row : rows())
    for (auto const kind : {stacks::own, stacks::copied})
      if ((!few || row.in_tests) && (name.empty() || name == row.algorithm))
        well = print_row(row, kind) && well;
  return well ? 0 : 1;
}
