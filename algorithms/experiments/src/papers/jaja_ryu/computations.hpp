#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Section 5 of JaJa and Ryu but for Lemma 5.2: the sorts, the FFT and the matrix product, on up to
/// that many processors.
/// Errors: those of machine::run.
[[nodiscard]] std::vector<paper_table> computation_tables(int most_processors);

/// Lemmas 3.4, 3.5 and 5.1: events that are to be rare, counted in runs on up to that many
/// processors.
[[nodiscard]] std::vector<paper_table> probability_tables(int most_processors);

}  // namespace lockstep
