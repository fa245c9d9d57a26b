#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Judges the orders of growth that the paper claims of the operations of its routing, sorts, transform and
/// product, each by runs of several sizes, on up to that many processors.
/// Errors: those of machine::run.
[[nodiscard]] paper_table growths_of_computations(int most_processors);

}  // namespace lockstep
