#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Runs transportations for section 2 of Shankar and Ranka, where O(p sqrt(p ln p)) stands in the
/// place of O(p^2) "in the traffic requirement": the first element of each processor goes by way of
/// one that is drawn. 250 seeds on each of 8 to 64 processors with the traffic that is worst
/// without draws, whose r and c are below that requirement, and on each of 8 to 32 with one that is
/// bad for draws and near it.
/// Result: rows of words beyond (r + c)(1 - 1/p), whose order is lockstep's, with a run without
/// draws beside each, and of their trends; no tables for fewer processors.
/// Errors: those of machine::run.
[[nodiscard]] std::vector<paper_table> random_middles(int most_processors);

}  // namespace lockstep
