#pragma once

#include <array>
#include <cstddef>
#include <source_location>
#include <span>
#include <vector>

#include <lockstep/shown.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/hypercube.hpp>

namespace lockstep {

/// A node of a tree in which every subtree is an interval of ranks, as one processor knows it.
class ordered_node {
 public:
  static constexpr int nobody = -1;
  static constexpr std::size_t most_children = 3;

  /// A child, and where it stands.
  struct child {
    int rank = nobody;
    int height = 0;          ///< of its subtree, in links
    bool is_before = false;  ///< whether its ranks lie before this node's
  };

  ordered_node() = default;
  ordered_node(int rank, int parent, int depth, rank_interval subtree = {})
      : m_rank(rank), m_parent(parent), m_depth(depth), m_subtree(subtree) {}
  /// Children are added in rank order. Errors: invalid_argument for one too many.
  void add_child(child const& next, std::source_location where = std::source_location::current());

  [[nodiscard]] int rank() const { return m_rank; }
  /// `nobody` for the root.
  [[nodiscard]] int parent() const { return m_parent; }
  /// Links to the root.
  [[nodiscard]] int depth() const { return m_depth; }
  /// The ranks of the node and of all nodes below it.
  [[nodiscard]] rank_interval subtree() const { return m_subtree; }
  /// In rank order.
  [[nodiscard]] std::span<child const> children() const { return {m_children.data(), m_count}; }

 private:
  int m_rank = nobody;
  int m_parent = nobody;
  int m_depth = 0;
  rank_interval m_subtree;
  std::array<child, most_children> m_children{};
  std::size_t m_count = 0;
};

/// A processor's node in the binary tree itself.
[[nodiscard]] ordered_node node_of(binary_tree const& tree, int rank);

/// A spanning tree of a hypercube in which a processor has three neighbours at most and every
/// subtree is an interval of ranks, of small depth: d for d <= 4, 2d - 5 for d = 5 to 10.
///
/// Found by dynamic programming over (interval, root), in which two children may share an interval
/// only at multiples of about an eighth of it: 0.1 s for d = 10.
/// **Source** lockstep.
class spanning_tree {
 public:
  static constexpr int most_dimensions = 10;

  /// Errors: invalid_argument for more than 10 dimensions.
  explicit spanning_tree(hypercube const& cube,
                         std::source_location where = std::source_location::current());

  [[nodiscard]] ordered_node const& node(int rank) const {
    return m_nodes[static_cast<std::size_t>(rank)];
  }
  /// Links from the root to the deepest leaf.
  [[nodiscard]] int depth() const { return m_depth; }

 private:
  std::vector<ordered_node> m_nodes;  ///< by rank
  int m_depth = 0;
};

}  // namespace lockstep
