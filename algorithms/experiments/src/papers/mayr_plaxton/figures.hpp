#pragma once

#include <span>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// The question of section 4: from which dimension on MultiWayMergeSort, with the best l, takes
/// fewer steps than Batcher's bitonic sort. Steps over those of bitonic sort, over the dimension; a
/// panel for each number of values. Rivals and sorts are run on hypercubes with that many
/// processors; formulas go beyond.
/// Errors: invalid_argument for processors that are not a power of two; those of machine::run.
[[nodiscard]] paper_figure sorting_over_dimension(std::span<int const> processors);

}  // namespace lockstep
