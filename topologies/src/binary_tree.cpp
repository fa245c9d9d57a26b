#include <lockstep/topologies/binary_tree.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include <lockstep/detail/rank_check.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {
namespace {

// Counted from 1, the inorder numbers of the leaves are odd, those of their parents odd multiples
// of 2, and so on: the number of trailing zeros is the height above the leaves.

int height(int rank) { return std::countr_zero(static_cast<unsigned>(rank) + 1); }

/// Half the distance between a processor's children; 0 for a leaf.
int child_distance(int rank) { return (1 << height(rank)) / 2; }

int parent_of(int rank) {
  int const below = 1 << height(rank);
  bool const is_left = ((rank + 1) >> (height(rank) + 1)) % 2 == 0;
  return is_left ? rank + below : rank - below;
}

}  // namespace

binary_tree::binary_tree(int levels, std::source_location where) : m_levels(levels) {
  if (levels < 1 || levels > most_levels)
    throw invalid_topology(
        fmt::format("a binary tree of {} levels cannot be built: it has 1 to {} levels, for 2 to "
                    "that power - 1 processors",
                    levels, most_levels),
        where);
  m_size = std::numeric_limits<int>::max() >> (most_levels - levels);
}

std::string binary_tree::spec() const { return fmt::format("tree:{}", m_levels); }

std::optional<int> binary_tree::parent(int rank) const {
  detail::check_rank(*this, m_size, rank);
  if (rank == root()) return std::nullopt;
  return parent_of(rank);
}

std::optional<int> binary_tree::left_child(int rank) const {
  if (is_leaf(rank)) return std::nullopt;
  return rank - child_distance(rank);
}

std::optional<int> binary_tree::right_child(int rank) const {
  if (is_leaf(rank)) return std::nullopt;
  return rank + child_distance(rank);
}

int binary_tree::depth(int rank) const {
  detail::check_rank(*this, m_size, rank);
  return m_levels - 1 - height(rank);
}

bool binary_tree::is_leaf(int rank) const { return depth(rank) == m_levels - 1; }

std::vector<neighbour> binary_tree::neighbours(int rank) const {
  std::vector<neighbour> joined;
  if (auto const up = parent(rank)) joined.push_back({*up, "parent"});
  if (auto const left = left_child(rank)) joined.push_back({*left, "left child"});
  if (auto const right = right_child(rank)) joined.push_back({*right, "right child"});
  return joined;
}

// Every processor but the root has a link to its parent and a link from it, which follow each other
// in the order of ranks.

link_number binary_tree::links() const { return 2 * (link_number{m_size} - 1); }

link binary_tree::link_at(link_number number) const {
  if (number < 0 || number >= links()) detail::throw_no_such_link(*this, number);
  int const index = static_cast<int>(number / 2);
  int const child = index < root() ? index : index + 1;
  return number % 2 == 0 ? link{child, parent_of(child)} : link{parent_of(child), child};
}

link_number binary_tree::number_of(link which) const {
  if (!detail::has_rank(m_size, which.from) || !detail::has_rank(m_size, which.to)) return -1;
  bool const upwards = height(which.from) < height(which.to);
  auto const [child, above] = upwards ? which : link{which.to, which.from};
  if (child == root() || parent_of(child) != above) return -1;
  int const index = child < root() ? child : child - 1;
  return 2 * link_number{index} + (upwards ? 0 : 1);
}

int binary_tree::degree() const { return m_levels == 1 ? 0 : std::min(m_levels, 3); }

std::optional<std::int64_t> binary_tree::bisection_width() const { return m_levels == 1 ? 0 : 1; }

/// Down where `to` is in the subtree of `at`, else up.
int binary_tree::next_towards(int at, int to) const {
  int const reach = (1 << height(at)) - 1;  // the subtree is at - reach .. at + reach
  if (std::abs(to - at) > reach) return parent_of(at);
  return to < at ? at - child_distance(at) : at + child_distance(at);
}

std::vector<int> binary_tree::route(int from, int to) const {
  detail::check_rank(*this, m_size, from);
  detail::check_rank(*this, m_size, to);
  std::vector<int> passed;
  for (int at = from; at != to;) passed.push_back(at = next_towards(at, to));
  return passed;
}

int binary_tree::hops(int from, int to) const {
  detail::check_rank(*this, m_size, from);
  detail::check_rank(*this, m_size, to);
  int links = 0;
  for (int at = from; at != to; at = next_towards(at, to)) ++links;
  return links;
}

void binary_tree::append_links(int from, int to, std::vector<link_number>& links) const {
  detail::check_rank(*this, m_size, from);
  detail::check_rank(*this, m_size, to);
  for (int at = from; at != to;) {
    int const next = next_towards(at, to);
    links.push_back(number_of({at, next}));
    at = next;
  }
}

std::vector<int> binary_tree::coordinates(int rank) const {
  return {depth(rank), (rank + 1) >> (height(rank) + 1)};
}

int binary_tree::rank_at(std::span<int const> coordinates) const {
  bool const exists = coordinates.size() == 2 && coordinates[0] >= 0 && coordinates[0] < m_levels &&
                      detail::has_rank(1 << coordinates[0], coordinates[1]);
  if (!exists)
    throw invalid_argument(
        fmt::format("no processor of {} is at ({}): a place is a depth d, 0 to {}, and a position "
                    "among the 2^d processors of that depth, from 0",
                    spec(), fmt::join(coordinates, ", "), m_levels - 1));
  int const above_leaves = m_levels - 1 - coordinates[0];
  std::int64_t const odd = 2 * std::int64_t{coordinates[1]} + 1;
  return static_cast<int>((odd << above_leaves) - 1);
}

std::string binary_tree::label(int rank) const {
  return fmt::format("{:{}}{}", "", 2 * depth(rank), rank);
}

std::vector<layout_point> binary_tree::layout() const {
  std::vector<layout_point> places;
  places.reserve(static_cast<std::size_t>(m_size));
  for (int rank = 0; rank < m_size; ++rank) places.push_back({0.6 * rank, -1.2 * depth(rank)});
  return places;
}

}  // namespace lockstep
