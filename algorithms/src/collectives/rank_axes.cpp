#include <lockstep/algorithms/collectives/detail/rank_axes.hpp>

#include <bit>

#include <lockstep/detail/complete_network.hpp>
#include <lockstep/detail/derived_values.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

namespace lockstep::detail {

namespace {

/// Those of a grid, whose last dimension varies fastest.
[[nodiscard]] std::vector<rank_axis> axes_of_grid(topology const& network) {
  std::vector<rank_axis> axes;
  int stride = network.size();
  for (auto const& each : network.axes()) {
    stride /= each.size;
    if (each.size > 1) axes.push_back({each.size, stride});
  }
  return axes;
}

}  // namespace

int power_of_two_within(int processors) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(processors)));
}

std::vector<rank_axis> pair_axes(int processors) {
  std::vector<rank_axis> axes;
  for (int stride = power_of_two_within(processors) / 2; stride > 0; stride /= 2)
    axes.push_back({2, stride});
  return axes;
}

namespace {

[[nodiscard]] rank_axes found_axes(topology const& network) {
  auto const p = network.size();
  if (dynamic_cast<complete_network const*>(&network) != nullptr) {
    if (p == 1) return {network_kind::crossbar, {}};
    return {network_kind::crossbar, {{p, 1}}};
  }
  if (dynamic_cast<hypercube const*>(&network) != nullptr)
    return {network_kind::hypercube, pair_axes(p)};
  if (dynamic_cast<torus const*>(&network) != nullptr ||
      dynamic_cast<mesh const*>(&network) != nullptr)
    return {network_kind::grid, axes_of_grid(network)};
  return {network_kind::other, {}};
}

}  // namespace

rank_axes const& axes_of(topology const& network) {
  return derived_values_of(network).get<rank_axes>([&] { return found_axes(network); });
}

std::vector<rank_line> lines_through(int rank, std::vector<rank_axis> const& axes) {
  std::vector<rank_line> lines;
  lines.reserve(axes.size());
  for (auto const& axis : axes) lines.emplace_back(rank, axis);
  return lines;
}

}  // namespace lockstep::detail
