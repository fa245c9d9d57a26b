#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/experiments/own_algorithm.hpp>
#include <lockstep/run.hpp>

namespace lockstep {

/// The reason why a check of a submission fails.
class broken_rule : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One check of a submission, while it runs. The first requirement that does not hold ends it
/// (`broken_rule`); so does any other exception, with its text.
class graded_check {
 public:
  /// Requires the results of all processors to be these. The table shows the steps of the run.
  template <class Result>
  void results(run_of<Result> const& run, std::vector<Result> const& expected) {
    count(run);
    auto const difference = detail::difference_between(run.results(), expected);
    require(difference.empty(), "the result is wrong: " + difference);
  }

  /// Requires the run to take no more steps than claimed, and at least `least`, which is a bound that no
  /// program can go below that moves its data by messages. The table shows the steps beside the claim.
  void steps(run_record const& run, std::uint64_t claimed, std::uint64_t least = 0);

  /// Requires a figure to be no more than the limit: "words", run.counts().words, 12.
  static void at_most(std::string const& figure, std::uint64_t counted, std::uint64_t limit);

  /// Requires that something holds; `rule` names the rule that is broken otherwise.
  static void require(bool holds, std::string const& rule);

  /// Steps that were counted, and claimed, last.
  [[nodiscard]] std::optional<std::uint64_t> counted_steps() const { return m_counted; }
  [[nodiscard]] std::optional<std::uint64_t> claimed_steps() const { return m_claimed; }

 private:
  void count(run_record const& run);

  std::optional<std::uint64_t> m_counted;
  std::optional<std::uint64_t> m_claimed;
};

/// The checks of a test, which `lockstep grade` runs on each submission.
class grading {
 public:
  /// A check by its name, with the points that it is worth.
  struct entry {
    std::string name;
    int points = 1;
    std::function<void(graded_check&)> run;
  };

  /// Adds a check, worth `points`: 0 where a program that does nothing is right, on one processor. It has to pass
  /// all the same. It is run after `lockstep_test` has returned, so `run` captures by value.
  void check(std::string name, int points, std::function<void(graded_check&)> run) {
    m_checks.push_back({std::move(name), points, std::move(run)});
  }

  [[nodiscard]] std::vector<entry> const& checks() const { return m_checks; }

 private:
  std::vector<entry> m_checks;
};

}  // namespace lockstep

/// The function that a test for `lockstep grade` defines. The test declares the function that each submission has, and adds
/// checks that call it:
///
///   long total(lockstep::processor& me, long own);  // the submission's
///
///   void lockstep_test(lockstep::grading& test) {
///     test.check("the sum on hypercube:3", 2, [](lockstep::graded_check& check) {
///       lockstep::machine const cube{lockstep::hypercube{3}};
///       auto const run = cube.run([](lockstep::processor& me) { return total(me, me.rank()); });
///       check.results(run, std::vector<long>(8, 28));
///       check.steps(run, 3);
///     });
///   }
extern "C" void lockstep_test(lockstep::grading& test);
