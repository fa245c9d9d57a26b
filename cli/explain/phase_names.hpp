#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "in_port_chart.hpp"

namespace lockstep::cli {

/// Writes each phase's name above its first column, on as few lines as there is room for; from a name
/// to its column below other names leads a line of '|'. `steps`: one a column, `width` characters wide.
/// Result: lines from the highest down; none without phases.
[[nodiscard]] std::vector<std::string> phase_lines(std::vector<phase_columns> const& phases,
                                                   step_range steps, std::size_t width);

}  // namespace lockstep::cli
