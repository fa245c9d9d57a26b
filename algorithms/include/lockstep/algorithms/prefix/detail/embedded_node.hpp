#pragma once

#include <cstddef>
#include <span>

#include <lockstep/algorithms/prefix/detail/show_sums.hpp>
#include <lockstep/algorithms/prefix/embedding.hpp>

namespace lockstep::detail {

/// A node of an embedded tree, by the ranks of the processors that play its neighbours.
struct embedded_node {
  static constexpr int nobody = -1;
  int first_child = nobody;
  int parent = nobody;
  int sibling = nobody;
  int above_root = nobody;  ///< root: a processor outside the tree that gets the sums of all
  bool is_first = false;
  bool is_leaf = false;
  bool first_is_left = true;  ///< of all first children, this one or not
  int depth = 0;
  int second_children = 0;  ///< among it and those above it
  embedding of;             ///< that it is a node of
  int place;                ///< its own in the tree

  /// `at`: the node; `played_by(node)`: the rank of the processor that plays a node.
  template <class PlayedBy>
  embedded_node(embedding const& tree, int at, PlayedBy const& played_by)
      : is_first(tree.is_first_child(at)),
        is_leaf(tree.is_leaf(at)),
        first_is_left(tree.first_is_left()),
        depth(tree.depth(at)),
        second_children(tree.second_children(at)),
        of(tree),
        place(at) {
    if (auto const child = tree.first_child(at)) first_child = played_by(*child);
    if (auto const above = tree.parent(at)) parent = played_by(*above);
    if (auto const beside = tree.sibling(at)) sibling = played_by(*beside);
  }

  [[nodiscard]] bool is_root() const { return parent == nobody; }
  /// The places of the leaves below a node of the tree, and of those before it.
  [[nodiscard]] place_range leaves_of(int node) const { return place_range::of(of.span_of(node)); }
  [[nodiscard]] place_range leaves_before() const {
    return {of.span_of(of.root()).first, of.span_of(place).first};
  }
  [[nodiscard]] bool has_above() const { return above_root != nobody; }
};

/// Rounds of k prefixes on a node. `program` lists the actions of a round, and act(action, j) does
/// one of them for prefix j: in round i upward actions are for prefix i, the others for prefix i -
/// lag.
template <class Action, class Act>
void in_rounds(std::span<Action const> program, std::size_t k, int lag, Act act) {
  auto const behind = static_cast<std::size_t>(lag);
  for (std::size_t i = 0; k > 0 && i < k + behind; ++i)
    for (auto const action : program)
      if (is_upward(action)) {
        if (i < k) act(action, i);
      } else {
        if (i >= behind) act(action, i - behind);
      }
}

}  // namespace lockstep::detail
