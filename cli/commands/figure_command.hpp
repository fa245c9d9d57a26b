#pragma once

#include <lockstep/experiments/papers.hpp>

#include "command_line.hpp"

namespace lockstep::cli {

/// Draws the figure that is asked for, and writes no files.
/// Errors: usage_error where all of its networks are larger than `up_to`; those of the machine.
[[nodiscard]] paper_figure drawn_figure(figure_command const& asked);

}  // namespace lockstep::cli
