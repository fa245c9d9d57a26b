#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Judges the orders of growth that the paper claims of comparisons on one processor, each by runs of several
/// sizes, on hypercubes of up to that many processors.
/// Errors: those of machine::run.
[[nodiscard]] paper_table growths_of_comparisons(int most_processors);

}  // namespace lockstep
