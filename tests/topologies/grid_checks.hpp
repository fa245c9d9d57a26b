#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "grid_shapes.hpp"

/// What holds of meshes and of tori.
namespace grid_checks {

/// Searches through each grid of up to 256 processors with that many dimensions.
template <class Grid>
void check_by_search(bool wraps, std::size_t least_dimensions, std::size_t most_dimensions) {
  for (auto const& sizes : grid_shapes(256)) {
    if (sizes.size() < least_dimensions || sizes.size() > most_dimensions) continue;
    Grid const network{sizes};
    REQUIRE(network.size() == processors(sizes));
    brute_force::expectation expected;
    expected.neighbours = [&](int rank) { return grid_neighbours(sizes, rank, wraps); };
    expected.dimension = [&](int from, int to) { return differing_dimension(sizes, from, to); };
    if (network.size() > 16) expected.route_sources = network.size() > 64 ? 1 : 2;
    if (network.size() > 36) expected.hop_sources = 3;
    INFO(network.spec());
    REQUIRE(brute_force::contradiction(network, expected) == "");
  }
}

/// Checks that sizes and a list of sizes make the same grid, a "mesh" or a "torus".
template <class Grid>
void check_sizes(std::string const& name) {
  CHECK(Grid{8}.sizes() == std::vector<int>{8});
  CHECK(Grid{{8}}.sizes() == std::vector<int>{8});
  CHECK(Grid{4, 5}.sizes() == std::vector<int>{4, 5});
  CHECK(Grid({4, 5}).spec() == name + ":4x5");
  CHECK(Grid{{4, 5}}.sizes() == std::vector<int>{4, 5});
  CHECK(Grid{2, 3, 4}.spec() == name + ":2x3x4");
  CHECK(Grid{2, 3, 4, 5}.spec() == name + ":2x3x4x5");
  std::vector<int> const sizes{6, 7};
  CHECK(Grid{sizes}.sizes() == sizes);
  CHECK(Grid(sizes).sizes() == sizes);
  CHECK(Grid{{sizes.begin(), sizes.end()}}.sizes() == sizes);
  CHECK(Grid::square(3).spec() == name + ":3x3");
  CHECK_THROWS_AS((Grid{4, 0}), lockstep::invalid_topology);
  CHECK_THROWS_AS(Grid::square(-1), lockstep::invalid_topology);
}

/// Checks the grids of one dimension that have a name of their own.
template <class Line>
void check_one_dimension(std::string const& spec_of_eight, bool wraps) {
  Line const eight{8};
  CHECK(eight.spec() == spec_of_eight);
  CHECK(eight.sizes() == std::vector{8});
  CHECK(eight.adjacent(0, 7) == wraps);
  lockstep::machine const m{Line{8}};
  CHECK(m.topology().spec() == spec_of_eight);
  CHECK(m.options().switching == std::nullopt);
  CHECK_THROWS_AS(Line(0), lockstep::invalid_topology);
}

template <class Grid>
void check_coordinates_in_braces() {
  Grid const plane{3, 5};
  CHECK(plane.rank_at({1, 2}) == 7);
  lockstep::topology const& any = plane;
  CHECK(any.rank_at({2, 4}) == 14);
  CHECK_THROWS_AS(any.rank_at({1, 2, 3}), lockstep::invalid_argument);
  CHECK_THROWS_AS(any.rank_at({3, 0}), lockstep::invalid_argument);
  CHECK_THROWS_AS(any.rank_at({}), lockstep::invalid_argument);
}

}  // namespace grid_checks
