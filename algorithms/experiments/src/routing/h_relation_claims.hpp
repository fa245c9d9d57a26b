#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/algorithms/routing/h_relation_direct.hpp>
#include <lockstep/claim.hpp>

#include "routing/h_relation_request.hpp"

namespace lockstep {

/// What a formula in h1 and h2 has to say where the input keeps below the limits it was made for.
[[nodiscard]] inline std::string own_limits(h_relation_input const& input) {
  auto const& [sent, received] = input.limits;
  if (sent == input.size.sent && received == input.size.received) return {};
  return fmt::format(", with h1 = {}, h2 = {} of this input", sent, received);
}

[[nodiscard]] inline double as_double(std::uint64_t value) { return static_cast<double>(value); }

/// The figures that the deterministic algorithm measures.
struct measured_bins {
  std::uint64_t out = 0;           ///< largest bin of Step 2
  std::uint64_t through = 0;       ///< largest bin of Step 4
  std::uint64_t intermediate = 0;  ///< most elements in between
};

/// What the deterministic algorithm costs. `phases_with_words`: as the loop has it, with real sizes.
[[nodiscard]] std::vector<claim> two_phase_claims(asked_h_relation const& made,
                                                  block_format const& blocks,
                                                  measured_bins const& measured,
                                                  int phases_with_words, std::uint64_t packet);

/// What routing in a single phase costs.
[[nodiscard]] std::vector<claim> direct_claims(asked_h_relation const& made, round_order order,
                                               round_timing timing, std::uint64_t packet);

/// What randomized routing costs in so many attempts.
[[nodiscard]] std::vector<claim> randomized_claims(asked_h_relation const& made, double c,
                                                   std::uint64_t slot, int attempts,
                                                   std::uint64_t packet);

}  // namespace lockstep
