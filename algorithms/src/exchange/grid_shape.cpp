#include "exchange/grid_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

namespace lockstep {

std::string grid_shape::spec() const {
  return fmt::format("{}:{}", wraps ? "torus" : "mesh", fmt::join(sizes, "x"));
}

std::optional<grid_shape> shape_of(topology const& network) {
  if (auto const* const found = dynamic_cast<torus const*>(&network))
    return grid_shape{found->sizes(), true};
  if (auto const* const found = dynamic_cast<mesh const*>(&network))
    return grid_shape{found->sizes(), false};
  return std::nullopt;
}

}  // namespace lockstep
