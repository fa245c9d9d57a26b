#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include <lockstep/experiments/experiment.hpp>

#include "commands/command_line.hpp"

namespace lockstep::cli {

/// Width of the column of options in the help.
inline constexpr std::size_t help_column = 30;

/// Describes a command as help, completion and the manual know it. Options that belong to no group are
/// shown with the algorithms that take them.
[[nodiscard]] command_entry entry_of(CLI::App const& part);

/// Describes a parameter: its help, default and range.
[[nodiscard]] std::string help_of(parameter const& one);

/// Describes an algorithm and its parameters, for the help of a command that runs it.
[[nodiscard]] std::string described(experiment const& one);

/// Says what is wrong with a value: of the parser's "--name: ..." for an option without one, and "name was
/// given a disallowed flag override" for a flag with one.
[[nodiscard]] std::string value_refusal(std::string_view problem);

}  // namespace lockstep::cli
