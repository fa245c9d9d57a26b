#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Runs the cheapest broadcast of one item beside what Theorem 3.1 says that every broadcast takes, on
/// up to that many processors. A bound from below is a claim of how many processors a time is enough for.
/// Errors: those of machine::run.
[[nodiscard]] paper_table least_broadcasts(int most_processors);

/// Runs single phases beside the Claim in the proof of Theorem 3.1, in the same form. Errors: the same.
[[nodiscard]] paper_table claims_of_a_phase(int most_processors);

}  // namespace lockstep
