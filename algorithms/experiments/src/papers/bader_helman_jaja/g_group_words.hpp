#pragma once

#include <cstdint>

#include <lockstep/algorithms/routing/h_relation_direct.hpp>

#include "papers/bader_helman_jaja/times.hpp"

namespace lockstep {

/// The cost of single-phase routing of a g-group input if its rounds follow one another: start-ups
/// of the rounds with a message, and the sum of their largest messages.
struct stepwise_cost {
  std::uint64_t startups = 0;
  std::uint64_t words = 0;
};

/// By equation (8) alone, without a run.
/// Source: Bader, Helman and JaJa 1996, sections 3.2 and 3.2.1.
[[nodiscard]] stepwise_cost stepwise_cost_of(g_group_setting const& input, int processors,
                                             std::int64_t elements, round_order order);

}  // namespace lockstep
