#include "floor_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep::detail {

namespace {

point operator+(point const& left, point const& right) {
  return {left.x + right.x, left.y + right.y};
}
point operator-(point const& left, point const& right) {
  return {left.x - right.x, left.y - right.y};
}
point operator*(double factor, point const& of) { return {factor * of.x, factor * of.y}; }

double length(point const& of) { return std::hypot(of.x, of.y); }

/// Axes take turns in going right and down, and step over what those before them take up.
class blocks {
 public:
  blocks(double width, double height) : m_stride{width, height} {}

  void go(double coordinate, double size) {
    auto& stride = m_down ? m_stride.y : m_stride.x;
    (m_down ? m_at.y : m_at.x) += (m_down ? -coordinate : coordinate) * stride;
    stride = stride * size + between_blocks;
    m_down = !m_down;
  }
  [[nodiscard]] point at() const { return m_at; }

 private:
  static constexpr double between_blocks = 0.6;
  point m_at{};
  point m_stride;
  bool m_down = false;
};

std::vector<std::vector<int>> all_coordinates(topology const& network) {
  std::vector<std::vector<int>> all;
  all.reserve(static_cast<std::size_t>(network.size()));
  for (int rank = 0; rank < network.size(); ++rank) {
    all.push_back(network.coordinates(rank));
    if (all.back().size() != all.front().size())
      throw invalid_topology(fmt::format(
          "{}: coordinates({}) gives {} numbers, and coordinates(0) {}: give as many for each "
          "processor",
          network.spec(), rank, all.back().size(), all.front().size()));
  }
  return all;
}

/// A torus or mesh: its last dimension to the right, the one before down.
std::vector<point> as_grid(topology const& network) {
  auto const all = all_coordinates(network);
  std::vector<point> places;
  for (auto const& at : all) {
    blocks place(1, 1);
    for (auto dimension = at.size(); dimension-- > 0;)
      place.go(at[dimension], all.back()[dimension] + 1.0);
    places.push_back(place.at());
  }
  return places;
}

/// A hypercube: squares, or cubes seen from above on one side.
std::vector<point> as_cubes(topology const& network) {
  point const third{0.42, 0.36};
  std::vector<point> places;
  for (auto const& bits : all_coordinates(network)) {
    bool const cube = bits.size() > 2;
    blocks place(1, 1);
    blocks of_cubes(2.2, 2.2);
    for (std::size_t bit = 0; bit < bits.size(); ++bit)
      if (bit != 2) (bit < 2 ? place : of_cubes).go(bits[bit], 2);
    auto const depth = cube && bits[2] != 0 ? third : point{};
    places.push_back(place.at() + depth + of_cubes.at());
  }
  return places;
}

/// A binary tree in order: level by level, each processor above its subtrees.
std::vector<point> as_tree(topology const& network) {
  std::vector<point> places;
  for (auto const& at : all_coordinates(network))
    places.push_back(
        {0.6 * static_cast<double>(places.size()), at.empty() ? 0 : -1.2 * at.front()});
  return places;
}

std::vector<point> as_circle(int size) {
  constexpr double between = 0.7;
  auto const radius = std::max(0.8, between * size / (2 * std::numbers::pi));
  std::vector<point> places;
  places.reserve(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank) {
    auto const angle = 2 * std::numbers::pi * rank / size;
    places.push_back({radius * std::sin(angle), radius * std::cos(angle)});
  }
  return places;
}

}  // namespace

point curve::at(double share) const {
  auto const left = 1 - share;
  return left * left * left * from + 3 * left * left * share * first_control +
         3 * left * share * share * second_control + share * share * share * to;
}

bool curve::bowed() const {
  auto const chord = to - from;
  auto const rise = first_control - from;
  return std::abs(chord.x * rise.y - chord.y * rise.x) > 0.1 * length(chord);
}

floor_plan::floor_plan(topology const& network) {
  auto const spec = network.spec();
  auto const kind = spec.substr(0, spec.find(':'));
  bool const ring = kind == "torus" && network.coordinates(0).size() == 1 && network.size() > 2;
  if (kind == "mesh" || (kind == "torus" && !ring))
    m_places = as_grid(network);
  else if (kind == "hypercube")
    m_places = as_cubes(network);
  else if (kind == "tree")
    m_places = as_tree(network);
  else
    m_places = as_circle(network.size());
  m_circle = m_places.size() > 1 && length(m_places[0]) > 0.5;

  auto least = m_places.front();
  for (auto const& place : m_places)
    least = {std::min(least.x, place.x), std::min(least.y, place.y)};
  for (auto& place : m_places) {
    place = place - least;
    m_extent = {std::max(m_extent.x, place.x), std::max(m_extent.y, place.y)};
  }
}

bool floor_plan::somebody_stands_between(link const& which) const {
  constexpr double room = 0.24;
  auto const from = place_of(which.from);
  auto const way = place_of(which.to) - from;
  auto const distance = length(way);
  return std::any_of(m_places.begin(), m_places.end(), [&](point const& place) {
    auto const beside = place - from;
    auto const along = (beside.x * way.x + beside.y * way.y) / distance;
    auto const off = std::abs(beside.x * way.y - beside.y * way.x) / distance;
    return off < room && along > room && along < distance - room;
  });
}

curve floor_plan::way_of(link const& which) const {
  if (which.from > which.to) {
    auto const back = way_of({which.to, which.from});
    return {back.to, back.second_control, back.first_control, back.from};
  }
  auto const from = place_of(which.from);
  auto const to = place_of(which.to);
  auto const way = to - from;
  auto const distance = length(way);
  auto const known = m_straight.find(which);
  bool const straight =
      known != m_straight.end() ? known->second : m_circle || !somebody_stands_between(which);
  if (known == m_straight.end()) m_straight.emplace(which, straight);
  if (straight || distance == 0) return {from, from + (1.0 / 3) * way, to - (1.0 / 3) * way, to};
  point const aside{way.y / distance, -way.x / distance};
  auto const bow = (0.42 + 0.02 * distance) * aside;
  auto const rise = (std::min(0.5, distance / 3) / distance) * way;
  return {from, from + rise + bow, to - rise + bow, to};
}

}  // namespace lockstep::detail
