#pragma once

#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/topology.hpp>

#include "../catch.hpp"

/// Checks that a network without dimensions refuses ranks, links and dimensions that are not its own. Its
/// first three processors are not a network of its kind.
inline void check_refuses_what_is_not_there(lockstep::topology const& network) {
  int const p = network.size();
  CHECK_THROWS_AS(network.neighbours(p), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.hops(0, p), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.hops(p, 0), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.route(-1, 0), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.route(0, p), lockstep::invalid_rank);
  CHECK_THROWS_AS(network.link_at(network.links()), lockstep::invalid_argument);
  CHECK_THROWS_AS(network.members(0, lockstep::dimensions{0}), lockstep::invalid_argument);
  CHECK(network.number_of({p, 0}) == -1);
  CHECK(network.number_of({0, p}) == -1);
  CHECK(network.number_of({0, 0}) == -1);
  CHECK(network.part(std::vector{0, 1, 2})->spec() == "crossbar:3");
}
