#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lockstep/topology.hpp>

#include "handout/step_log.hpp"
#include "report/drawing.hpp"
#include "report/report.hpp"

namespace lockstep::cli {

/// A run to be drawn step by step.
struct drawn_run {
  std::string title{};
  std::string command{};  ///< that makes the handout again
  topology const& network;
  std::vector<logged_step> const& steps;
  bool lacks_steps = false;    ///< of the run's end
  report const* of = nullptr;  ///< nullptr: the run failed
  std::string failure{};       ///< of what, then
};

/// Draws pages of A4 with `per_page` steps each, 1 to 12; the last has the counts, the claims and the
/// bounds.
[[nodiscard]] std::vector<drawing> handout_pages(drawn_run const& run, int per_page);

/// Draws pages of 16:9 with a step each, and one with the counts, the claims and the bounds.
[[nodiscard]] std::vector<drawing> slides(drawn_run const& run);

}  // namespace lockstep::cli
