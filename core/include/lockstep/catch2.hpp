#pragma once

/// Lockstep's expectations as matchers of Catch2, version 2 or 3:
///
///   CHECK_THAT(run, takes(steps(8)).words(576).contention_free());
///   CHECK_THAT(run, matches(claim, {{"m", 4}}));
///   CHECK_THAT(result_of_a_sweep, holds_everywhere());
///
/// They are those of lockstep/expectation.hpp and lockstep/sweep.hpp, which are matchers as they
/// stand; this header includes them, Catch2, and what writes a run in a failure's message.

#if __has_include(<catch2/matchers/catch_matchers.hpp>)  // version 3
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_tostring.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#elif __has_include(<catch2/catch.hpp>)  // version 2
#include <catch2/catch.hpp>
#else  // version 3 in a single file
#include <catch_amalgamated.hpp>
#endif

#include <string>
#include <type_traits>

#include <lockstep/claim.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/expectation.hpp>
#include <lockstep/run.hpp>
#include <lockstep/sweep.hpp>

/// "the run on hypercube:3": its counts follow where they are not as expected.
template <class Run>
struct Catch::StringMaker<Run, std::enable_if_t<std::is_base_of_v<lockstep::run_record, Run>>> {
  static std::string convert(Run const& run) {
    return run.network() == nullptr ? "the run" : "the run on " + run.network()->spec();
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
