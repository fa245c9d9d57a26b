#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Runs what section 8 of Shankar and Ranka says of vectors of p words on square meshes with
/// cut-through routing, which are combined and scanned in O(tau log p + mu p), by programs that go
/// along lines and keep one of both orders.
/// Result: start-ups, words and contention of each size, and trends.
/// Errors: those of machine::run.
[[nodiscard]] paper_table mesh_vectors(int most_processors);

}  // namespace lockstep
