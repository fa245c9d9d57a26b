#pragma once

#include <span>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// The question of section 4: from which dimension on MergeSort, and MultiWayMergeSort with the best
/// l >= 1, take fewer steps than Batcher's bitonic sort. Steps over those of bitonic sort, over the
/// dimension; a panel for each sort and each number of values. Sorts and rivals are run on
/// hypercubes with that many processors, those with more than 256 only where the sort takes fewer
/// steps there and not yet on 256, and where a run is short enough; formulas go beyond.
/// Errors: invalid_argument for processors that are not a power of two; those of machine::run.
[[nodiscard]] paper_figure sorting_over_dimension(std::span<int const> processors);

}  // namespace lockstep
