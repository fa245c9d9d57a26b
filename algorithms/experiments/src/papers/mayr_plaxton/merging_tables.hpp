#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// Section 4 of Mayr and Plaxton: Merge, MergeSort, MultiWayMerge and MultiWayMergeSort, in all and
/// step by step, on hypercubes of up to 5 dimensions and up to that many processors.
/// Errors: those of machine::run.
[[nodiscard]] std::vector<paper_table> merging_tables(int most_processors);

/// Tells whether a merge of lists that lie on half of the processors each keeps the paper's bound if
/// steps 2 and 3 have a step for each dimension, which is one more than half of what they have on p
/// processors.
[[nodiscard]] bool keeps_bound_with_all_dimensions(experiment_result const& merge);

}  // namespace lockstep
