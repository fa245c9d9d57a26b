#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Section 4 of Shankar and Ranka: "transferring the data through more intermediate stages", where messages
/// are small and start-ups dominate: transportations of random traffic in 4 and 6 stages beside those in 2, on
/// up to that many processors.
/// Errors: those of machine::run.
[[nodiscard]] std::vector<paper_table> more_stages(int most_processors);

}  // namespace lockstep
