#pragma once

#include <lockstep/topology.hpp>

#include "handout/page_text.hpp"
#include "handout/step_log.hpp"
#include "report/drawing.hpp"

namespace lockstep::cli {

/// Draws a step of a run into part of a page: its caption, the network with the links that messages
/// cross and their words, and beside or below the network what the processors hold after it.
void draw_step(drawing& on, page_box const& box, logged_step const& step, topology const& network);

}  // namespace lockstep::cli
