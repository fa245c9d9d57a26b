#include "floor_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

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

/// Finds two processors that stand at the same place.
std::optional<link> same_place(std::vector<point> const& places) {
  std::map<std::pair<double, double>, int> taken;
  for (int rank = 0; auto const& [x, y] : places) {
    auto const [at, is_free] = taken.try_emplace({x, y}, rank);
    if (!is_free) return link{at->second, rank};
    ++rank;
  }
  return std::nullopt;
}

/// Asks for the network's layout.
/// Errors: invalid_topology unless it gives each processor a place of its own.
std::vector<point> checked_layout(topology const& network) {
  auto places = network.layout();
  if (!std::cmp_equal(places.size(), network.size()))
    throw invalid_topology(
        fmt::format("{}: layout() gives {} places for {} processors; give one "
                    "for each, in rank order",
                    network.spec(), places.size(), network.size()));
  auto const wrong = std::ranges::find_if(
      places, [](point const& at) { return !std::isfinite(at.x) || !std::isfinite(at.y); });
  if (wrong != places.end())
    throw invalid_topology(
        fmt::format("{}: layout() places processor {} at ({}, {}); give finite "
                    "coordinates",
                    network.spec(), wrong - places.begin(), wrong->x, wrong->y));
  if (auto const both = same_place(places))
    throw invalid_topology(
        fmt::format("{}: layout() places processors {} and {} at the same point; "
                    "give each a place of its own",
                    network.spec(), both->from, both->to));
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

floor_plan::floor_plan(topology const& network)
    : m_places(checked_layout(network)), m_circle(is_circle()) {
  auto least = m_places.front();
  for (auto const& place : m_places)
    least = {std::min(least.x, place.x), std::min(least.y, place.y)};
  for (auto& place : m_places) {
    place = place - least;
    m_extent = {std::max(m_extent.x, place.x), std::max(m_extent.y, place.y)};
  }
}

/// Tells whether all processors are equally far from their centre.
bool floor_plan::is_circle() const {
  point sum;
  for (auto const& place : m_places) sum = sum + place;
  auto const centre = (1.0 / static_cast<double>(m_places.size())) * sum;
  auto const radius = length(m_places.front() - centre);
  return std::ranges::all_of(m_places, [&](point const& place) {
    return std::abs(length(place - centre) - radius) < 1e-6 * (1 + radius);
  });
}

bool floor_plan::is_blocked(link const& which) const {
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
  bool const straight = known != m_straight.end() ? known->second : m_circle || !is_blocked(which);
  if (known == m_straight.end()) m_straight.emplace(which, straight);
  if (straight || distance == 0) return {from, from + (1.0 / 3) * way, to - (1.0 / 3) * way, to};
  point const aside{way.y / distance, -way.x / distance};
  auto const bow = (0.42 + 0.02 * distance) * aside;
  auto const rise = (std::min(0.5, distance / 3) / distance) * way;
  return {from, from + rise + bow, to - rise + bow, to};
}

}  // namespace lockstep::detail
