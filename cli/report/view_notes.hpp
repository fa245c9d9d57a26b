#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/experiments/experiment.hpp>
#include <lockstep/view_notes.hpp>

#include "commands/command_line.hpp"
#include "report/report.hpp"

namespace lockstep::cli {

/// Writes the command that makes the page of a run again, if given with another beside it, without
/// what is so by default.
[[nodiscard]] std::string view_command_text(run_command const& asked,
                                            run_command const* beside = nullptr);

/// Makes the title of a run: algorithm and network, the scheme and the like where one is named and,
/// beside another run of the algorithm, all in which they differ.
[[nodiscard]] std::string run_title(run_command const& asked, run_command const* beside = nullptr);

/// Gives what a page says of a run: its title, the command that makes the page, the sources of the
/// library's programs, and what was claimed and found; `of` is nullptr for a run that is not over or has
/// failed, `beside` without another run on the page.
[[nodiscard]] view_notes notes_on(run_command const& asked, std::string page_command,
                                  report const* of, run_command const* beside);

/// Finds the explanation of a run, by its parameters alone where `of` is nullptr.
[[nodiscard]] run_explanation explanation_in(run_command const& asked, report const* of);

/// Finds the text of one of the library's sources by a path that ends with its place in the project.
[[nodiscard]] std::optional<std::string_view> library_source(std::string_view path);

}  // namespace lockstep::cli
