#pragma once

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Runs random access writes of elements of 2 and 4 words, and sets them beside what section 7 says of
/// elements of m words, on up to that many processors. Errors: those of machine::run.
[[nodiscard]] paper_table wide_writes(int most_processors);

}  // namespace lockstep
