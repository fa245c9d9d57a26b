#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Judges the orders of growth that sections 3 and 4.1 claim of computation, each by runs of several sizes,
/// on up to that many processors. Errors: those of the runs.
[[nodiscard]] paper_table growths_of_local_work(int most_processors);

}  // namespace lockstep
