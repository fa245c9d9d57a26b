#pragma once

#include <span>
#include <string>

#include <lockstep/cost_models.hpp>
#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// The traits in which the paper's figures 13 to 16 differ.
struct suh_shin_figure {
  int number = 13;
  bool wraps = true;  ///< on tori; else on meshes
  suh_shin_model machine;
};

[[nodiscard]] suh_shin_figure suh_shin_figure_13();
[[nodiscard]] suh_shin_figure suh_shin_figure_14();
[[nodiscard]] suh_shin_figure suh_shin_figure_15();
[[nodiscard]] suh_shin_figure suh_shin_figure_16();

/// Completion time over block size on square tori or meshes with these sides, powers of two from 8
/// on: the proposed exchange by the counts of a run with blocks of one word, whose words and
/// rearranged words grow with the block, its rivals by their formulas. The d of t_b = 126 d - 113,
/// which the paper does not define, is read as the dimension of the whole machine ("cube") and as
/// that of a side ("side").
/// Errors: invalid_argument for other sides; those of machine::run; broken_invariant if the
/// exchange gave a wrong result, so that there is nothing to price.
[[nodiscard]] paper_figure completion_times(suh_shin_figure const& of, std::span<int const> sides);

}  // namespace lockstep
