#pragma once

#include <span>
#include <string>
#include <utility>

#include <lockstep/cluster.hpp>
#include <lockstep/experiments/experiment.hpp>
#include <lockstep/experiments/numeric_libraries.hpp>

namespace lockstep::cli {

/// The tool that a command line is of: lockstep itself, or a program of somebody's own.
struct tool {
  tool(std::span<experiment const> algorithms,  // NOLINT(google-explicit-constructor)
       std::string typed = "lockstep", bool papers = true, numeric_libraries linked = {})
      : known(algorithms),
        name(std::move(typed)),
        has_papers(papers),
        libraries(std::move(linked)) {}

  std::span<experiment const> known;  ///< have to outlive what is read
  std::string name;                   ///< as it is typed: "lockstep", "./ring"
  bool has_papers;                    ///< whether it has `paper` and `figure`
  numeric_libraries libraries;        ///< for local work
  /// The processes that do together what the command line asks for; or nullptr.
  lockstep::cluster* processes = nullptr;
};

/// Requires algorithms that a command line can tell apart: each with a name without blanks that no other
/// has, and a program; a parameter may not have the name of an option of all algorithms.
/// Errors: usage_error, which says what to change.
void require_distinct(tool const& of);

/// Does what the command line asks for: results on the standard output, problems on the standard error
/// stream. Whatever ends the process removes incomplete files first.
/// **Result** The exit status. Nothing is thrown.
[[nodiscard]] int run_tool(int count, char const* const* arguments, tool const& of) noexcept;

}  // namespace lockstep::cli
