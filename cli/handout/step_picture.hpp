#pragma once

#include <lockstep/topology.hpp>

#include "handout/step_log.hpp"
#include "report/drawing.hpp"

namespace lockstep::cli {

/// Part of a page.
struct page_box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

/// Draws a step of a run into part of a page: its caption, the network with the links that messages
/// cross and their words, and what the processors hold after it, beside or below the network, as far as
/// there is room.
void draw_step(drawing& on, page_box const& box, logged_step const& step, topology const& network);

/// Writes lines of at most the box's width, each paragraph broken at its blanks, from its upper edge on;
/// those without room are left out. Result: the height that they take.
double write_lines(drawing& on, page_box const& box, std::vector<std::string> const& paragraphs,
                   double size);

}  // namespace lockstep::cli
