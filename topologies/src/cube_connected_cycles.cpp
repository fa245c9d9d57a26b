#include <lockstep/topologies/cube_connected_cycles.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <fmt/format.h>

#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "dimension_check.hpp"

namespace lockstep {

cube_connected_cycles::cube_connected_cycles(int dimension, std::source_location where)
    : m_dimension(dimension) {
  detail::require_dimension("cube-connected cycles", dimension,
                            {1, most_dimensions, "2 to that power cycles of that many processors"},
                            where);
}

std::string cube_connected_cycles::spec() const {
  return fmt::format("cube-connected-cycles:{}", m_dimension);
}

int cube_connected_cycles::corner(int rank) const {
  detail::check_rank(*this, size(), rank);
  return rank / m_dimension;
}

int cube_connected_cycles::position(int rank) const {
  detail::check_rank(*this, size(), rank);
  return rank % m_dimension;
}

int cube_connected_cycles::next(int rank, bool forward) const {
  int const around = m_dimension - 1;
  if (forward) return rank % m_dimension == around ? rank - around : rank + 1;
  return rank % m_dimension == 0 ? rank + around : rank - 1;
}

int cube_connected_cycles::across(int rank) const {
  return (corner(rank) ^ (1 << position(rank))) * m_dimension + position(rank);
}

int cube_connected_cycles::cycle_links() const { return std::min(m_dimension - 1, 2); }

// The links of a processor follow one another: forward, backward, cube.

std::vector<neighbour> cube_connected_cycles::neighbours(int rank) const {
  detail::check_rank(*this, size(), rank);
  std::vector<neighbour> joined;
  if (cycle_links() > 0) joined.push_back({next(rank, true), "forward"});
  if (cycle_links() > 1) joined.push_back({next(rank, false), "backward"});
  joined.push_back({across(rank), "cube"});
  return joined;
}

link_number cube_connected_cycles::links() const {
  return link_number{size()} * (cycle_links() + 1);
}

link cube_connected_cycles::link_at(link_number number) const {
  if (number < 0 || number >= links()) detail::throw_no_such_link(*this, number);
  int const from = static_cast<int>(number / (cycle_links() + 1));
  int const which = static_cast<int>(number % (cycle_links() + 1));
  if (which < cycle_links()) return {from, next(from, which == 0)};
  return {from, across(from)};
}

link_number cube_connected_cycles::number_of(link which) const {
  auto const [from, to] = which;
  if (!detail::has_rank(size(), from) || !detail::has_rank(size(), to)) return -1;
  link_number const first = link_number{from} * (cycle_links() + 1);
  for (link_number number = first; number <= first + cycle_links(); ++number)
    if (link_at(number).to == to) return number;
  return -1;
}

bool cube_connected_cycles::adjacent(int from, int to) const { return number_of({from, to}) >= 0; }

int cube_connected_cycles::degree() const { return std::min(m_dimension, 3); }

int cube_connected_cycles::diameter() const {
  if (m_dimension == 1) return 1;
  if (m_dimension < 4) return 2 * m_dimension;
  return 2 * m_dimension + m_dimension / 2 - 2;
}

std::optional<std::int64_t> cube_connected_cycles::bisection_width() const {
  return std::int64_t{1} << (m_dimension - 1);
}

// A shortest walk leaves out a link of the cycle, or goes once round all of it. Without that link
// the cycle is a line of positions, and `visited` are to be seen: the walk goes to the end of these
// that is on the other side of its destination, to the other end, and to its destination.

/// The line begins after the link from position `link` - 1 to `link`.
cube_connected_cycles::walk cube_connected_cycles::walk_without(int link, int from, int to,
                                                                unsigned visited) const {
  auto const d = static_cast<unsigned>(m_dimension);
  auto const cut = static_cast<unsigned>(link);
  unsigned const all = (1U << d) - 1;
  int const begin = (from - link + m_dimension) % m_dimension;
  int const end = (to - link + m_dimension) % m_dimension;
  unsigned const seen = ((visited >> cut | visited << (d - cut)) & all) | 1U << begin | 1U << end;
  int const lowest = std::countr_zero(seen);
  int const highest = static_cast<int>(std::bit_width(seen)) - 1;
  if (begin <= end) return {begin - lowest, highest - lowest, highest - end, false};
  return {highest - begin, highest - lowest, end - lowest, true};
}

cube_connected_cycles::walk cube_connected_cycles::shortest_walk(int from, int to) const {
  auto const visited = static_cast<unsigned>(corner(from) ^ corner(to));
  int const begin = position(from);
  int const end = position(to);
  walk best = walk_without(0, begin, end, visited);
  for (int link = 1; link < m_dimension; ++link)
    if (auto const other = walk_without(link, begin, end, visited); other.links() < best.links())
      best = other;
  if (begin == end && m_dimension < best.links()) best = {m_dimension, 0, 0, true};
  return best;
}

int cube_connected_cycles::hops(int from, int to) const {
  auto const changed = static_cast<unsigned>(corner(from) ^ corner(to));
  return shortest_walk(from, to).links() + std::popcount(changed);
}

std::vector<int> cube_connected_cycles::route(int from, int to) const {
  auto const best = shortest_walk(from, to);
  std::vector<int> passed;
  passed.reserve(static_cast<std::size_t>(hops(from, to)));
  int at = from;
  auto const cross = [&] {
    if (((corner(at) ^ corner(to)) >> position(at) & 1) == 0) return;
    passed.push_back(at = across(at));
  };
  cross();
  bool forward = best.begins_forward;
  for (int const links : {best.first, best.second, best.third}) {
    for (int taken = 0; taken < links; ++taken) {
      passed.push_back(at = next(at, forward));
      cross();
    }
    forward = !forward;
  }
  return passed;
}

std::vector<int> cube_connected_cycles::coordinates(int rank) const {
  return {corner(rank), position(rank)};
}

int cube_connected_cycles::rank_at(std::span<int const> coordinates) const {
  bool const exists = coordinates.size() == 2 &&
                      detail::has_rank(1 << m_dimension, coordinates[0]) &&
                      detail::has_rank(m_dimension, coordinates[1]);
  if (!exists)
    throw invalid_argument(fmt::format(
        "no processor of {} is at ({}): a place is a corner of the hypercube, 0 to {}, and a "
        "position in its cycle, 0 to {}",
        spec(), fmt::join(coordinates, ", "), (1 << m_dimension) - 1, m_dimension - 1));
  return coordinates[0] * m_dimension + coordinates[1];
}

std::vector<layout_point> cube_connected_cycles::layout() const {
  constexpr double pi = std::numbers::pi;
  double const radius = m_dimension == 1 ? 0 : std::max(0.45, 0.45 / std::sin(pi / m_dimension));
  double const scale = 2.6 * radius + 1.5;
  std::vector<layout_point> places;
  places.reserve(static_cast<std::size_t>(size()));
  for (auto const& centre : hypercube(m_dimension).layout())
    for (int i = 0; i < m_dimension; ++i) {
      double const angle = 2 * pi * i / m_dimension;
      places.push_back({scale * centre.x + radius * std::sin(angle),
                        scale * centre.y + radius * std::cos(angle)});
    }
  return places;
}

}  // namespace lockstep
