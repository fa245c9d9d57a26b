#pragma once

#include <string>
#include <vector>

#include <lockstep/observer.hpp>
#include <lockstep/run.hpp>

namespace lockstep::cli {

/// Draws the messages of a run in SVG, small, with no texts: a row for each processor, a column for
/// each step, a line for each message that is not empty, from its sender at the beginning of its step
/// to its receiver at the end. Lines of a phase have a class, "p0" to "p7": the page has its colour.
[[nodiscard]] std::string message_picture(run_record const& run,
                                          std::vector<message_record> const& messages);

}  // namespace lockstep::cli
