#include <lockstep/topologies/hypercube.hpp>

#include <bit>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "message_of.hpp"

using lockstep::dimensions;
using lockstep::hypercube;

TEST_CASE("every hypercube of up to 256 processors is as breadth-first search finds it",
          "[hypercube]") {
  for (int d = 0; d <= 8; ++d) {
    hypercube const cube{d};
    brute_force::expectation expected;
    expected.neighbours = [&](int rank) {
      std::vector<lockstep::neighbour> joined;
      for (int i = 0; i < d; ++i) {
        bool const is_set = rank / (1 << i) % 2 == 1;
        joined.push_back(
            {is_set ? rank - (1 << i) : rank + (1 << i), fmt::format("dimension {}", i)});
      }
      return joined;
    };
    expected.dimension = [](int from, int to) {
      return std::countr_zero(static_cast<unsigned>(from ^ to));
    };
    INFO(cube.spec());
    CHECK(cube.size() == 1 << d);
    CHECK(cube.dimension() == d);
    CHECK(brute_force::contradiction(cube, expected) == "");
    if (d <= 4)
      CHECK(cube.bisection_width() == brute_force::bisection_width(brute_force::ends_of(cube)));
  }
}

TEST_CASE("a hypercube names its places by bits", "[hypercube]") {
  hypercube const cube{4};
  CHECK(cube.coordinates(6) == std::vector{0, 1, 1, 0});
  CHECK(cube.rank_at(std::vector{0, 1, 1, 0}) == 6);
  CHECK_THROWS_AS(cube.rank_at(std::vector{0, 1, 1}), lockstep::invalid_argument);
  CHECK_THROWS_AS(cube.rank_at(std::vector{0, 1, 2, 0}), lockstep::invalid_argument);
  CHECK(cube.default_switching() == lockstep::switching::neighbour);
}

TEST_CASE("impossible dimensions of a hypercube are refused", "[hypercube]") {
  for (int const d : {-1, 31, 32, 64, 2147483647}) {
    auto const refusal = message_of<lockstep::invalid_topology>([&] { return hypercube{d}; });
    CHECK(contains(refusal, fmt::format("a hypercube of dimension {} cannot be built", d)));
    CHECK(contains(refusal, "0 to 30"));
  }
}

TEST_CASE("the largest hypercube numbers its links without overflow", "[hypercube]") {
  hypercube const cube{30};
  CHECK(cube.links() == 32212254720);
  int const last = cube.size() - 1;
  CHECK(cube.link_at(cube.links() - 1) == lockstep::link{last, last - (1 << 29)});
  CHECK(cube.number_of({last, last - (1 << 29)}) == cube.links() - 1);
  CHECK(cube.hops(0, last) == 30);
}

TEST_CASE("what a hypercube does not have is refused", "[hypercube]") {
  hypercube const cube{3};
  CHECK_THROWS_AS(cube.hops(0, 8), lockstep::invalid_rank);
  CHECK_THROWS_AS(cube.route(-1, 0), lockstep::invalid_rank);
  CHECK_THROWS_AS(cube.neighbours(8), lockstep::invalid_rank);
  CHECK_THROWS_AS(cube.link_at(24), lockstep::invalid_argument);
  CHECK_THROWS_AS(cube.end_of(0, lockstep::along{0, 1}), lockstep::invalid_argument);
  CHECK_THROWS_AS(cube.route(0, lockstep::along{0, 1}), lockstep::invalid_argument);
  CHECK_THROWS_AS(hypercube{0}.link_at(0), lockstep::invalid_argument);
  CHECK_FALSE(cube.adjacent(7, 15));
  CHECK(cube.number_of({-1, 0}) == -1);
}

TEST_CASE("processors that vary in k dimensions are a hypercube", "[hypercube]") {
  hypercube const cube{5};
  CHECK(cube.members(13, dimensions{1, 4}) == std::vector{13, 15, 29, 31});
  CHECK(cube.members(31, dimensions{4, 1}) == std::vector{13, 15, 29, 31});
  CHECK(cube.members(13, dimensions(std::vector<int>{})) == std::vector{13});
  CHECK_THROWS_AS(cube.members(13, dimensions{5}), lockstep::invalid_argument);
  CHECK_THROWS_AS(cube.members(13, dimensions{-1}), lockstep::invalid_argument);
  CHECK_THROWS_AS(hypercube{0}.members(0, dimensions{0}), lockstep::invalid_argument);
  auto const spec_of = [&](std::vector<int> const& ranks) { return cube.part(ranks)->spec(); };
  CHECK(spec_of({13, 15, 29, 31}) == "hypercube:2");
  CHECK(spec_of({13}) == "hypercube:0");
  CHECK(spec_of({13, 15, 29}) == "crossbar:3");
  CHECK(spec_of({15, 13, 29, 31}) == "crossbar:4");
  CHECK(spec_of({0, 1, 2, 4}) == "crossbar:4");
  CHECK(spec_of({0, 3}) == "crossbar:2");
  CHECK_THROWS_AS(cube.part(std::vector{32}), lockstep::invalid_rank);
}

TEST_CASE("every subcube of a small hypercube is one", "[hypercube]") {
  hypercube const cube{4};
  for (int mask = 0; mask < 16; ++mask)
    for (int rank = 0; rank < 16; ++rank) {
      std::vector<int> varying;
      for (int i = 0; i < 4; ++i)
        if ((mask & 1 << i) != 0) varying.push_back(i);
      std::vector<int> expected;
      for (int other = 0; other < 16; ++other)
        if (((other ^ rank) & ~mask) == 0) expected.push_back(other);
      REQUIRE(cube.members(rank, dimensions(varying)) == expected);
      REQUIRE(cube.part(expected)->spec() == fmt::format("hypercube:{}", varying.size()));
    }
}
