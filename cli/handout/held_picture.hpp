#pragma once

#include "handout/page_text.hpp"
#include "handout/step_log.hpp"
#include "report/drawing.hpp"

namespace lockstep::cli {

/// Whether the box has room for all that the processors hold after a step, written in that size.
[[nodiscard]] bool has_room_for_held(page_box const& box, logged_step const& step, int processors,
                                     double size);

/// Draws what the processors hold after a step, in columns where these have room: numbers in the largest letters
/// up to that size in which all have room, matrices as grids, blocks as pages of runs name them. Where letters
/// would be too small to read, arrays of numbers are bars, and cells of matrices and blocks are colours.
void draw_held(drawing& on, page_box const& box, logged_step const& step, int processors,
               double size);

}  // namespace lockstep::cli
