#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

#include "papers/jaja_ryu/measured_block.hpp"

namespace lockstep {

/// Runs sums of several numbers of each processor, with the operations that the runs count.
/// Errors: those of machine::run.
[[nodiscard]] paper_table sums_of_many(std::vector<machine_of_paper> const& machines);

/// Judges the orders of growth that the paper claims of operations, each by runs of several sizes, on
/// up to that many processors. Operations are `counts::work`.
/// Errors: those of machine::run.
[[nodiscard]] paper_table growths_of_operations(int most_processors);

}  // namespace lockstep
