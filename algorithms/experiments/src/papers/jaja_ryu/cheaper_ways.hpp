#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

#include "papers/jaja_ryu/measured_block.hpp"

namespace lockstep {

/// Runs both ways of Lemma 3.2, and shows the cheaper one beside both bounds and the less of them.
/// Errors: those of machine::run.
[[nodiscard]] paper_table cheaper_way_of_items(std::vector<machine_of_paper> const& machines);

/// Runs both ways of Corollary 3.1, and shows the cheaper one likewise.
/// Errors: those of machine::run.
[[nodiscard]] paper_table cheaper_way_of_blocks(std::vector<machine_of_paper> const& machines);

}  // namespace lockstep
