#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

#include <lockstep/algorithms/sorting/multiway_shape.hpp>
#include <lockstep/claim.hpp>

namespace lockstep {

/// How MultiWayMergeSort sorts n values on 2^d processors: as an array of 2^l rows of 2^m columns,
/// of which each sorts k = ceil(n/2^m) values at first.
class multiway_sort_plan {
 public:
  /// `fused`: whether sets are merged as `merge_options::fused` says.
  /// Errors: invalid_argument for d not in 0 .. 30, l not in 0 .. d, and for n of 2^48 or more.
  multiway_sort_plan(int d, std::uint64_t n, int l, bool fused = false,
                     std::source_location where = std::source_location::current());

  /// Finds the plan that takes the fewest steps; of several the one with the fewest rows.
  /// Errors: invalid_argument for d not in 0 .. 30, and for n of 2^48 or more.
  [[nodiscard]] static multiway_sort_plan cheapest(
      int d, std::uint64_t n, bool fused = false,
      std::source_location where = std::source_location::current());

  [[nodiscard]] std::uint64_t n() const { return m_n; }
  [[nodiscard]] int d() const { return m_d; }
  [[nodiscard]] int l() const { return m_l; }
  [[nodiscard]] int m() const { return m_d - m_l; }
  [[nodiscard]] std::uint64_t k() const;
  [[nodiscard]] bool fused() const { return m_fused; }

  /// The calls of MultiWayMerge, 2^l lists in each; the last may merge fewer. For l = 0 there are
  /// none: MergeSort does it.
  [[nodiscard]] std::vector<multiway_shape> calls() const;
  /// The steps, as a formula in k, l, m and d.
  [[nodiscard]] std::string formula() const;
  /// Computes the plan's steps.
  [[nodiscard]] double steps() const;

 private:
  int m_d;
  std::uint64_t m_n;
  int m_l;
  bool m_fused;
};

/// Makes the claims, the paper's and ours, about the cost of MultiWayMergeSort.
[[nodiscard]] std::vector<claim> multiway_merge_sort_claims(multiway_sort_plan const& plan);

}  // namespace lockstep
