#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Runs radix sort beside b/r times the communication of a pass, that of one counting sort of digits of
/// r bits, on up to that many processors. Blocks are padded, so that all passes count alike.
/// Errors: those of machine::run.
[[nodiscard]] paper_table radix_passes_of_sort(int most_processors);

/// Section 5.1 of JaJa and Ryu: radix sort whose passes are column sorts. Errors: those of machine::run.
[[nodiscard]] paper_table radix_passes_by_columns(int most_processors);

}  // namespace lockstep
