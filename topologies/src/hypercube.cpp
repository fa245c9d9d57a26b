#include <lockstep/topologies/hypercube.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

#include <fmt/format.h>

#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/detail/bits.hpp>

#include "block_layout.hpp"
#include "dimension_check.hpp"

namespace lockstep {

hypercube::hypercube(int dimension, std::source_location where) : m_dimension(dimension) {
  detail::require_dimension("a hypercube", dimension,
                            {0, most_dimensions, "2 to that power processors"}, where);
}

std::string hypercube::spec() const { return fmt::format("hypercube:{}", m_dimension); }

std::vector<neighbour> hypercube::neighbours(int rank) const {
  detail::check_rank(*this, size(), rank);
  std::vector<neighbour> joined;
  joined.reserve(static_cast<std::size_t>(m_dimension));
  for (int i = 0; i < m_dimension; ++i)
    joined.push_back({rank ^ (1 << i), fmt::format("dimension {}", i)});
  return joined;
}

// The links of a processor follow one another in the order of dimensions.

link_number hypercube::links() const { return link_number{size()} * m_dimension; }

link hypercube::link_at(link_number number) const {
  if (number < 0 || number >= links()) detail::throw_no_such_link(*this, number);
  int const from = static_cast<int>(number / m_dimension);
  int const along = static_cast<int>(number % m_dimension);
  return {from, from ^ (1 << along)};
}

link_number hypercube::number_of(link which) const {
  if (!adjacent(which.from, which.to)) return -1;
  auto const bit = static_cast<unsigned>(which.from ^ which.to);
  return link_number{which.from} * m_dimension + std::countr_zero(bit);
}

bool hypercube::adjacent(int from, int to) const {
  if (!detail::has_rank(size(), from) || !detail::has_rank(size(), to)) return false;
  // Not std::has_single_bit, which calls a library where the processor is not known to count bits.
  auto const bits = static_cast<unsigned>(from ^ to);
  return bits != 0 && (bits & (bits - 1)) == 0;
}

unsigned hypercube::differing_bits(int from, int to) const {
  detail::check_rank(*this, size(), from);
  detail::check_rank(*this, size(), to);
  return static_cast<unsigned>(from ^ to);
}

std::vector<int> hypercube::route(int from, int to) const {
  std::vector<int> passed;
  passed.reserve(static_cast<std::size_t>(hops(from, to)));
  int at = from;
  for (unsigned left = differing_bits(from, to); left != 0; left &= left - 1) {
    at ^= 1 << std::countr_zero(left);
    passed.push_back(at);
  }
  return passed;
}

int hypercube::hops(int from, int to) const { return std::popcount(differing_bits(from, to)); }

void hypercube::append_links(int from, int to, std::vector<link_number>& links) const {
  int at = from;
  for (unsigned left = differing_bits(from, to); left != 0; left &= left - 1) {
    int const along = std::countr_zero(left);
    links.push_back(link_number{at} * m_dimension + along);
    at ^= 1 << along;
  }
}

std::vector<int> hypercube::coordinates(int rank) const {
  detail::check_rank(*this, size(), rank);
  return detail::bits_of(rank, m_dimension);
}

int hypercube::rank_at(std::span<int const> coordinates) const {
  return detail::rank_of_bits(*this, coordinates, m_dimension);
}

std::string hypercube::label(int rank) const {
  detail::check_rank(*this, size(), rank);
  return detail::label_with_bits(*this, rank, m_dimension);
}

std::vector<layout_point> hypercube::layout() const {
  constexpr layout_point behind{0.42, 0.36};  // the second side of a cube, from the first
  std::vector<layout_point> places;
  places.reserve(static_cast<std::size_t>(size()));
  for (int rank = 0; rank < size(); ++rank) {
    detail::block_layout of_square(1, 1);
    detail::block_layout of_cubes(2.2, 2.2);
    for (int i = 0; i < m_dimension; ++i)
      if (i != 2) (i < 2 ? of_square : of_cubes).move(rank >> i & 1, 2);
    double const depth = rank >> 2 & 1;
    places.push_back({of_square.at().x + depth * behind.x + of_cubes.at().x,
                      of_square.at().y + depth * behind.y + of_cubes.at().y});
  }
  return places;
}

std::vector<int> hypercube::members(int rank, dimensions const& varying) const {
  detail::check_rank(*this, size(), rank);
  int mask = 0;
  for (int const i : varying.list) {
    if (i < 0 || i >= m_dimension)
      throw invalid_argument(
          m_dimension == 0
              ? fmt::format("there is no dimension {}; {} has a single processor", i, spec())
              : fmt::format("there is no dimension {}; {} has dimensions 0 to {}", i, spec(),
                            m_dimension - 1));
    mask |= 1 << i;
  }
  std::vector<int> found;
  found.reserve(std::size_t{1} << std::popcount(static_cast<unsigned>(mask)));
  int varied = 0;
  do {  // all subsets of the mask, in rising order
    found.push_back((rank & ~mask) | varied);
    varied = (varied - mask) & mask;
  } while (varied != 0);
  return found;
}

std::shared_ptr<topology const> hypercube::part(std::span<int const> members) const {
  auto crossbar = topology::part(members);  // checks the members
  int mask = 0;
  for (int const rank : members) mask |= rank ^ members[0];
  int const differing = std::popcount(static_cast<unsigned>(mask));
  if (members.size() != std::size_t{1} << differing) return crossbar;
  std::vector<int> varying;
  for (int i = 0; i < m_dimension; ++i)
    if ((mask >> i & 1) != 0) varying.push_back(i);
  if (!std::ranges::equal(members, this->members(members[0], dimensions(varying)))) return crossbar;
  return std::make_shared<hypercube>(differing);
}

}  // namespace lockstep
