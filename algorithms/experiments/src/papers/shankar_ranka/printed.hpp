#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Figures 1 to 13 of Shankar and Ranka from runs on four processors, beside what the paper prints, or, where
/// our text lacks a drawing, what it says; none for fewer processors. Errors: those of machine::run.
[[nodiscard]] std::vector<printed_figure> printed_figures_of_shankar_ranka(int most_processors);

}  // namespace lockstep
