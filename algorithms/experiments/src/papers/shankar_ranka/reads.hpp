#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Section 7 of Shankar and Ranka: random access reads by requests, by whole buckets of all kinds and
/// of dense ones alone, on up to that many processors. Errors: those of machine::run.
[[nodiscard]] std::vector<paper_table> read_tables(int most_processors);

}  // namespace lockstep
