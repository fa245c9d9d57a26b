#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Section 2 of Shankar and Ranka: O(p sqrt(p ln p)) in the place of p^2 in
/// transportation, where the first element of each processor goes by way of one
/// that is drawn: 250 seeds for each of 8 to 64 processors with the traffic
/// that is worst without draws, and of 8 to 32 with one that is bad for draws.
/// A run without draws beside each, and the trends; no tables for fewer
/// processors. Errors: those of machine::run.
[[nodiscard]] std::vector<paper_table> random_middles(int most_processors);

}  // namespace lockstep
