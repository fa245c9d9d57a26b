#pragma once

#include <iosfwd>

#include "command_line.hpp"
#include "system/exit_status.hpp"

namespace lockstep::cli {

/// Lists algorithms, topologies and cost models.
[[nodiscard]] exit_status execute(list_command const& asked, std::ostream& out);

/// Runs an algorithm, checks its result and prints what it cost.
/// Errors: usage_error, bad_input, those of the machine (with --json they are printed, too, before
/// they are thrown); incomplete_trace where the trace cannot be written, after the results.
[[nodiscard]] exit_status execute(run_command const& asked, std::ostream& out);

/// Runs an algorithm as `run` does, and prints what came in at its processors in each step, what
/// that says of the busiest in-port, and the claims.
/// Errors: those of `run`; usage_error for processors or steps that there are not.
[[nodiscard]] exit_status execute(explain_command const& asked, std::ostream& out);

/// Runs an algorithm as `run` does, and writes a page that shows it step by step, if asked for with
/// another run beside it. What is wrong with the run beside it, or missing on the page, are lines in
/// `notes`, and the status is the worse of both.
/// Errors: those of `run`; usage_error where the run beside it is refused.
[[nodiscard]] exit_status execute(view_command const& asked, std::ostream& out,
                                  std::ostream& notes);

/// Writes a page of each algorithm's teaching example, and an index of them; prints their names.
/// Errors: those of `run`; usage_error for a folder that cannot be made or written to;
/// std::runtime_error where the index cannot be written to its end.
[[nodiscard]] exit_status execute(gallery_command const& asked, std::ostream& out);

/// Runs all combinations, several at a time, and prints them, in their order, with cross-overs; writes
/// the plot. `notes` say how many are left out. `wrong` where one fails, or is.
/// Errors: usage_error where no combination fits, a file cannot be written, the file to go on from is
/// of another command, or no run has the figure; std::runtime_error where a file cannot be written to
/// its end.
[[nodiscard]] exit_status execute(sweep_command const& asked, std::ostream& out,
                                  std::ostream& notes);

/// Prints the figures of two runs or sweeps beside each other; `wrong` where they have to be equal
/// and are not.
/// Errors: those of `run`; usage_error for files that are not what `run` or `sweep` print, and for a picture
/// of times in two units; bad_input for one that cannot be written.
[[nodiscard]] exit_status execute(compare_command const& asked, std::ostream& out);

/// Grades submissions by a test, several at a time, and prints a table; `wrong` unless all have passed.
/// Errors: usage_error for a folder or a test that there is not, a test that does not compile, and where
/// lockstep's headers are not installed; std::runtime_error where the system has no sandbox.
[[nodiscard]] exit_status execute(grade_command const& asked, std::ostream& out);

/// Runs a test on one submission, for `grade`, and ends the process.
[[nodiscard]] exit_status execute(grade_one_command const& asked, std::ostream& out);

/// Prints a paper's tables, each value beside the measured one; `wrong` if a value or a result is.
/// Errors: usage_error where all networks are left out; those of the machine.
[[nodiscard]] exit_status execute(paper_command const& asked, std::ostream& out);

/// Writes a paper's figure as CSV and as SVG, and prints its cross-over points, or what the paper says of its
/// shape, `wrong` if that does not hold.
/// Errors: usage_error where the files cannot be written, before anything is run; those of the
/// machine, with no file written.
[[nodiscard]] exit_status execute(figure_command const& asked, std::ostream& out);

/// Measures what local operations take on this computer, and prints prices for cost models.
[[nodiscard]] exit_status execute(calibrate_command const& asked, std::ostream& out);

/// Prints the text.
[[nodiscard]] exit_status execute(show_text const& asked, std::ostream& out);

}  // namespace lockstep::cli
