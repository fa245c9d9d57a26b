#pragma once

#include <filesystem>
#include <string>

namespace lockstep::docs {

/// Writes Markdown for the README: a row for each problem, with the names of its algorithms.
[[nodiscard]] std::string table_of_problems();

/// Checks that this table stands in the page, between the comments "made by: lockstep_docs table" and
/// "end of table".
/// Errors: std::runtime_error if another text stands there, or if the comments are missing.
void check_problem_table(std::filesystem::path const& page);

/// Writes the table there. Errors: std::runtime_error if the comments are missing.
void write_problem_table(std::filesystem::path const& page);

}  // namespace lockstep::docs
