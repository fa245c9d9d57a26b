#pragma once

#include <cstdint>

#include "papers/bader_helman_jaja_times.hpp"

namespace lockstep {

/// In which order the blocks of single-phase routing go.
enum class direct_order : std::uint8_t {
  pex,  ///< round k: i <-> i xor k
  lp    ///< round k: i -> (i + k) mod p
};

/// What single-phase routing of a g-group input costs if its rounds follow one another: start-ups of
/// the rounds with a message, and the sum of their largest messages.
struct stepwise_cost {
  std::uint64_t startups = 0;
  std::uint64_t words = 0;
};

/// By equation (8) alone, without a run.
/// Source: Bader, Helman and JaJa 1996, sections 3.2 and 3.2.1.
[[nodiscard]] stepwise_cost stepwise_cost_of(g_group_setting const& input, int processors,
                                             std::int64_t elements, direct_order order);

}  // namespace lockstep
