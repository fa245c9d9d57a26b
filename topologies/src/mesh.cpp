#include <lockstep/topologies/mesh.hpp>

#include <utility>

namespace lockstep {

mesh::mesh(std::vector<int> sizes, std::source_location where)
    : grid("mesh", beyond::nothing, std::move(sizes), where) {}

std::optional<std::int64_t> mesh::bisection_width() const {
  return detail::mesh_bisection_width(sizes());
}

std::shared_ptr<topology const> mesh::of_sizes(std::vector<int> sizes) const {
  return std::make_shared<mesh>(std::move(sizes));
}

}  // namespace lockstep
