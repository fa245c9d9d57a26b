#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Figures 10 and 11 of Shankar and Ranka: the segments of a monotonic write, and its messages step by
/// step, from a write of Figure 4's pointers in order. Errors: those of machine::run.
[[nodiscard]] std::vector<printed_figure> sorted_drawings();

/// Figure 13: what goes from where to where in a write and in both reads of Figure 4's elements, with the
/// words that were counted. Errors: those of machine::run.
[[nodiscard]] printed_figure movement_drawing();

}  // namespace lockstep
