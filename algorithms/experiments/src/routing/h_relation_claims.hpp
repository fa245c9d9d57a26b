#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/algorithms/routing/h_relation_direct.hpp>
#include <lockstep/claim_list.hpp>

#include "routing/h_relation_run.hpp"

namespace lockstep {

/// Says, after a formula in h1 and h2, what they are where the input keeps below the limits it was
/// made for.
[[nodiscard]] std::string own_limits(h_relation_input const& input);

/// Begins claims with the letters p, n, h1 and h2.
[[nodiscard]] claim_list claims_of_h_relation(h_relation_run const& what);

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

/// Claims what routing in a single phase costs.
[[nodiscard]] std::vector<claim> direct_claims(h_relation_run const& what, round_order order,
                                               round_timing timing);

/// Claims what randomized routing costs in a number of attempts.
[[nodiscard]] std::vector<claim> randomized_claims(h_relation_run const& what, double c,
                                                   std::uint64_t slot, int attempts);

}  // namespace lockstep
