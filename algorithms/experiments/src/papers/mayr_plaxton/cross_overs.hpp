#pragma once

#include <span>

#include <lockstep/experiments/papers.hpp>

#include "papers/mayr_plaxton/sorting_steps.hpp"

namespace lockstep {

/// The counts of a sort's run relative to those of bitonic sort's.
struct sorting_run {
  merging_sort sort = merging_sort::merge_sort;
  step_formulas by = step_formulas::exact;  ///< the program's own: exact or fused
  sorting_load load = sorting_load::one_each;
  int d = 0;
  double ratio = 0;
};

/// The dimensions up to which cross-overs are looked for.
inline constexpr int largest_dimension = 1 << 17;
/// log2 of more processors than any computer has had: these have up to 10 million cores.
inline constexpr int largest_machine = 24;

/// Says from which dimension on a sort takes fewer steps than Batcher's, by each of its formulas.
/// The check holds where just the runs from the formula's dimension on take fewer; it says so if no
/// machine can have that many dimensions.
[[nodiscard]] figure_check cross_over_check(merging_sort sort, sorting_load load,
                                            std::span<sorting_run const> runs);

/// Says how many runs take the steps of their formulas; holds where all do, and there are some.
[[nodiscard]] figure_check formula_check(std::span<sorting_run const> runs);

}  // namespace lockstep
