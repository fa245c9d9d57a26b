#pragma once

#include <filesystem>
#include <string>

namespace lockstep::docs {

/// Markdown: a row for each algorithm of the registry, with the beginning of its summary.
[[nodiscard]] std::string table_of_algorithms();

/// Checks that this table stands in the page, between the comments "made by: lockstep_docs table" and
/// "end of table".
/// Errors: std::runtime_error if another text stands there, or if the comments are missing.
void check_algorithm_table(std::filesystem::path const& page);

/// Writes the table there. Errors: std::runtime_error if the comments are missing.
void write_algorithm_table(std::filesystem::path const& page);

}  // namespace lockstep::docs
