#pragma once

#include <cstdint>

#include <lockstep/algorithms/exchange/exchange_schedule.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// What a complete exchange will cost: counted from who sends how many blocks in which step, without
/// a run.
struct exchange_traffic {
  std::uint64_t steps = 0;
  std::uint64_t blocks = 0;  ///< on the critical path: of the largest message of each step, summed

  friend auto operator<=>(exchange_traffic const&, exchange_traffic const&) = default;
};

/// Local work: that of all processors' steps, or, without virtual nodes, of one submesh's.
[[nodiscard]] exchange_traffic traffic_of(topology const& network,
                                          exchange_schedule const& schedule);

/// The choice that takes the fewest steps, and of those the fewest words: virtual nodes in the
/// paper's order or in the best groups (`best_groups`), or stride 2. Earlier ones win ties.
/// Errors: invalid_argument for a network that is neither a torus nor a mesh.
[[nodiscard]] exchange_choice cheapest_exchange(topology const& network);

/// The groups of two or more dimensions, each with its shorter dimensions first, whose ring phases
/// take the fewest steps. A group of k dimensions needs in phase p as many steps as the longest of
/// the first max(p, k + 1 - p) in its order; so shorter ones first is the best order, and only the
/// splits have to be tried: all of them are.
/// `sizes` in dimension order; empty for fewer than three, which cannot be split.
[[nodiscard]] std::vector<std::vector<int>> best_groups(std::vector<int> const& sizes, int stride);

}  // namespace lockstep
