#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Judges what sections 4.5 and 6 say of local computation, delta: orders of growth of the operations of
/// writes, each by runs of several sizes, and the operations of segmented scans, on up to that many
/// processors.
/// Errors: those of the runs.
[[nodiscard]] std::vector<paper_table> local_work_tables(int most_processors);

}  // namespace lockstep
