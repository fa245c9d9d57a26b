#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Sections 3 and 4 of JaJa and Ryu, and Lemma 5.2: items and blocks that go to all, transposition,
/// randomized routing, load balancing and the sum of matrices, on up to that many processors.
/// Errors: those of machine::run.
[[nodiscard]] std::vector<paper_table> broadcast_tables(int most_processors);

}  // namespace lockstep
