#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Section 2 of Shankar and Ranka: vector combine and prefix scan, complete exchange and
/// transportation, on up to that many processors. Errors: those of machine::run.
[[nodiscard]] std::vector<paper_table> primitive_tables(int most_processors);

}  // namespace lockstep
