#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// A tree of shortest ways from a root to all processors, along links that lead both ways, and the
/// rounds in which a message goes down it: a processor that has it sends it to its children, one a
/// round, first to the one below which most rounds follow.
///
/// Processors have places in the tree, from 0 at the root on: each before its children, and all below
/// a processor in successive places.
class spanning_tree {
 public:
  /// Errors: invalid_topology where links that lead both ways do not join all processors.
  spanning_tree(topology const& network, int root);

  [[nodiscard]] int size() const { return static_cast<int>(m_nodes.size()); }
  [[nodiscard]] int root() const { return m_root; }
  /// Counts the rounds until all have the message.
  [[nodiscard]] int rounds() const { return m_rounds; }

  /// Finds the parent's rank; -1 for the root.
  [[nodiscard]] int parent(int rank) const { return node(rank).parent; }
  /// Lists the children in the order in which a message goes to them.
  [[nodiscard]] std::span<int const> children(int rank) const {
    auto const& from = node(rank);
    return std::span(m_children)
        .subspan(static_cast<std::size_t>(from.first_child),
                 static_cast<std::size_t>(from.children));
  }
  /// Counts the rounds until a processor has the message.
  [[nodiscard]] int round_of(int rank) const { return node(rank).round; }
  /// Counts the links between the root and the processor that is farthest from it: the rounds where a
  /// processor sends to all children in the same one.
  [[nodiscard]] int depth() const { return static_cast<int>(m_most_below.size()); }
  /// Counts the links between the root and a processor.
  [[nodiscard]] int level_of(int rank) const { return node(rank).level; }
  /// Counts a processor of that level, from 1 on, and all below it, where these are most.
  [[nodiscard]] int most_below(int level) const {
    return m_most_below[static_cast<std::size_t>(level) - 1];
  }
  [[nodiscard]] int place(int rank) const { return node(rank).place; }
  /// Counts a processor and all below it.
  [[nodiscard]] int size_below(int rank) const { return node(rank).size; }
  [[nodiscard]] int rank_at(int place) const { return m_ranks[static_cast<std::size_t>(place)]; }
  /// Lists the ranks of a processor and of all below it, in the order of their places.
  [[nodiscard]] std::span<int const> ranks_below(int rank) const {
    return std::span(m_ranks).subspan(static_cast<std::size_t>(place(rank)),
                                      static_cast<std::size_t>(size_below(rank)));
  }
  /// Tells whether a processor is `top` or below it.
  [[nodiscard]] bool is_below(int rank, int top) const {
    return place(top) <= place(rank) && place(rank) < place(top) + size_below(top);
  }

 private:
  struct tree_node {
    int parent = -1;
    int round = 0;
    int level = 0;
    int place = 0;
    int size = 1;
    int first_child = 0;
    int children = 0;
  };
  [[nodiscard]] tree_node const& node(int rank) const {
    return m_nodes[static_cast<std::size_t>(rank)];
  }

  int m_root;
  int m_rounds = 0;
  std::vector<tree_node> m_nodes;
  std::vector<int> m_children;    ///< of all, one processor's after another's
  std::vector<int> m_ranks;       ///< by place
  std::vector<int> m_most_below;  ///< by level, from 1 on
};

/// Finds the tree of a network and root, which is kept for those who ask next, with a few others.
/// Errors: invalid_topology, as above.
[[nodiscard]] std::shared_ptr<spanning_tree const> spanning_tree_of(topology const& network,
                                                                    int root);

/// Finds a processor in the middle of the way between two that are far from each other: in a tree a
/// centre.
/// Errors: invalid_topology, as above.
[[nodiscard]] int centre_of(topology const& network);

}  // namespace lockstep::detail
