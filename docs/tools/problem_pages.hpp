#pragma once

#include <filesystem>
#include <string>

namespace lockstep::docs {

/// Where the index leads for an algorithm: to its section on its problem's page, which the
/// repository has, or to a page of its own, which the site has.
enum class algorithm_links { section_of_problem, page_each };

/// Writes Markdown that lists all algorithms, by problem.
[[nodiscard]] std::string index_of_algorithms(algorithm_links links);

/// Checks that docs/algorithms.md and docs/problems/ are what the registry, and the runs of the
/// teaching examples by the command line `lockstep`, give.
/// Errors: std::runtime_error that names each page that is not.
void check_problem_pages(std::filesystem::path const& docs, std::filesystem::path const& lockstep);

/// Writes these pages, and removes others from docs/problems/.
/// Errors: std::runtime_error if a run fails.
void write_problem_pages(std::filesystem::path const& docs, std::filesystem::path const& lockstep);

}  // namespace lockstep::docs
