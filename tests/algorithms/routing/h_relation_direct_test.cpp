#include <lockstep/algorithms/routing/h_relation_direct.hpp>

#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "routing/h_relation_samples.hpp"

using lockstep::processor;
using lockstep::round_order;
using lockstep::round_timing;

TEST_CASE("single-phase routing brings blocks where they go, in the order of sources") {
  int const p = GENERATE(1, 2, 3, 5, 8, 16);
  for (auto const order : {round_order::pex, round_order::lp})
    for (auto const timing : {round_timing::stepwise, round_timing::pipelined})
      for (auto const& all : sampled_parcels(p, 9, 8)) {
        INFO("p = " << p << ", " << name_of(order) << ", " << name_of(timing));
        auto const run = run_routing(all, [&](processor& me, auto mine) {
          return h_relation_direct(me, mine, &parcel::home, order, timing);
        });
        CHECK(run.results() == lockstep::by_destination(all));
        CHECK(run.counts().rounds == index(rounds_of(order, p)));
        CHECK(run.counts().steps <= run.counts().rounds);
        CHECK(run.counts().queued == 0);
      }
}

TEST_CASE("pairwise exchange needs more rounds where p is not a power of 2") {
  CHECK(rounds_of(round_order::pex, 1) == 0);
  CHECK(rounds_of(round_order::pex, 5) == 7);
  CHECK(rounds_of(round_order::pex, 8) == 7);
  CHECK(rounds_of(round_order::pex, 9) == 15);
  CHECK(rounds_of(round_order::lp, 9) == 8);
}

TEST_CASE("the partners of a round are those of a xor, or of a shift") {
  for (int p = 1; p <= 9; ++p)
    for (int rank = 0; rank < p; ++rank) {
      for (int k = 0; k <= rounds_of(round_order::pex, p); ++k) {
        int const partner = (rank ^ k) < p ? rank ^ k : -1;
        auto const met = partners_in(round_order::pex, k, rank, p);
        CHECK((met.to == partner && met.from == partner));
      }
      for (int k = 0; k < p; ++k) {
        auto const met = partners_in(round_order::lp, k, rank, p);
        CHECK((met.to == (rank + k) % p && met.from == (rank + p - k) % p));
      }
    }
}

TEST_CASE("single-phase routing has no other orders and timings") {
  CHECK_THROWS_AS(name_of(static_cast<round_order>(5)), lockstep::invalid_argument);
  CHECK_THROWS_AS(name_of(static_cast<round_timing>(5)), lockstep::invalid_argument);
}

TEST_CASE("single-phase routing works within a subset") {
  auto const run = run_routing(parcels(7), [](processor& me, auto) {
    auto us = me.subset(me.rank() < 3 ? std::vector{2, 0, 1} : std::vector{3, 4, 5, 6});
    std::vector<parcel> mine;
    for (int to = 0; to < us.size(); ++to) mine.push_back({to, me.rank(), 0});
    return h_relation_direct(us, std::span<parcel const>(mine), &parcel::home);
  });
  for (int const rank : {0, 6}) {
    auto const& arrived = run.results()[index(rank)];
    CHECK(arrived.size() == (rank == 0 ? 3 : 4));
    for (auto const& one : arrived) CHECK(one.home == (rank == 0 ? 1 : 3));
    CHECK(arrived.front().source == (rank == 0 ? 2 : 3));
  }
}
