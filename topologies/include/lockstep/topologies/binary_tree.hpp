#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

#include <lockstep/detail/built_in_network.hpp>

namespace lockstep {

/// A complete binary tree of d levels: 2^d - 1 processors, numbered inorder from 0, so that the
/// ranks of each subtree are contiguous, those of the left child's below the parent's and those of
/// the right child's above it. Leaves have the even ranks; the root is 2^(d-1) - 1.
///
/// Everything by formula, in time O(d) and without tables.
/// Source: Mayr and Plaxton 1989, section 2.1 and figure 1.
class binary_tree final : public detail::built_in_network {
 public:
  static constexpr int most_levels = 31;

  /// levels: 1 to 31. Errors: invalid_topology.
  explicit binary_tree(int levels, std::source_location where = std::source_location::current());

  [[nodiscard]] int levels() const noexcept { return m_levels; }
  [[nodiscard]] int size() const override { return m_size; }
  /// "tree:4".
  [[nodiscard]] std::string spec() const override;
  /// "parent", "left child", "right child".
  [[nodiscard]] std::vector<neighbour> neighbours(int rank) const override;
  [[nodiscard]] switching default_switching() const override { return switching::neighbour; }

  [[nodiscard]] int root() const noexcept { return m_size / 2; }
  /// Nothing for the root.
  [[nodiscard]] std::optional<int> parent(int rank) const;
  /// Nothing for a leaf.
  [[nodiscard]] std::optional<int> left_child(int rank) const;
  /// Nothing for a leaf.
  [[nodiscard]] std::optional<int> right_child(int rank) const;
  /// Links to the root: 0 for the root, d - 1 for a leaf.
  [[nodiscard]] int depth(int rank) const;
  [[nodiscard]] bool is_leaf(int rank) const;

  [[nodiscard]] link_number links() const override;
  [[nodiscard]] link link_at(link_number number) const override;
  [[nodiscard]] link_number number_of(link which) const override;

  /// 3, and less for d < 3.
  [[nodiscard]] int degree() const override;
  /// 2 (d - 1): from leaf to leaf through the root.
  [[nodiscard]] int diameter() const override { return 2 * (m_levels - 1); }
  /// 1: the link between the root and a child leaves (p - 1) / 2 processors on the child's side. 0
  /// for a single processor.
  [[nodiscard]] std::optional<std::int64_t> bisection_width() const override;

  using topology::route;
  /// The only way: up to the lowest common ancestor, and down.
  [[nodiscard]] std::vector<int> route(int from, int to) const override;
  [[nodiscard]] int hops(int from, int to) const override;
  void append_links(int from, int to, std::vector<link_number>& links) const override;

  /// Depth, and position from the left among the processors of that depth.
  [[nodiscard]] std::vector<int> coordinates(int rank) const override;
  using topology::rank_at;
  [[nodiscard]] int rank_at(std::span<int const> coordinates) const override;
  /// The rank, further to the right the further the processor is from the root.
  [[nodiscard]] std::string label(int rank) const override;
  [[nodiscard]] std::string label_note() const override { return "the tree lies on its side"; }
  /// Level by level, each processor above its subtrees.
  [[nodiscard]] std::vector<layout_point> layout() const override;

 private:
  [[nodiscard]] int next_towards(int at, int to) const;

  int m_levels;
  int m_size = 0;
};

}  // namespace lockstep
