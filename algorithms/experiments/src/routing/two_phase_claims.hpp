#pragma once

#include <cstdint>
#include <vector>

#include <lockstep/algorithms/routing/h_relation.hpp>

#include "routing/h_relation_run.hpp"

namespace lockstep {

/// Sizes that the deterministic algorithm measures.
struct measured_bins {
  std::uint64_t out = 0;           ///< largest bin of Step 2
  std::uint64_t through = 0;       ///< largest bin of Step 4
  std::uint64_t intermediate = 0;  ///< most elements in between
};

/// Claims what the deterministic algorithm costs. `phases_with_words`: as the loop counts them,
/// with real sizes.
[[nodiscard]] std::vector<claim> two_phase_claims(h_relation_run const& what,
                                                  block_format const& blocks,
                                                  measured_bins const& measured,
                                                  int phases_with_words);

}  // namespace lockstep
