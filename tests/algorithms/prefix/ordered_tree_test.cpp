#include <algorithm>
#include <vector>

#include <lockstep/algorithms/prefix/ordered_tree.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"

using lockstep::ordered_node;
using lockstep::spanning_tree;

namespace {

/// Ranks of the subtree, checked to be one interval; its height in links.
struct seen_subtree {
  int first;
  int last;
  int height;
};

template <class NodeOf>
seen_subtree walk(NodeOf const& node_of, lockstep::topology const& network, int rank, int parent,
                  int depth) {
  ordered_node const node = node_of(rank);
  CHECK(node.rank() == rank);
  CHECK(node.parent() == parent);
  CHECK(node.depth() == depth);
  seen_subtree seen{rank, rank, 0};
  int next = rank + 1;
  std::vector<seen_subtree> before;
  for (auto const& child : node.children()) {
    CHECK(network.adjacent(rank, child.rank));
    auto const below = walk(node_of, network, child.rank, rank, depth + 1);
    CHECK(below.height == child.height);
    CHECK(child.is_before == (child.rank < rank));
    seen.height = std::max(seen.height, below.height + 1);
    if (child.is_before) {
      if (!before.empty()) CHECK(below.first == before.back().last + 1);
      before.push_back(below);
    } else {
      CHECK(below.first == next);
      next = below.last + 1;
      seen.last = below.last;
    }
  }
  if (!before.empty()) {
    CHECK(before.back().last == rank - 1);
    seen.first = before.front().first;
  }
  return seen;
}

int root_of(spanning_tree const& tree, int size) {
  for (int rank = 0; rank < size; ++rank)
    if (tree.node(rank).parent() == ordered_node::nobody) return rank;
  return ordered_node::nobody;
}

}  // namespace

TEST_CASE("a spanning tree of a hypercube, its subtrees intervals", "[prefix]") {
  std::vector<int> const depths{0, 1, 2, 3, 4, 5, 7, 9, 11, 13, 15};
  for (int d = 0; d <= 10; ++d) {
    lockstep::hypercube const cube{d};
    spanning_tree const tree{cube};
    auto const node_of = [&](int rank) { return tree.node(rank); };
    auto const seen = walk(node_of, cube, root_of(tree, cube.size()), ordered_node::nobody, 0);
    CHECK(seen.first == 0);
    CHECK(seen.last == cube.size() - 1);
    CHECK(seen.height == tree.depth());
    CHECK(tree.depth() == depths[static_cast<std::size_t>(d)]);
    for (int rank = 0; rank < cube.size(); ++rank) {
      auto const neighbours =
          tree.node(rank).children().size() + (tree.node(rank).parent() >= 0 ? 1U : 0U);
      CHECK(neighbours <= 3);
    }
  }
}

TEST_CASE("the binary tree as an ordered tree", "[prefix]") {
  for (int levels = 1; levels <= 7; ++levels) {
    lockstep::binary_tree const tree{levels};
    auto const seen = walk([&](int rank) { return node_of(tree, rank); }, tree, tree.root(),
                           ordered_node::nobody, 0);
    CHECK(seen.first == 0);
    CHECK(seen.last == tree.size() - 1);
    CHECK(seen.height == levels - 1);
  }
}

TEST_CASE("limits of spanning trees", "[prefix]") {
  CHECK_THROWS_AS(spanning_tree{lockstep::hypercube{11}}, lockstep::invalid_argument);
  ordered_node node(3, ordered_node::nobody, 0);
  for (int child = 4; child < 7; ++child) node.add_child({child, 0, false});
  CHECK_THROWS_AS(node.add_child({7, 0, false}), lockstep::invalid_argument);
}
