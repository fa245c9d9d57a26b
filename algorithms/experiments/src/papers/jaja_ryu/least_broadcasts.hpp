#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Runs the cheapest broadcast of one item beside both bounds of Theorem 3.1, on up to that many
/// processors. That from below is for programs that only read, write and wait at barriers.
/// Errors: those of machine::run.
[[nodiscard]] paper_table least_broadcasts(int most_processors);

/// Runs single phases beside the Claim in the proof of Theorem 3.1.
/// Errors: those of machine::run.
[[nodiscard]] paper_table claims_of_a_phase(int most_processors);

}  // namespace lockstep
