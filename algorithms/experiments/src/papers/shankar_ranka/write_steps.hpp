#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Runs writes of n = p^3 elements, and sets what goes into and out of the busiest processors, and what
/// vectors take, beside sections 2 and 4.1 to 4.5, for few, some and many buckets;
/// and what goes into and out of those of the hybrids, beside section 5.
/// Errors: those of the runs.
[[nodiscard]] std::vector<paper_table> write_steps(int most_processors);

}  // namespace lockstep
