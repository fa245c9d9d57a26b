#pragma once

#include <string>
#include <vector>

#include <lockstep/observer.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topology.hpp>

namespace lockstep::docs {

/// Draws a run as a space-time diagram, in SVG: a line for each processor, a column for each step, an
/// arrow for each message from its sender at the beginning of its step to its receiver at the end. The
/// more words, the thicker, empty ones are dashed, and every phase has a colour.
[[nodiscard]] std::string space_time_diagram(topology const& network, run_record const& record,
                                             std::vector<message_record> const& messages);

}  // namespace lockstep::docs
