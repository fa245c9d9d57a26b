#pragma once

/// Lockstep's expectations as matchers of Catch2, version 2 or 3:
///
///   CHECK_THAT(run, takes(steps(8)).words(576).contention_free());
///   CHECK_THAT(run, matches(claim, {{"m", 4}}));
///   CHECK_THAT(result_of_a_sweep, holds_everywhere());
///
/// They are those of lockstep/expectation.hpp and lockstep/sweep.hpp, which are matchers as they
/// stand; this header includes them, Catch2, and what writes a run in a failure's message.
///
/// Where the environment variable LOCKSTEP_VIEW_FAILURES names a folder, runs of a test case are recorded,
/// and leave pages there (docs/view.md), NAME-OF-THE-TEST-CASE-N.html: each run that fails, whether or
/// not the test expects that, and each run that a matcher finds not as expected; that
/// failure's message names the page. The folder is made if it does not exist; a page that cannot be written
/// changes no test.
///
/// Programs may assert: CHECK and REQUIRE in a program that a test case runs are counted, and a REQUIRE that
/// fails ends the run and its test case. Catch2 takes assertions from one thread at a time, so runs of a test
/// case on the fibers engine have one worker, whatever their options say; their counts are the same. Who wants
/// more workers in test cases, and asserts outside of programs only, defines LOCKSTEP_MANY_WORKERS_IN_TESTS in
/// all sources that include this header. On the threads engine programs do not assert.

#if __has_include(<catch2/matchers/catch_matchers.hpp>)  // version 3
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_tostring.hpp>
#include <catch2/interfaces/catch_interfaces_capture.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#elif __has_include(<catch2/catch.hpp>)  // version 2
#include <catch2/catch.hpp>
#else  // version 3 in a single file
#include <catch_amalgamated.hpp>
#endif

#include <atomic>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>

#include <lockstep/claim.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/expectation.hpp>
#include <lockstep/recording.hpp>
#include <lockstep/run.hpp>
#include <lockstep/sweep.hpp>

namespace lockstep::detail {

/// How many pages of this program have been given a name.
inline constinit std::atomic<int> pages_of_tests = 0;

/// Gives the name of the test case that runs; nothing outside test cases.
inline std::optional<std::string> name_of_test() {
  try {
    return Catch::getResultCapture().getCurrentTestName();
  } catch (...) {
    return std::nullopt;
  }
}

#ifndef LOCKSTEP_MANY_WORKERS_IN_TESTS
/// Tells whether a test case runs; `machine::run` asks where a program has this function.
[[gnu::used, gnu::visibility("default")]] inline bool asserts_in_programs() {
  return name_of_test().has_value();
}
#endif

/// Names the next page of the test case that runs; nothing outside test cases, and where no pages are asked
/// for.
inline std::optional<std::filesystem::path> next_page_of_test() {
  char const* const folder = std::getenv("LOCKSTEP_VIEW_FAILURES");
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  auto const name = name_of_test();
  if (!name) return std::nullopt;
  constexpr std::size_t most = 100;
  std::string file;
  for (char const one : name->substr(0, most)) {
    bool const plain = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') ||
                       (one >= '0' && one <= '9') || one == '_';
    if (plain)
      file += one;
    else if (!file.empty() && file.back() != '-')
      file += '-';
  }
  if (file.empty()) file = "run";
  if (file.back() != '-') file += '-';
  std::error_code unwritable;  // which writing the page meets, too
  std::filesystem::create_directories(folder, unwritable);
  return std::filesystem::path(folder) / (file + std::to_string(++pages_of_tests) + ".html");
}

/// Makes what records the runs of a test case; `machine::run` calls it where a program has it.
[[gnu::used, gnu::visibility("default")]] inline std::shared_ptr<observer> recording_of_test(
    machine const& on) {
  auto const page = next_page_of_test();
  return page ? record_run(on, &*page) : nullptr;
}

/// Writes the page of a run that is not as expected. Result: what a failure's message says of it.
inline std::string said_of_page(run_record const& run) {
  auto const page = next_page_of_test();
  if (!page) return {};
  try {
    run.view(*page);
    return ", shown by " + page->string() + ',';
  } catch (std::exception const& problem) {
    return std::string(", which no page shows (") + problem.what() + "),";
  }
}

}  // namespace lockstep::detail

/// "the run on hypercube:3": its counts follow where they are not as expected.
template <class Run>
struct Catch::StringMaker<Run, std::enable_if_t<std::is_base_of_v<lockstep::run_record, Run>>> {
  static std::string convert(Run const& run) {
    if (run.network() == nullptr) return "the run";
    return "the run on " + run.network()->spec() + lockstep::detail::said_of_page(run);
  }
};

template <>
struct Catch::StringMaker<lockstep::sweep_result> {
  static std::string convert(lockstep::sweep_result const& of) {
    return "the sweep of " + std::to_string(of.points().size()) + " runs";
  }
};

/// `CHECK(takes(steps(8)).check(run))` shows the report, too.
template <>
struct Catch::StringMaker<lockstep::verdict> {
  static std::string convert(lockstep::verdict const& of) {
    return of.holds ? "as expected" : of.report;
  }
};

template <>
struct Catch::StringMaker<lockstep::counts> {
  static std::string convert(lockstep::counts const& of) { return lockstep::to_string(of); }
};
