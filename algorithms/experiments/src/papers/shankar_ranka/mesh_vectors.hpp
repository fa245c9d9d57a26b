#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Section 8 of Shankar and Ranka: vectors of p words on square meshes, which are combined and scanned in
/// O(tau log p + mu p). Start-ups and words of programs that go along lines, and keep one of both orders.
/// Errors: those of machine::run.
[[nodiscard]] paper_table mesh_vectors(int most_processors);

}  // namespace lockstep
