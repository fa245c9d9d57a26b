#include <lockstep/topologies/torus.hpp>

#include <algorithm>
#include <utility>

namespace lockstep {

torus::torus(std::vector<int> sizes, std::source_location where)
    : grid("torus", beyond::first_processor, std::move(sizes), where) {}

std::optional<std::int64_t> torus::bisection_width() const {
  int const largest = std::ranges::max(sizes());
  auto const cut_once = detail::mesh_bisection_width(sizes());
  if (largest <= 2) return cut_once;
  if (largest % 2 == 1 && std::ranges::count(sizes(), 2) > 0) return std::nullopt;
  return 2 * cut_once;
}

std::shared_ptr<topology const> torus::of_sizes(std::vector<int> sizes) const {
  return std::make_shared<torus>(std::move(sizes));
}

}  // namespace lockstep
