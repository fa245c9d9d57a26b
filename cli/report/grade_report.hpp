#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "grade/submission.hpp"

namespace lockstep::cli {

/// The submissions of a class, graded by one test.
struct grade_report {
  std::string version;  ///< lockstep's
  std::string test;     ///< as it is typed
  std::vector<graded_submission> submissions;
};

/// Writes a table for people, and how many have passed.
[[nodiscard]] std::string grades_as_text(grade_report const& of);
/// Writes a row for each submission, below a row of titles.
[[nodiscard]] std::string grades_as_csv(grade_report const& of);
/// Makes the object of version 1, with all checks of each submission.
[[nodiscard]] nlohmann::ordered_json grades_as_json(grade_report const& of);

}  // namespace lockstep::cli
