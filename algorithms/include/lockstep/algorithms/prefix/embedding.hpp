#pragma once

#include <optional>
#include <source_location>
#include <vector>

#include <lockstep/shown.hpp>

namespace lockstep {

/// A complete binary tree laid into a network: a node is a processor, and an edge is a path of one
/// or two links. A node's first child is its neighbour in the network; its second child is the
/// first child's neighbour, and is reached through it.
///
/// Everything by formula, without tables. Each is refused (invalid_argument) unless d is 1 to 30.
/// **Source** Mayr and Plaxton 1989, figures 2, 3 and 4.
class embedding {
 public:
  /// On a hypercube of dimension d >= 1, figure 2: the inorder tree of d levels on the processors
  /// 0 .. p - 2; its first children are the left ones.
  [[nodiscard]] static embedding inorder(
      int dimension, std::source_location where = std::source_location::current());
  /// On a shuffle-exchange of dimension d >= 1, figure 3: a tree of d levels on 1 .. p - 1, whose
  /// leaves are the upper half of the processors, in order; its first children are the left ones.
  [[nodiscard]] static embedding upper_half(
      int dimension, std::source_location where = std::source_location::current());
  /// The same of figure 4: on 0 .. p - 2, leaves the lower half; its first children are the right
  /// ones.
  [[nodiscard]] static embedding lower_half(
      int dimension, std::source_location where = std::source_location::current());

  [[nodiscard]] int levels() const { return m_levels; }
  [[nodiscard]] int root() const;
  /// Whether a processor is a node.
  [[nodiscard]] bool has(int rank) const;
  [[nodiscard]] bool first_is_left() const { return m_kind != kind::lower_half; }

  /// Of a node. Links to the root of the tree: 0 for the root, d - 1 for a leaf.
  [[nodiscard]] int depth(int node) const;
  [[nodiscard]] bool is_leaf(int node) const { return depth(node) == m_levels - 1; }
  [[nodiscard]] bool is_first_child(int node) const;
  /// How many second children there are on the way from the root to the node, itself included.
  [[nodiscard]] int second_children(int node) const;
  /// None for a leaf.
  [[nodiscard]] std::optional<int> first_child(int node) const;
  [[nodiscard]] std::optional<int> second_child(int node) const;
  /// None for the root.
  [[nodiscard]] std::optional<int> parent(int node) const;
  [[nodiscard]] std::optional<int> sibling(int node) const;

  /// From the first leaf below a node, itself included, to the last, in the order of ranks.
  [[nodiscard]] rank_interval span_of(int node) const;

  /// The processors that an edge leads over: the node itself, its sibling if it is a second child,
  /// its parent. Only the root for the root.
  [[nodiscard]] std::vector<int> path_to_parent(int node) const;

 private:
  enum class kind : unsigned char { inorder, upper_half, lower_half };

  embedding(kind which, int levels) : m_kind(which), m_levels(levels) {}
  [[nodiscard]] int mirrored(int rank) const;
  [[nodiscard]] int height(int node) const { return m_levels - 1 - depth(node); }

  kind m_kind;
  int m_levels;
};

}  // namespace lockstep
