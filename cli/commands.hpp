#pragma once

#include <iosfwd>

#include "command_line.hpp"
#include "exit_status.hpp"

namespace lockstep::cli {

/// Lists algorithms, topologies and cost models.
[[nodiscard]] exit_status execute(list_command const& asked, std::ostream& out);

/// Runs an algorithm, checks its result and prints what it cost.
/// Errors: usage_error, bad_input, those of the machine (with --json they are printed, too, before
/// they are thrown); std::runtime_error where the trace cannot be written, after the results.
[[nodiscard]] exit_status execute(run_command const& asked, std::ostream& out);

/// Prints the text.
[[nodiscard]] exit_status execute(show_text const& asked, std::ostream& out);

}  // namespace lockstep::cli
