#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <lockstep/lower_bounds.hpp>
#include <lockstep/view_notes.hpp>

#include "commands/command_line.hpp"
#include "report/report.hpp"

namespace lockstep::cli {

/// Gives an option as it is typed: "--k", "4"; nothing for a flag that is not set.
[[nodiscard]] std::vector<std::string> option_words(std::string const& name,
                                                    parameter_value const& value);

/// Writes the command that repeats a run, without what is so by default.
[[nodiscard]] std::string command_text(run_command const& asked);

/// Gives what a page says of a run: the command, the sources of the library's programs, and what was
/// claimed and found; `of` is nullptr for a run that is not over or has failed.
[[nodiscard]] view_notes notes_on(run_command const& asked, report const* of);

/// Gives the part of the machine that makes a bound, for a picture: a port, a path or a cut; null
/// where no part does.
[[nodiscard]] nlohmann::ordered_json drawing_of(lower_bound const& bound, run_record const& run);

/// Finds the text of one of the library's sources by a path that ends with its place in the project.
[[nodiscard]] std::optional<std::string_view> library_source(std::string_view path);

}  // namespace lockstep::cli
