#pragma once

#include <span>
#include <string>
#include <vector>

#include <lockstep/topology.hpp>

#include "handout/page_text.hpp"
#include "handout/step_log.hpp"
#include "report/drawing.hpp"

namespace lockstep::cli {

/// How the steps of a run are drawn, all alike, so that the network keeps its place from page to page.
struct step_form {
  double captions = 0;                  ///< the height of what stands above the network
  std::vector<std::string> standing{};  ///< names of what stands at the processors
  double letters = 0;                   ///< of that
  double below = 0;                     ///< its height, at most
  bool has_list = false;                ///< of what processors hold, beside or below the network
  double share = 1;                     ///< of the network, with such a list
};

/// Finds the form of steps that are drawn into boxes of that size: all that processors hold stands at
/// them, or else what was shown first, where that has room, and a list has all.
[[nodiscard]] step_form form_of(page_box const& box, std::span<logged_step const> steps,
                                topology const& network);

/// Draws a step of a run into part of a page: its caption, the network with the links that messages
/// cross and their words, and what the processors hold after it.
void draw_step(drawing& on, page_box const& box, logged_step const& step, topology const& network,
               step_form const& form);

}  // namespace lockstep::cli
