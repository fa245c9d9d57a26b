#pragma once

namespace lockstep {

/// Up to so many processors, words from each to each are written down for lower bounds.
inline constexpr int most_processors_between = 1024;

}  // namespace lockstep
