#include <lockstep/topologies/shuffle_exchange.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies/detail/bits.hpp>

#include "dimension_check.hpp"

namespace lockstep {

shuffle_exchange::shuffle_exchange(int dimension, std::source_location where)
    : m_dimension(dimension) {
  detail::require_dimension("a shuffle-exchange network", dimension,
                            {1, most_dimensions, "2 to that power processors"}, where);
  if (dimension % 2 == 0) m_alternating = (size() - 1) / 3;
}

std::string shuffle_exchange::spec() const {
  return fmt::format("shuffle-exchange:{}", m_dimension);
}

int shuffle_exchange::rotated_left(int rank) const {
  return (rank << 1 & (size() - 1)) | rank >> (m_dimension - 1);
}

int shuffle_exchange::rotated_right(int rank) const {
  return rank >> 1 | (rank & 1) << (m_dimension - 1);
}

int shuffle_exchange::exchange(int rank) const {
  detail::check_rank(*this, size(), rank);
  return rank ^ 1;
}

std::optional<int> shuffle_exchange::shuffle(int rank) const {
  detail::check_rank(*this, size(), rank);
  if (rotated_left(rank) == rank) return std::nullopt;
  return rotated_left(rank);
}

std::optional<int> shuffle_exchange::unshuffle(int rank) const {
  detail::check_rank(*this, size(), rank);
  if (rotated_right(rank) == rank) return std::nullopt;
  return rotated_right(rank);
}

std::vector<neighbour> shuffle_exchange::neighbours(int rank) const {
  std::vector<neighbour> joined{{exchange(rank), "exchange"}};
  auto const left = shuffle(rank);
  auto const right = unshuffle(rank);
  if (left) joined.push_back({*left, "shuffle"});
  if (right && right != left) joined.push_back({*right, "unshuffle"});
  return joined;
}

// First the p exchanges in the order of ranks; then the shuffles of all ranks but 0 and p - 1; then
// the unshuffles of these but the two alternating ranks, which are a and 2 a. An exchange is never
// a shuffle: it changes the number of ones.

link_number shuffle_exchange::links() const {
  int const rotations = size() - 2;
  int const alternating = m_alternating < 0 ? 0 : 2;
  return link_number{size()} + rotations + (rotations - alternating);
}

link shuffle_exchange::link_at(link_number number) const {
  if (number < 0 || number >= links()) detail::throw_no_such_link(*this, number);
  if (number < size()) return {static_cast<int>(number), static_cast<int>(number) ^ 1};
  int from = static_cast<int>(number - size()) + 1;
  if (from < size() - 1) return {from, rotated_left(from)};
  from -= size() - 2;
  if (m_alternating >= 0 && from >= m_alternating) ++from;
  if (m_alternating >= 0 && from >= 2 * m_alternating) ++from;
  return {from, rotated_right(from)};
}

link_number shuffle_exchange::number_of(link which) const {
  int const p = size();
  auto const [from, to] = which;
  if (!detail::has_rank(p, from) || !detail::has_rank(p, to) || from == to) return -1;
  if (to == (from ^ 1)) return from;
  if (to == rotated_left(from)) return link_number{p} + from - 1;
  if (to != rotated_right(from)) return -1;
  int left_out = 1;
  if (m_alternating >= 0) left_out += (from > m_alternating) + (from > 2 * m_alternating);
  return link_number{p} + (p - 2) + from - left_out;
}

int shuffle_exchange::degree() const { return std::min(m_dimension, 3); }

int shuffle_exchange::hops(int from, int to) const {
  return adjacent(from, to) ? 1 : topology::hops(from, to);
}

void shuffle_exchange::append_links(int from, int to, std::vector<link_number>& links) const {
  if (auto const number = number_of({from, to}); number >= 0)
    links.push_back(number);
  else
    topology::append_links(from, to, links);
}

std::vector<int> shuffle_exchange::coordinates(int rank) const {
  detail::check_rank(*this, size(), rank);
  return detail::bits_of(rank, m_dimension);
}

int shuffle_exchange::rank_at(std::span<int const> coordinates) const {
  return detail::rank_of_bits(*this, coordinates, m_dimension);
}

std::string shuffle_exchange::label(int rank) const {
  detail::check_rank(*this, size(), rank);
  return detail::label_with_bits(*this, rank, m_dimension);
}

}  // namespace lockstep
