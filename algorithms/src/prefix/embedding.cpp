#include <lockstep/algorithms/prefix/embedding.hpp>

#include <bit>

#include <lockstep/algorithms/detail/size_checks.hpp>

namespace lockstep {

namespace {

[[nodiscard]] unsigned bits_of(int rank) { return static_cast<unsigned>(rank); }
[[nodiscard]] int rank_of(unsigned bits) { return static_cast<int>(bits); }
[[nodiscard]] unsigned bit(int position) { return 1U << bits_of(position); }

[[nodiscard]] int checked(int dimension, std::source_location where) {
  detail::require_dimensions("embedding", dimension, 1, where);
  return dimension;
}

}  // namespace

embedding embedding::inorder(int dimension, std::source_location where) {
  return {kind::inorder, checked(dimension, where)};
}
embedding embedding::upper_half(int dimension, std::source_location where) {
  return {kind::upper_half, checked(dimension, where)};
}
embedding embedding::lower_half(int dimension, std::source_location where) {
  return {kind::lower_half, checked(dimension, where)};
}

/// The lower half's tree is that of the upper half with all bits of the ranks turned over.
int embedding::mirrored(int rank) const {
  return m_kind == kind::lower_half ? rank_of(bit(m_levels) - 1 - bits_of(rank)) : rank;
}

int embedding::root() const {
  return m_kind == kind::inorder ? rank_of(bit(m_levels - 1) - 1) : mirrored(1);
}

bool embedding::has(int rank) const {
  if (m_kind == kind::inorder) return rank != rank_of(bit(m_levels) - 1);
  return mirrored(rank) != 0;
}

int embedding::depth(int node) const {
  if (m_kind == kind::inorder) return m_levels - 1 - std::countr_one(bits_of(node));
  return rank_of(std::bit_width(bits_of(mirrored(node)))) - 1;
}

bool embedding::is_first_child(int node) const {
  if (node == root()) return false;
  if (m_kind == kind::inorder) return (bits_of(node) & bit(height(node) + 1)) == 0;
  return mirrored(node) % 2 == 0;
}

int embedding::second_children(int node) const {
  int number = 0;
  for (int at = node; at != root(); at = *parent(at))
    if (!is_first_child(at)) ++number;
  return number;
}

std::optional<int> embedding::first_child(int node) const {
  if (is_leaf(node)) return std::nullopt;
  if (m_kind == kind::inorder) return node - rank_of(bit(height(node) - 1));
  return mirrored(2 * mirrored(node));
}

std::optional<int> embedding::second_child(int node) const {
  if (is_leaf(node)) return std::nullopt;
  if (m_kind == kind::inorder) return node + rank_of(bit(height(node) - 1));
  return mirrored(2 * mirrored(node) + 1);
}

std::optional<int> embedding::parent(int node) const {
  if (node == root()) return std::nullopt;
  if (m_kind == kind::inorder)
    return rank_of((bits_of(node) | bit(height(node))) & ~bit(height(node) + 1));
  return mirrored(mirrored(node) / 2);
}

std::optional<int> embedding::sibling(int node) const {
  if (node == root()) return std::nullopt;
  if (m_kind == kind::inorder) return rank_of(bits_of(node) ^ bit(height(node) + 1));
  return rank_of(bits_of(node) ^ 1U);
}

std::vector<int> embedding::path_to_parent(int node) const {
  if (node == root()) return {node};
  if (is_first_child(node)) return {node, *parent(node)};
  return {node, *sibling(node), *parent(node)};
}

rank_interval embedding::span_of(int node) const {
  rank_interval span{node, node};
  auto const below = [this](int of, bool left) {
    return *(left == first_is_left() ? first_child(of) : second_child(of));
  };
  while (!is_leaf(span.first)) span.first = below(span.first, true);
  while (!is_leaf(span.last)) span.last = below(span.last, false);
  return span;
}

}  // namespace lockstep
