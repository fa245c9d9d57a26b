#include <lockstep/topologies/mesh.hpp>

#include <cstddef>
#include <limits>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/line.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "grid_checks.hpp"
#include "grid_shapes.hpp"
#include "message_of.hpp"

using lockstep::along;
using lockstep::dimensions;
using lockstep::mesh;

TEST_CASE("braces name the sizes of a mesh", "[mesh]") {
  CHECK(mesh{{12}}.sizes() == std::vector{12});
  CHECK(mesh{{6, 10}}.sizes() == std::vector{6, 10});
  CHECK(mesh{{6, 10, 4}}.sizes() == std::vector{6, 10, 4});
  CHECK(mesh{{6, 10, 4}}.spec() == "mesh:6x10x4");
  CHECK(mesh{{6, 10, 4}}.default_switching() == lockstep::switching::cut_through);
}

TEST_CASE("every mesh of 1 and 2 dimensions is as breadth-first search finds it", "[mesh]") {
  grid_checks::check_by_search<mesh>(false, 1, 2);
}

TEST_CASE("every mesh of 3 dimensions is as breadth-first search finds it", "[mesh]") {
  grid_checks::check_by_search<mesh>(false, 3, 3);
}

TEST_CASE("meshes of 4 to 8 dimensions are as breadth-first search finds them", "[mesh]") {
  grid_checks::check_by_search<mesh>(false, 4, 8);
}

TEST_CASE("the bisection width of a mesh is least over all halves", "[mesh]") {
  for (auto const& sizes : grid_shapes(16)) {
    mesh const network{sizes};
    INFO(network.spec());
    REQUIRE(network.bisection_width() ==
            brute_force::bisection_width(brute_force::ends_of(network)));
  }
  CHECK(mesh{{6, 10, 4}}.bisection_width() == 24);
  CHECK(mesh{{5, 5}}.bisection_width() == 6);
}

TEST_CASE("along stays on a mesh", "[mesh]") {
  mesh const network{{3, 4}};
  for (int from = 0; from < 12; ++from)
    for (int k = 0; k < 2; ++k)
      for (int offset = -5; offset <= 5; ++offset) {
        auto place = row_major_place({3, 4}, from);
        place[static_cast<std::size_t>(k)] += offset;
        int const x = place[static_cast<std::size_t>(k)];
        if (x < 0 || x >= (k == 0 ? 3 : 4)) {
          CHECK_THROWS_AS(network.end_of(from, along{k, offset}), lockstep::invalid_rank);
          CHECK_THROWS_AS(network.route(from, along{k, offset}), lockstep::invalid_rank);
        } else {
          int const end = row_major_rank({3, 4}, place);
          CHECK(network.end_of(from, along{k, offset}) == end);
          CHECK(network.route(from, along{k, offset}) == network.route(from, end));
        }
      }
  CHECK_THROWS_AS(network.end_of(0, along{2, 0}), lockstep::invalid_argument);
}

TEST_CASE("a way off the edge says where the edge is", "[mesh]") {
  try {
    static_cast<void>(mesh{{3, 4}}.end_of(5, along{1, 7}));
    FAIL("no error");
  } catch (lockstep::invalid_rank const& caught) {
    CHECK(caught.rank() == 5);
    CHECK(contains(caught.what(),
                   "+7 along dimension 1 leads from processor 5 off the edge of "
                   "mesh:3x4"));
    CHECK(contains(caught.what(), "take an offset of -1 to 2"));
  }
  auto const far = [] { return mesh{{3}}.end_of(1, along{0, std::numeric_limits<int>::min()}); };
  CHECK(contains(message_of<lockstep::invalid_rank>(far), "-2147483648 along dimension 0"));
}

TEST_CASE("impossible sizes of a mesh are refused", "[mesh]") {
  auto const refusal = [](std::vector<int> const& sizes) {
    return message_of<lockstep::invalid_topology>([&] { return mesh{sizes}; });
  };
  CHECK(contains(refusal({}), "a mesh of sizes {} cannot be built"));
  CHECK(contains(refusal({1, 1, 1, 1, 1, 1, 1, 1, 1}), "1 to 8 dimensions"));
  CHECK(contains(refusal({3, 0}), "at least 1, not 0"));
  CHECK(contains(refusal({-2147483647 - 1}), "at least 1"));
  CHECK(contains(refusal({46341, 46341}), "at most 2147483647 processors"));
}

TEST_CASE("the largest mesh numbers its links without overflow", "[mesh]") {
  constexpr int most = std::numeric_limits<int>::max();
  mesh const line{{most}};
  CHECK(line.links() == 2 * (lockstep::link_number{most} - 1));
  CHECK(line.hops(0, most - 1) == most - 1);
  CHECK(line.diameter() == most - 1);
  CHECK(line.link_at(line.links() - 1) == lockstep::link{most - 1, most - 2});
  mesh const wide{{46340, 46340}};
  lockstep::link const last{wide.size() - 2, wide.size() - 1};
  CHECK(wide.link_at(wide.number_of(last)) == last);
}

TEST_CASE("full dimensions of a mesh are a mesh", "[mesh]") {
  mesh const network{{3, 4, 5}};
  auto const spec_of = [&](std::vector<int> const& ranks) { return network.part(ranks)->spec(); };
  CHECK(network.members(27, dimensions{1}) == std::vector{22, 27, 32, 37});
  CHECK(spec_of(network.members(27, dimensions{1})) == "mesh:4");
  CHECK(spec_of(network.members(27, dimensions{1, 2})) == "mesh:4x5");
  CHECK(spec_of({27}) == "mesh:1");
  CHECK(spec_of({37, 32, 27, 22}) == "crossbar:4");
  CHECK(spec_of({0, 59}) == "crossbar:2");
}

TEST_CASE("a mesh from sizes is the same as from a list", "[topologies][mesh]") {
  grid_checks::check_sizes<mesh>("mesh");
}

TEST_CASE("a line is a mesh of one dimension", "[mesh]") {
  grid_checks::check_one_dimension<lockstep::line>("mesh:8", false);
}

TEST_CASE("the coordinates of a mesh can be a list in braces", "[mesh]") {
  grid_checks::check_coordinates_in_braces<mesh>();
}
