#pragma once

#include <cstdint>
#include <source_location>

#include <lockstep/algorithms/exchange/exchange_schedule.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// The predicted cost of a complete exchange, counted from the blocks that each node sends in each
/// step, without a run.
struct exchange_traffic {
  std::uint64_t steps = 0;
  std::uint64_t blocks = 0;  ///< on the critical path: of the largest message of each step, summed

  friend auto operator<=>(exchange_traffic const&, exchange_traffic const&) = default;
};

/// Adds up what a schedule sends.
/// Local work: that of all processors' steps, or, without virtual nodes, of one submesh's.
[[nodiscard]] exchange_traffic traffic_of(exchange_schedule const& schedule);

/// A choice, its cost, and the cost of the same scheme in the paper's order.
struct exchange_found {
  exchange_choice choice;
  exchange_traffic traffic;
  exchange_traffic in_paper_order;
};

/// Finds which of three takes the fewest steps, and of those the fewest words: the paper's order,
/// with virtual nodes where the sizes need them; the best groups (`best_groups`), likewise; or
/// stride 2.
/// Earlier ones win ties.
/// Errors: invalid_argument for a network that is neither a torus nor a mesh.
[[nodiscard]] exchange_found cheapest_exchange(
    topology const& network, std::source_location where = std::source_location::current());

/// Finds the groups of two or more dimensions, each with its shorter dimensions first, whose ring
/// phases take the fewest steps. Shorter ones first is the best order, for the first places are in
/// use in all phases in which later ones are (`longest_rings`), so it tries all splits and nothing
/// else. Of splits that take as many steps the first that was tried is taken.
/// `sizes`: in dimension order, at least 1; `stride`: 4 or 2. Empty for fewer than three, which
/// cannot be split.
/// Errors: invalid_argument for other sizes and strides.
[[nodiscard]] std::vector<std::vector<int>> best_groups(
    std::vector<int> const& sizes, int stride,
    std::source_location where = std::source_location::current());

}  // namespace lockstep
