#include <lockstep/topologies/torus.hpp>

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/ring.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "grid_checks.hpp"
#include "grid_shapes.hpp"
#include "message_of.hpp"

using lockstep::along;
using lockstep::dimensions;
using lockstep::torus;

TEST_CASE("braces name the sizes of a torus", "[torus]") {
  CHECK(torus{{12}}.sizes() == std::vector{12});
  CHECK(torus{{12, 12}}.sizes() == std::vector{12, 12});
  CHECK(torus{{6, 10, 4}}.sizes() == std::vector{6, 10, 4});
  CHECK(torus{{1, 2, 3, 4, 5, 6, 7, 8}}.size() == 40320);
  std::vector<int> const sizes{3, 4};
  torus const made{sizes};
  torus const copy{made};
  CHECK(copy.sizes() == sizes);
  CHECK(copy.spec() == "torus:3x4");
}

TEST_CASE("ranks of a torus are in row-major order", "[torus]") {
  torus const square{{12, 10}};
  CHECK(square.rank_at(std::vector{3, 4}) == 34);
  CHECK(square.coordinates(34) == std::vector{3, 4});
  CHECK(square.end_of(34, along{0, 1}) == 44);   // dimension 0: the next row
  CHECK(square.end_of(34, along{1, -1}) == 33);  // dimension 1: the column before
}

TEST_CASE("every torus of 1 and 2 dimensions is as breadth-first search finds it", "[torus]") {
  grid_checks::check_by_search<torus>(true, 1, 2);
}

TEST_CASE("every torus of 3 dimensions is as breadth-first search finds it", "[torus]") {
  grid_checks::check_by_search<torus>(true, 3, 3);
}

TEST_CASE("tori of 4 to 8 dimensions are as breadth-first search finds them", "[torus]") {
  grid_checks::check_by_search<torus>(true, 4, 8);
}

TEST_CASE("the bisection width of a torus is least over all halves", "[torus]") {
  int unknown = 0;
  for (auto const& sizes : grid_shapes(16)) {
    torus const network{sizes};
    INFO(network.spec());
    auto const width = network.bisection_width();
    if (width) {
      REQUIRE(*width == brute_force::bisection_width(brute_force::ends_of(network)));
    } else {
      ++unknown;
    }
  }
  CHECK(unknown > 0);
  CHECK(torus{{3, 2}}.bisection_width() == std::nullopt);
  CHECK(torus{{12, 12}}.bisection_width() == 24);
  CHECK(torus{{5, 5}}.bisection_width() == 12);
  CHECK(torus{{1, 1}}.bisection_width() == 0);
}

TEST_CASE("a torus routes ties upwards", "[torus]") {
  CHECK(torus{{4}}.route(1, 3) == std::vector{2, 3});
  CHECK(torus{{4}}.route(3, 1) == std::vector{0, 1});
  CHECK(torus{{5}}.route(0, 3) == std::vector{4, 3});
  CHECK(torus{{4, 4}}.route(0, 10) == std::vector{4, 8, 9, 10});
  for (int size = 2; size <= 12; size += 2)
    for (int from = 0; from < size; ++from)
      CHECK(torus{{size}}.route(from, (from + size / 2) % size).front() == (from + 1) % size);
}

TEST_CASE("along goes that many links round a torus", "[torus]") {
  for (auto const& sizes : std::vector<std::vector<int>>{{7}, {2}, {2, 3}, {4, 2, 5}}) {
    torus const network{sizes};
    for (int k = 0; k < static_cast<int>(sizes.size()); ++k)
      for (int from = 0; from < network.size(); ++from)
        for (int offset = -15; offset <= 15; ++offset) {
          auto place = row_major_place(sizes, from);
          int& x = place[static_cast<std::size_t>(k)];
          int const size = sizes[static_cast<std::size_t>(k)];
          std::vector<int> expected;
          for (int taken = 0; taken < std::abs(offset); ++taken) {
            x = (x + (offset > 0 ? 1 : size - 1)) % size;
            expected.push_back(row_major_rank(sizes, place));
          }
          INFO(network.spec() << ": from " << from << " by " << offset << " along " << k);
          REQUIRE(network.route(from, along{k, offset}) == expected);
          REQUIRE(network.end_of(from, along{k, offset}) == row_major_rank(sizes, place));
        }
  }
}

TEST_CASE("along goes any offset round a torus", "[torus]") {
  torus const ring{{10}};
  CHECK(ring.end_of(3, along{0, std::numeric_limits<int>::max()}) == (3 + 7) % 10);
  CHECK(ring.end_of(3, along{0, std::numeric_limits<int>::min()}) == 5);  // 3 - 8 + 10
}

TEST_CASE("a way that a torus does not have is refused", "[torus]") {
  using lockstep::invalid_argument;
  using lockstep::invalid_rank;
  torus const network{{4, 1}};
  CHECK_THROWS_AS(network.end_of(0, along{2, 1}), invalid_argument);
  CHECK_THROWS_AS(network.end_of(0, along{-1, 1}), invalid_argument);
  CHECK_THROWS_AS(network.route(0, along{2, 1}), invalid_argument);
  CHECK_THROWS_AS(network.end_of(0, along{1, 1}), invalid_rank);
  CHECK(network.end_of(2, along{1, 0}) == 2);
  CHECK_THROWS_AS(network.end_of(4, along{0, 1}), invalid_rank);
  CHECK_THROWS_AS(network.hops(0, 4), invalid_rank);
  CHECK_THROWS_AS(network.hops(-1, 0), invalid_rank);
  CHECK_THROWS_AS(network.route(0, 4), invalid_rank);
  CHECK_THROWS_AS(network.neighbours(4), invalid_rank);
  CHECK_THROWS_AS(network.coordinates(-1), invalid_rank);
  CHECK_THROWS_AS(network.rank_at(std::vector{4, 0}), invalid_argument);
  CHECK_THROWS_AS(network.rank_at(std::vector{0}), invalid_argument);
  CHECK_THROWS_AS(network.link_at(8), invalid_argument);
  CHECK_THROWS_AS(network.link_at(-1), invalid_argument);
  CHECK(network.number_of({0, 4}) == -1);
  CHECK(network.number_of({-1, 0}) == -1);
  CHECK(network.number_of({1, 1}) == -1);
  CHECK_FALSE(network.adjacent(0, 4));
}

TEST_CASE("impossible sizes of a torus are refused", "[torus]") {
  auto const refusal = [](std::vector<int> const& sizes) {
    return message_of<lockstep::invalid_topology>([&] { return torus{sizes}; });
  };
  CHECK(contains(refusal({}), "1 to 8 dimensions, not 0"));
  CHECK(contains(refusal({1, 1, 1, 1, 1, 1, 1, 1, 1}), "1 to 8 dimensions, not 9"));
  CHECK(contains(refusal({0}), "at least 1, not 0"));
  CHECK(contains(refusal({4, -3}), "at least 1, not -3"));
  CHECK(contains(refusal({65536, 32768}), "at most 2147483647 processors"));
  CHECK(contains(refusal({2147483647, 2147483647, 2147483647}), "at most 2147483647 processors"));
  CHECK(contains(refusal({4, 0}), "{4, 0}"));
  CHECK_THROWS_AS((torus{{0}}), lockstep::invalid_topology);
}

TEST_CASE("the largest torus numbers its links without overflow", "[torus]") {
  constexpr int most = std::numeric_limits<int>::max();
  torus const ring{{most}};
  CHECK(ring.size() == most);
  CHECK(ring.links() == 2 * lockstep::link_number{most});
  CHECK(ring.hops(0, most - 1) == 1);
  CHECK(ring.diameter() == most / 2);
  CHECK(ring.link_at(ring.number_of({most - 1, 0})) == lockstep::link{most - 1, 0});
  CHECK(ring.end_of(most - 1, along{0, most}) == most - 1);
  CHECK(ring.end_of(most - 1, along{0, 2}) == 1);
  torus const wide{{46340, 46340}};
  CHECK(wide.size() == 2147395600);
  CHECK(wide.hops(0, wide.size() - 1) == 2);
  CHECK(wide.bisection_width() == 2 * 46340);
}

TEST_CASE("full dimensions of a torus are a torus", "[torus]") {
  torus const network{{3, 4, 5}};
  CHECK(network.members(27, dimensions{1}) == std::vector{22, 27, 32, 37});
  CHECK(network.members(27, dimensions{2, 0}) ==
        std::vector{5, 6, 7, 8, 9, 25, 26, 27, 28, 29, 45, 46, 47, 48, 49});
  CHECK(network.members(27, dimensions(std::vector<int>{})) == std::vector{27});
  CHECK_THROWS_AS(network.members(27, dimensions{3}), lockstep::invalid_argument);
  CHECK_THROWS_AS(network.members(60, dimensions{0}), lockstep::invalid_rank);

  auto const spec_of = [&](std::vector<int> const& ranks) { return network.part(ranks)->spec(); };
  CHECK(spec_of(network.members(27, dimensions{1})) == "torus:4");
  CHECK(spec_of(network.members(27, dimensions{2, 0})) == "torus:3x5");
  CHECK(spec_of(network.members(59, dimensions{0, 1, 2})) == "torus:3x4x5");
  CHECK(spec_of({27}) == "torus:1");
  CHECK(spec_of({22, 27, 32}) == "crossbar:3");              // a part of a ring
  CHECK(spec_of({27, 32, 37, 22}) == "crossbar:4");          // not in rank order
  CHECK(spec_of({22, 27, 32, 38}) == "crossbar:4");          // not along one dimension
  CHECK(spec_of({22, 23, 24, 27, 28, 29}) == "crossbar:6");  // not a full plane
  CHECK_THROWS_AS(network.part(std::vector<int>{}), lockstep::invalid_argument);
  CHECK_THROWS_AS(network.part(std::vector{0, 60}), lockstep::invalid_rank);
}

TEST_CASE("neighbours in a part of a torus are neighbours in the torus", "[torus]") {
  torus const network{{3, 4, 2, 5}};
  for (auto const& varying : {dimensions{0}, dimensions{1, 3}, dimensions{0, 2, 3}}) {
    auto const ranks = network.members(77, varying);
    auto const part = network.part(ranks);
    for (std::size_t from = 0; from < ranks.size(); ++from)
      for (std::size_t to = 0; to < ranks.size(); ++to)
        REQUIRE(part->hops(static_cast<int>(from), static_cast<int>(to)) ==
                network.hops(ranks[from], ranks[to]));
  }
}

TEST_CASE("a torus from sizes is the same as from a list", "[topologies][torus]") {
  grid_checks::check_sizes<torus>("torus");
}

TEST_CASE("a ring is a torus of one dimension", "[torus]") {
  grid_checks::check_one_dimension<lockstep::ring>("torus:8", true);
}

TEST_CASE("the coordinates of a torus can be a list in braces", "[torus]") {
  grid_checks::check_coordinates_in_braces<torus>();
}
