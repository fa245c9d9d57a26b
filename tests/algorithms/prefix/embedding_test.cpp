#include <algorithm>
#include <memory>
#include <vector>

#include <lockstep/algorithms/prefix/embedding.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>

#include "catch.hpp"

using lockstep::embedding;

namespace {

/// The nodes of a tree from left to right: those of a child, the node itself, those of the other.
void append_in_order(embedding const& tree, int node, std::vector<int>& nodes) {
  auto const first = tree.first_child(node);
  auto const second = tree.second_child(node);
  auto const left = tree.first_is_left() ? first : second;
  auto const right = tree.first_is_left() ? second : first;
  if (left) append_in_order(tree, *left, nodes);
  nodes.push_back(node);
  if (right) append_in_order(tree, *right, nodes);
}

std::vector<int> in_order(embedding const& tree) {
  std::vector<int> nodes;
  append_in_order(tree, tree.root(), nodes);
  return nodes;
}

/// All processors but one are nodes, and every edge is a path of one link or of two.
void check_edges(embedding const& tree, lockstep::topology const& network, int unused) {
  auto nodes = in_order(tree);
  CHECK(nodes.size() + 1 == static_cast<std::size_t>(network.size()));
  std::ranges::sort(nodes);
  CHECK(std::ranges::adjacent_find(nodes) == nodes.end());
  for (int rank = 0; rank < network.size(); ++rank) CHECK(tree.has(rank) == (rank != unused));
  for (int const node : nodes) {
    auto const path = tree.path_to_parent(node);
    INFO(network.spec() << ", node " << node);
    CHECK(path.front() == node);
    if (node == tree.root()) {
      CHECK(path.size() == 1);
      CHECK_FALSE(tree.parent(node).has_value());
      continue;
    }
    CHECK(path.back() == *tree.parent(node));
    CHECK(path.size() == (tree.is_first_child(node) ? 2U : 3U));
    for (std::size_t link = 1; link < path.size(); ++link)
      CHECK(network.adjacent(path[link - 1], path[link]));
    auto const above =
        tree.is_first_child(node) ? tree.first_child(path.back()) : tree.second_child(path.back());
    CHECK(above == node);
    CHECK(*tree.sibling(*tree.sibling(node)) == node);
    CHECK(tree.depth(node) == tree.depth(path.back()) + 1);
  }
}

/// From left to right.
std::vector<int> leaves(embedding const& tree) {
  auto nodes = in_order(tree);
  std::erase_if(nodes, [&](int node) { return !tree.is_leaf(node); });
  return nodes;
}

std::vector<int> counted(int from, int number) {
  std::vector<int> ranks(static_cast<std::size_t>(number));
  for (int i = 0; i < number; ++i) ranks[static_cast<std::size_t>(i)] = from + i;
  return ranks;
}

}  // namespace

TEST_CASE("the inorder tree in a hypercube", "[prefix][sanitize]") {
  for (int d = 1; d <= 10; ++d) {
    lockstep::hypercube const cube{d};
    auto const tree = embedding::inorder(d);
    check_edges(tree, cube, cube.size() - 1);
    CHECK(in_order(tree) == counted(0, cube.size() - 1));
    CHECK(cube.adjacent(tree.root(), cube.size() - 1));
  }
}

TEST_CASE("the trees over both halves of a shuffle-exchange", "[prefix][sanitize]") {
  for (int d = 1; d <= 10; ++d) {
    lockstep::shuffle_exchange const network{d};
    int const half = network.size() / 2;
    auto const lower = embedding::lower_half(d);
    auto const upper = embedding::upper_half(d);
    check_edges(lower, network, network.size() - 1);
    check_edges(upper, network, 0);
    CHECK(leaves(lower) == counted(0, half));
    CHECK(leaves(upper) == counted(half, half));
    CHECK(network.adjacent(lower.root(), network.size() - 1));
  }
}

TEST_CASE("second children on the way to a node", "[prefix]") {
  auto const tree = embedding::inorder(4);  // 7; 3, 11; 1, 5, 9, 13; ...
  CHECK(tree.second_children(tree.root()) == 0);
  CHECK(tree.second_children(0) == 0);
  CHECK(tree.second_children(5) == 1);
  CHECK(tree.second_children(14) == 3);
}
