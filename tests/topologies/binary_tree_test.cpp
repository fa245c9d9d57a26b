#include <lockstep/topologies/binary_tree.hpp>

#include <map>
#include <vector>

#include <lockstep/errors.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "message_of.hpp"
#include "refusals.hpp"

using lockstep::binary_tree;

namespace {

/// The neighbours of all processors of the subtree of ranks first .. last, by recursion: the middle
/// one is its root.
void grow(int first, int last, int parent,
          std::map<int, std::vector<lockstep::neighbour>>& neighbours) {
  int const root = first + (last - first) / 2;
  auto& joined = neighbours[root];
  if (parent >= 0) joined.push_back({parent, "parent"});
  if (first == last) return;
  joined.push_back({first + (root - 1 - first) / 2, "left child"});
  joined.push_back({root + 1 + (last - root - 1) / 2, "right child"});
  grow(first, root - 1, root, neighbours);
  grow(root + 1, last, root, neighbours);
}

}  // namespace

TEST_CASE("every binary tree of up to 255 processors is as breadth-first search finds it",
          "[binary_tree]") {
  for (int d = 1; d <= 8; ++d) {
    binary_tree const tree{d};
    std::map<int, std::vector<lockstep::neighbour>> grown;
    grow(0, (1 << d) - 2, -1, grown);
    brute_force::expectation expected;
    expected.neighbours = [&](int rank) { return grown[rank]; };
    auto const away = brute_force::distances(brute_force::ends_of(tree), tree.root());
    INFO(tree.spec());
    CHECK(tree.size() == (1 << d) - 1);
    CHECK(tree.levels() == d);
    CHECK(brute_force::contradiction(tree, expected) == "");
    for (int rank = 0; rank < tree.size(); ++rank) {
      CHECK(tree.depth(rank) == away[static_cast<std::size_t>(rank)]);
      CHECK(tree.is_leaf(rank) == (rank % 2 == 0));
    }
    if (d <= 4)
      CHECK(tree.bisection_width() == brute_force::bisection_width(brute_force::ends_of(tree)));
  }
}

TEST_CASE("the inorder tree of 15 processors", "[binary_tree]") {
  binary_tree const tree{4};  // Mayr and Plaxton 1989, figure 1
  CHECK(tree.root() == 7);
  CHECK(tree.parent(7) == std::nullopt);
  CHECK(tree.left_child(7) == 3);
  CHECK(tree.right_child(7) == 11);
  CHECK(tree.left_child(11) == 9);
  CHECK(tree.right_child(11) == 13);
  CHECK(tree.parent(9) == 11);
  CHECK(tree.left_child(0) == std::nullopt);
  CHECK(tree.right_child(14) == std::nullopt);
  CHECK(tree.parent(14) == 13);
  CHECK(tree.route(0, 6) == std::vector{1, 3, 5, 6});
  CHECK(tree.coordinates(7) == std::vector{0, 0});
  CHECK(tree.coordinates(11) == std::vector{1, 1});
  CHECK(tree.coordinates(14) == std::vector{3, 7});
  CHECK(tree.default_switching() == lockstep::switching::neighbour);
}

TEST_CASE("the largest tree has 2^31 - 1 processors", "[binary_tree]") {
  binary_tree const tree{31};
  int const last = tree.size() - 1;
  CHECK(tree.size() == 2147483647);
  CHECK(tree.hops(0, last) == tree.diameter());
  CHECK(tree.parent(last) == last - 1);
  CHECK(tree.left_child(tree.root()) == 536870911);
  CHECK(tree.right_child(tree.root()) == 1610612735);
  CHECK(tree.coordinates(last) == std::vector{30, 1073741823});
  CHECK(tree.rank_at(std::vector{30, 1073741823}) == last);
  CHECK(tree.coordinates(tree.root()) == std::vector{0, 0});
  CHECK(tree.link_at(tree.links() - 1) == lockstep::link{last - 1, last});
}

TEST_CASE("what a tree does not have is refused", "[binary_tree]") {
  for (int const d : {0, -1, 32, 2147483647})
    CHECK(contains(message_of<lockstep::invalid_topology>([&] { return binary_tree{d}; }),
                   "it has 1 to 31 levels"));
  binary_tree const tree{3};
  check_refuses_what_is_not_there(tree);
  CHECK_THROWS_AS(tree.parent(-1), lockstep::invalid_rank);
  CHECK_THROWS_AS(tree.left_child(7), lockstep::invalid_rank);
  CHECK_THROWS_AS(tree.depth(7), lockstep::invalid_rank);
  CHECK(tree.links() == 12);
  CHECK_THROWS_AS(tree.rank_at(std::vector{3, 0}), lockstep::invalid_argument);
  CHECK_THROWS_AS(tree.rank_at(std::vector{1, 2}), lockstep::invalid_argument);
  CHECK_THROWS_AS(tree.rank_at(std::vector{1}), lockstep::invalid_argument);
}
