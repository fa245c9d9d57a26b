#pragma once

#include <source_location>
#include <vector>

#include <lockstep/topologies/mesh.hpp>

namespace lockstep {

/// A line of processors, each joined to the next: a mesh of one dimension.
///
///   machine m{line{8}};  // as mesh{8}; spec() is "mesh:8"
class line final : public mesh {
 public:
  /// processors: at least 1. Errors: invalid_topology.
  explicit line(int processors, std::source_location where = std::source_location::current())
      : mesh(std::vector<int>{processors}, where) {}
};

}  // namespace lockstep
