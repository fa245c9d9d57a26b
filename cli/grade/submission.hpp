#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "child.hpp"
#include "compiler.hpp"

namespace lockstep::cli {

/// The verdict on a submission.
enum class verdict : std::uint8_t {
  passed,
  failed,        ///< a check is broken
  timed_out,     ///< killed in a check
  crashed,       ///< ended by a signal
  ended_itself,  ///< by exit(), or without a word
  not_compiled   ///< does not compile, or lacks the function that is asked for
};

/// Writes a verdict: "timed out".
[[nodiscard]] std::string name_of(verdict one);

/// The outcome of one check. A check that was not run has not passed.
struct checked {
  std::string name;
  int points = 0;
  bool passed = false;
  std::string rule{};  ///< that it broke
  std::optional<std::uint64_t> steps{};
  std::optional<std::uint64_t> claimed{};
};

/// The outcome for a submission.
struct graded_submission {
  std::string name;
  verdict what = verdict::not_compiled;
  std::string rule{};  ///< that it broke first, with its check; empty where it passed
  std::vector<checked> checks{};

  [[nodiscard]] int points() const;  ///< of the checks that passed
  [[nodiscard]] int most_points() const;
  /// The check whose steps are shown: the first that failed, else the last that counted any.
  [[nodiscard]] checked const* shown() const;
};

/// Grades a submission: compiles it, and runs the test on it in a process with limits. `test` is a library
/// that is compiled already; files are written to `scratch`, with names that begin with `number`.
/// Errors: std::runtime_error where the system lacks what a sandbox needs.
[[nodiscard]] graded_submission grade(std::filesystem::path const& source, std::string name,
                                      std::filesystem::path const& test,
                                      source_compiler const& compiler, process_limits const& limits,
                                      std::filesystem::path const& scratch, std::size_t number);

/// Says why a compiled file cannot serve as a test: it does not define lockstep_test, which throws, or adds no check.
/// Result: empty where it can, or where that shows only beside a submission.
[[nodiscard]] std::string why_no_test(std::filesystem::path const& test);

/// Runs a test on a submission, in this process, which it closes to the world before it loads either, and
/// tells the outcome through the channel, each line behind the word that it has read from there.
/// Never returns.
[[noreturn]] void run_test(std::filesystem::path const& submission,
                           std::filesystem::path const& test);

}  // namespace lockstep::cli
