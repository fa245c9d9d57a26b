#pragma once

#include <source_location>
#include <vector>

#include <lockstep/topologies/torus.hpp>

namespace lockstep {

/// A ring of processors, each joined to the next and the last to the first: a torus of one dimension.
///
///   machine m{ring{8}};  // as torus{8}; spec() is "torus:8"
class ring final : public torus {
 public:
  /// processors: at least 1. Errors: invalid_topology.
  explicit ring(int processors, std::source_location where = std::source_location::current())
      : torus(std::vector<int>{processors}, where) {}
};

}  // namespace lockstep
