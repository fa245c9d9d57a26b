#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep {

/// The shape of a torus or a mesh.
struct grid_shape {
  std::vector<int> sizes;
  bool wraps = false;  ///< a torus

  /// "torus:12x12"
  [[nodiscard]] std::string spec() const;
};

/// Why these sizes will not do where all have to be powers of two, and what would do; else empty.
[[nodiscard]] std::string why_no_powers_of_two(grid_shape const& shape);

/// The network's shape, if it is a torus or a mesh.
[[nodiscard]] std::optional<grid_shape> shape_of(topology const& network);

}  // namespace lockstep
