#pragma once

#include <lockstep/algorithms/random_access/vector_options.hpp>

namespace lockstep::detail {

/// The processors in the order in which a scan meets them: place 0 has nothing before it.
struct operand_order {
  int processors = 1;
  scan_direction direction = scan_direction::upward;

  /// The place of a rank, and the rank of a place.
  [[nodiscard]] int mirrored(int place_or_rank) const {
    return direction == scan_direction::upward ? place_or_rank : processors - 1 - place_or_rank;
  }

  /// Combines the earlier part of the scan with the later one, the lower ranks on the left.
  template <class T, class Operator>
  [[nodiscard]] T combined(Operator const& plus, T const& earlier, T const& later) const {
    return direction == scan_direction::upward ? plus(earlier, later) : plus(later, earlier);
  }
};

}  // namespace lockstep::detail
