#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Section 8 of Shankar and Ranka: the accesses on hypercubes, square meshes and tori, on up to that
/// many processors and at most 256. Errors: those of machine::run.
[[nodiscard]] std::vector<paper_table> network_tables(int most_processors);

}  // namespace lockstep
