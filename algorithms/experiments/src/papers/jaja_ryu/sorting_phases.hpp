#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Section 5.1 of JaJa and Ryu: the steps of column, sample and rotate sort one by one, on up to that many
/// processors. Errors: those of machine::run.
[[nodiscard]] std::vector<paper_table> phases_of_sorts(int most_processors);

/// The same section: sample sort of inputs of other distributions. Errors: those of machine::run.
[[nodiscard]] paper_table distributions_of_sample_sort(int most_processors);

}  // namespace lockstep
