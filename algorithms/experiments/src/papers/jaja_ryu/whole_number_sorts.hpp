#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Judges Corollary 5.1's order of operations for whole numbers below p^2, by column sort and rotate sort
/// whose local sorts are radix sorts to base p, over runs of several sizes on up to that many processors.
/// Errors: those of machine::run.
[[nodiscard]] paper_table growths_of_whole_number_sorts(int most_processors);

}  // namespace lockstep
