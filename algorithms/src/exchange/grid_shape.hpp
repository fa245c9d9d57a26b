#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lockstep/algorithms/exchange/exchange_schedule.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/topology.hpp>

namespace lockstep {

/// The shape of a torus or a mesh.
struct grid_shape {
  std::vector<int> sizes;
  bool wraps = false;  ///< a torus

  /// "torus:12x12"
  [[nodiscard]] std::string spec() const;
};

/// Why these sizes do not fit where all have to be powers of two, with examples of sizes that fit;
/// empty if they fit.
[[nodiscard]] std::string why_no_powers_of_two(grid_shape const& shape);

/// The least multiple of the unit that is not below the number.
[[nodiscard]] int multiple_from(int number, int unit);

/// Why these sizes are not those of Suh and Shin 2001, which are multiples of four (torus) or two
/// (mesh) in two dimensions or more, with examples of sizes that are; empty if they are.
[[nodiscard]] std::string reason_against_paper_sizes(grid_shape const& shape);

/// Makes the hypothesis of Suh and Shin 2001 on the sizes of n dimensions.
[[nodiscard]] hypothesis sizes_in_order(exchange_schedule const& schedule);

/// The network's shape, if it is a torus or a mesh.
[[nodiscard]] std::optional<grid_shape> shape_of(topology const& network);

}  // namespace lockstep
