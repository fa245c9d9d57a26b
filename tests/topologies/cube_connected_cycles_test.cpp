#include <lockstep/topologies/cube_connected_cycles.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "message_of.hpp"
#include "refusals.hpp"

using lockstep::cube_connected_cycles;

namespace {

/// By the definition: processors are pairs (corner, position).
std::vector<lockstep::neighbour> on_cycle_and_cube(int corner, int position, int d) {
  auto const rank = [=](int x, int i) { return x * d + i; };
  std::vector<lockstep::neighbour> expected;
  if (d > 1) expected.push_back({rank(corner, (position + 1) % d), "forward"});
  if (d > 2) expected.push_back({rank(corner, (position + d - 1) % d), "backward"});
  expected.push_back({rank(corner ^ 1 << position, position), "cube"});
  return expected;
}

}  // namespace

TEST_CASE(
    "all cube-connected cycles of up to 160 processors are as breadth-first search finds them",
    "[cube_connected_cycles]") {
  for (int d = 1; d <= 5; ++d) {
    cube_connected_cycles const network{d};
    INFO(network.spec());
    brute_force::expectation expected;
    expected.neighbours = [&](int rank) { return on_cycle_and_cube(rank / d, rank % d, d); };
    CHECK(brute_force::contradiction(network, expected) == "");
  }
}

TEST_CASE("routes and diameters of larger cube-connected cycles are shortest",
          "[cube_connected_cycles]") {
  for (int d = 6; d <= 9; ++d) {
    cube_connected_cycles const network{d};
    INFO(network.spec());
    auto const ends = brute_force::ends_of(network);
    // Every corner looks like every other: it is enough to start from the positions of corner 0.
    int farthest = 0;
    for (int from = 0; from < d; ++from) {
      auto const away = brute_force::distances(ends, from);
      for (int to = 0; to < network.size(); ++to) {
        auto const links = away[static_cast<std::size_t>(to)];
        farthest = std::max(farthest, links);
        if (network.hops(from, to) != links || network.route(from, to).size() != std::size_t(links))
          FAIL("from " << from << " to " << to);
      }
    }
    CHECK(network.diameter() == farthest);
  }
}

TEST_CASE("size, links, degree and diameter of cube-connected cycles are those of the literature",
          "[cube_connected_cycles]") {
  for (int d = 3; d <= 26; ++d) {
    cube_connected_cycles const network{d};
    INFO(network.spec());
    CHECK(network.size() == d * (1 << d));
    CHECK(network.links() == std::int64_t{3} * d * (1 << d));
    CHECK(network.degree() == 3);
    CHECK(network.diameter() == (d == 3 ? 6 : 2 * d + d / 2 - 2));
    CHECK(network.default_switching() == lockstep::switching::neighbour);
  }
  CHECK(cube_connected_cycles{2}.links() == 16);  // a ring of 8
  CHECK(cube_connected_cycles{2}.degree() == 2);
  CHECK(cube_connected_cycles{2}.diameter() == 4);
  CHECK(cube_connected_cycles{1}.links() == 2);  // a pair
  CHECK(cube_connected_cycles{1}.degree() == 1);
  CHECK(cube_connected_cycles{1}.diameter() == 1);
}

TEST_CASE("the bisection width of cube-connected cycles is 2^(d-1)", "[cube_connected_cycles]") {
  for (int d = 1; d <= 3; ++d) {
    cube_connected_cycles const network{d};
    CHECK(network.bisection_width() == 1 << (d - 1));
    CHECK(brute_force::bisection_width(brute_force::ends_of(network)) == 1 << (d - 1));
  }
}

TEST_CASE("a route in cube-connected cycles changes a bit where it first comes to its position",
          "[cube_connected_cycles]") {
  cube_connected_cycles const network{4};  // rank = corner * 4 + position
  auto const at = [](int corner, int position) { return corner * 4 + position; };
  CHECK(network.route(at(0, 0), at(0, 3)) == std::vector{at(0, 3)});
  CHECK(network.route(at(0, 0), at(3, 1)) == std::vector{at(1, 0), at(1, 1), at(3, 1)});
  CHECK(network.hops(at(0, 0), at(15, 0)) == 8);  // once round, and 4 cube links
  CHECK(network.route(at(0, 0), at(15, 0)) == std::vector{at(1, 0), at(1, 1), at(3, 1), at(3, 2),
                                                          at(7, 2), at(7, 3), at(15, 3),
                                                          at(15, 0)});
  CHECK(network.corner(30) == 7);
  CHECK(network.position(30) == 2);
  CHECK(network.coordinates(30) == std::vector{7, 2});
  CHECK(network.label(30) == "30 (7,2)");
}

TEST_CASE("large cube-connected cycles number their links by formula", "[cube_connected_cycles]") {
  cube_connected_cycles const network{26};
  int const p = network.size();
  for (int const rank : {0, 1, 25, 26, p / 2, p - 26, p - 1})
    for (auto const& other : network.neighbours(rank)) {
      auto const number = network.number_of({rank, other.rank});
      REQUIRE(number >= 0);
      REQUIRE(number < network.links());
      REQUIRE(network.link_at(number) == lockstep::link{rank, other.rank});
    }
  CHECK(network.hops(0, p - 26) == 52);  // all bits differ: once round, and 26 cube links
}

TEST_CASE("a sum over cube-connected cycles takes d steps round the cycle and d across",
          "[cube_connected_cycles]") {
  constexpr int d = 3;
  lockstep::machine const machine{cube_connected_cycles{d}, {.strict = true}};
  auto const run = machine.run([](lockstep::processor& me) {
    auto const& network = dynamic_cast<cube_connected_cycles const&>(me.topology());
    auto const around = network.neighbours(me.rank());
    std::int64_t sum = network.corner(me.rank());
    for (int step = 0; step < d; ++step) {  // each value comes by every position of its cycle
      sum += me.exchange(around[2].rank, sum);
      sum = me.exchange(around[0].rank, sum, around[1].rank);
    }
    return sum;
  });
  CHECK(run.counts().steps == 2 * d);
  CHECK(run.counts().contention == 1);
  for (auto const sum : run.results()) CHECK(sum == 28);  // 0 + 1 + ... + 7
}

TEST_CASE("cube-connected cycles refuse what they do not have", "[cube_connected_cycles]") {
  for (int const d : {0, -1, 27, 2147483647})
    CHECK(contains(message_of<lockstep::invalid_topology>([&] { return cube_connected_cycles{d}; }),
                   "the dimension is 1 to 26"));
  cube_connected_cycles const network{3};
  check_refuses_what_is_not_there(network);
  CHECK_THROWS_AS(network.corner(-1), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.position(24), lockstep::invalid_rank);
  CHECK(network.links() == 72);
  for (auto const& nowhere : {std::vector{8, 0}, {0, 3}, {0, -1}, {1}, {1, 1, 1}})
    CHECK_THROWS_AS(network.rank_at(nowhere), lockstep::invalid_argument);
}
