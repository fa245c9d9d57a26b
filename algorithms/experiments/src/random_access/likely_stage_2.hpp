#pragma once

#include <cmath>

namespace lockstep {

/// The bound on stage 2 of a transportation whose first middles are drawn, if no processor receives
/// more than c elements: each run keeps it with a probability only, so that one beyond it is not a mistake, and
/// the largest of many runs is less likely to.
struct likely_stage_2 {
  static constexpr char const* formula = "(p-1)(c/p + sqrt(2p ln p))";
  static constexpr char const* probability =
      "each run with probability at least 1 - 1/p^2, over the seeds";

  double p = 1;
  double c = 0;

  /// Computes the bound.
  [[nodiscard]] double words() const { return (p - 1) * (c / p + std::sqrt(2 * p * std::log(p))); }
};

}  // namespace lockstep
