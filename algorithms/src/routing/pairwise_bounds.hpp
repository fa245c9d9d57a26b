#pragma once

namespace lockstep {

/// Up to that many processors, words from each to each are written down for lower bounds.
inline constexpr int max_processors_for_pairwise_bounds = 1024;

}  // namespace lockstep
