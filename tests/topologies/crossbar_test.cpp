#include <lockstep/topologies/crossbar.hpp>

#include <vector>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

#include "../catch.hpp"
#include "brute_force.hpp"
#include "message_of.hpp"

using lockstep::crossbar;

TEST_CASE("every crossbar of up to 256 processors is as breadth-first search finds it",
          "[crossbar]") {
  for (int p = 1; p <= 256; p += p < 40 ? 1 : 27) {  // ends with 256
    crossbar const network{p};
    brute_force::expectation expected;
    expected.neighbours = [&](int rank) {
      std::vector<lockstep::neighbour> others;
      for (int other = 0; other < p; ++other)
        if (other != rank) others.push_back({other, fmt::format("processor {}", other)});
      return others;
    };
    INFO(network.spec());
    CHECK(network.size() == p);
    CHECK(brute_force::contradiction(network, expected) == "");
    if (p <= 16)
      CHECK(network.bisection_width() ==
            brute_force::bisection_width(brute_force::ends_of(network)));
  }
}

TEST_CASE("a crossbar of millions has no tables", "[crossbar]") {
  crossbar const network{2147483647};
  CHECK(network.links() == 4611686011984936962);
  lockstep::link const last{2147483646, 2147483645};
  CHECK(network.link_at(network.links() - 1) == last);
  CHECK(network.number_of(last) == network.links() - 1);
  CHECK(network.bisection_width() == 1152921503533105152);
  CHECK(network.degree() == 2147483646);
}

TEST_CASE("what a crossbar does not have is refused", "[crossbar]") {
  for (int const p : {0, -5})
    CHECK(contains(message_of<lockstep::invalid_topology>([&] { return crossbar{p}; }),
                   "at least 1"));
  crossbar const network{3};
  CHECK_THROWS_AS(network.neighbours(3), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.hops(0, 3), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.route(3, 0), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.link_at(6), lockstep::invalid_argument);
  CHECK_THROWS_AS(network.rank_at(std::vector{3}), lockstep::invalid_argument);
  CHECK_THROWS_AS(network.end_of(0, lockstep::along{0, 1}), lockstep::invalid_argument);
  CHECK_THROWS_AS(crossbar{1}.link_at(0), lockstep::invalid_argument);
  CHECK(network.number_of({0, 0}) == -1);
  CHECK(network.part(std::vector{2, 0})->spec() == "crossbar:2");
}
