#pragma once

#include <string>
#include <vector>

/// A program that a class hands in, and what is said of it.
struct submission {
  std::string name;
  std::string code;
  std::string verdict = "passed";
  std::string rule{};  ///< a part of what it breaks
  int points = 14;
};

/// The test of an exercise: everybody on a ring gets the sum, in p - 1 steps on a strict machine.
[[nodiscard]] std::string test_of_sums();
/// Ten programs that are right, each in another way.
[[nodiscard]] std::vector<submission> right_submissions();
/// Ten programs that are wrong.
[[nodiscard]] std::vector<submission> wrong_submissions();
/// Programs that do harm: to the computer, or to those that grade.
[[nodiscard]] std::vector<submission> harmful_submissions();
/// Programs that try to look right without being so.
[[nodiscard]] std::vector<submission> forging_submissions();
