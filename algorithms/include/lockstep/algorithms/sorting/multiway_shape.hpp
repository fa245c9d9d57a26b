#pragma once

#include <cstddef>

namespace lockstep {

/// How many lists MultiWayMerge merges, and of how many elements: 2^l lists of 2^m sets of k.
struct multiway_shape {
  std::size_t k = 1;  ///< elements in each set, but for the last ones of a list
  int l = 1;
  int m = 0;
  bool fused = false;  ///< whether pairs of lists are merged as `merge_options::fused` says
};

}  // namespace lockstep
