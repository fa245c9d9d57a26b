#pragma once

#include <lockstep/experiments/papers.hpp>

#include "report/drawing.hpp"

namespace lockstep::cli {

/// Draws a paper's figure: a panel for each name and reading, axes logarithmic, cross-over points marked.
[[nodiscard]] drawing picture_of(paper_figure const& of);

}  // namespace lockstep::cli
