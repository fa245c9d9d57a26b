#include "spring_layout.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/topology.hpp>
#include <boost/random/linear_congruential.hpp>

namespace lockstep::detail {

namespace {

// The forces of the paper, for lengths a third of those that fill the plane, at whose edge processors would
// gather otherwise.
constexpr double part_of_plane = 1.0 / 3;
constexpr auto attract = [](auto /*edge*/, double length, double distance, auto const& /*of*/) {
  return distance * distance / (length * part_of_plane);
};
constexpr auto repel = [](auto /*one*/, auto /*other*/, double length, double distance,
                          auto const& /*of*/) {
  return length * length * part_of_plane * part_of_plane / distance;
};

}  // namespace

std::vector<layout_point> spring_layout(int processors, std::span<link const> links) {
  using edges = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  using plane = boost::rectangle_topology<boost::minstd_rand>;
  auto const count = static_cast<std::size_t>(processors);
  auto const side = std::sqrt(static_cast<double>(processors));
  std::vector<plane::point_type> places(count);
  for (std::size_t rank = 0; rank < count; ++rank) {
    auto const angle = 2 * std::numbers::pi * static_cast<double>(rank) / processors;
    places[rank][0] = side / 2 * std::cos(angle);
    places[rank][1] = side / 2 * std::sin(angle);
  }
  edges joined(count);
  for (auto const& [from, to] : links)
    if (from < to || !std::ranges::binary_search(links, link{to, from}))
      boost::add_edge(static_cast<std::size_t>(from), static_cast<std::size_t>(to), joined);
  boost::minstd_rand random;  // draws where two come to lie at one point
  constexpr std::size_t rounds = 300;
  boost::fruchterman_reingold_force_directed_layout(
      joined,
      boost::make_iterator_property_map(places.begin(), boost::get(boost::vertex_index, joined)),
      plane(random, -side, -side, side, side),
      boost::attractive_force(attract)
          .repulsive_force(repel)
          .force_pairs(boost::all_force_pairs())
          .cooling(boost::linear_cooling<double>(rounds, side / 10)));
  std::vector<layout_point> made(count);
  for (std::size_t rank = 0; rank < count; ++rank) made[rank] = {places[rank][0], places[rank][1]};
  return made;
}

}  // namespace lockstep::detail
