#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Sections 3 to 6 of Shankar and Ranka: random access writes with limited and with arbitrary hot
/// spots, the hybrid, and what has sorted pointers, on up to that many processors. Errors: those of
/// machine::run.
[[nodiscard]] std::vector<paper_table> write_tables(int most_processors);

}  // namespace lockstep
