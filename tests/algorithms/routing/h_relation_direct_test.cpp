#include <lockstep/algorithms/routing/h_relation_direct.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "routing/h_relation_samples.hpp"

using lockstep::processor;
using lockstep::round_order;
using lockstep::round_timing;

namespace {

auto routed_directly(parcels const& all, round_order order, round_timing timing,
                     lockstep::engine engine = lockstep::engine::fibers) {
  lockstep::machine const machine(lockstep::crossbar{static_cast<int>(all.size())},
                                  {.strict = true, .engine = engine, .workers = 1});
  return machine.run([&](processor& me) {
    return h_relation_direct(me, std::span(all[static_cast<std::size_t>(me.rank())]), &parcel::home,
                             order, timing);
  });
}

/// A plain loop over the sources.
parcels by_source(parcels const& all) {
  parcels arrived(all.size());
  for (auto const& of_one : all)
    for (auto const& one : of_one) arrived[static_cast<std::size_t>(one.home)].push_back(one);
  return arrived;
}

std::uint64_t number_between(parcels const& all, std::size_t i, std::size_t j) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      all[i], [&](parcel const& one) { return one.home == static_cast<int>(j); }));
}

struct expected_cost {
  std::uint64_t rounds = 0;
  std::uint64_t startups = 0;
  std::uint64_t words = 0;
};

expected_cost stepwise_cost(parcels const& all, round_order order) {
  auto const p = all.size();
  expected_cost cost;
  std::size_t rounds = p - 1;
  if (order == round_order::pex)
    for (rounds = 1; rounds < p;) rounds *= 2;
  if (order == round_order::pex) --rounds;
  for (std::size_t k = 1; k <= rounds; ++k) {
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < p; ++i) {
      auto const j = order == round_order::pex ? i ^ k : (i + k) % p;
      if (j < p) largest = std::max(largest, number_between(all, i, j));
    }
    cost.startups += largest > 0 ? 1 : 0;
    cost.words += largest;
  }
  cost.rounds = rounds;
  return cost;
}

expected_cost pipelined_cost(parcels const& all, round_order order) {
  auto const p = all.size();
  auto cost = stepwise_cost(all, order);
  cost.words = 0;
  for (std::size_t i = 0; i < p; ++i) {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    for (std::size_t j = 0; j < p; ++j) {
      sent += i == j ? 0 : number_between(all, i, j);
      received += i == j ? 0 : number_between(all, j, i);
    }
    cost.words = std::max({cost.words, sent, received});
  }
  cost.startups = cost.words > 0 ? 1 : 0;
  return cost;
}

void check_direct(parcels const& all) {
  for (auto const order : {round_order::pex, round_order::lp})
    for (auto const timing : {round_timing::stepwise, round_timing::pipelined}) {
      INFO("p = " << all.size() << ", " << name_of(order) << ", " << name_of(timing));
      auto const run = routed_directly(all, order, timing);
      CHECK(run.results() == by_source(all));
      auto const expected =
          timing == round_timing::stepwise ? stepwise_cost(all, order) : pipelined_cost(all, order);
      CHECK(run.counts().rounds == expected.rounds);
      CHECK(run.counts().startups == expected.startups);
      CHECK(run.counts().words == expected.words);
      CHECK(run.counts().queued == 0);
      CHECK(run.counts().steps <= expected.rounds);
    }
}

}  // namespace

TEST_CASE("single-phase routing brings random blocks where they go, in the order of sources") {
  int const p = GENERATE(1, 2, 3, 5, 8, 16);
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    INFO("seed " << seed);
    check_direct(parcels_of(random_numbers(p, 9, seed), seed));
  }
}

TEST_CASE("single-phase routing of few elements, of all to one and of all local ones") {
  int const p = GENERATE(1, 2, 3, 5, 8, 16);
  for (auto const& all : special_parcels(p)) check_direct(all);
}

TEST_CASE("single-phase routing is counted alike on both engines") {
  auto const all = parcels_of(random_numbers(6, 20, 3), 3);
  for (auto const order : {round_order::pex, round_order::lp})
    for (auto const timing : {round_timing::stepwise, round_timing::pipelined}) {
      auto const on_fibers = routed_directly(all, order, timing, lockstep::engine::fibers);
      auto const on_threads = routed_directly(all, order, timing, lockstep::engine::threads);
      CHECK(on_fibers.counts() == on_threads.counts());
      CHECK(on_fibers.results() == on_threads.results());
    }
}

TEST_CASE("single-phase routing with threads", "[threads][sanitize]") {
  auto const all = parcels_of(random_numbers(5, 20, 4), 4);
  for (auto const timing : {round_timing::stepwise, round_timing::pipelined})
    CHECK(routed_directly(all, round_order::pex, timing, lockstep::engine::threads).results() ==
          by_source(all));
}

TEST_CASE("pairwise exchange needs more rounds where p is not a power of 2") {
  CHECK(rounds_of(round_order::pex, 1) == 0);
  CHECK(rounds_of(round_order::pex, 5) == 7);
  CHECK(rounds_of(round_order::pex, 8) == 7);
  CHECK(rounds_of(round_order::pex, 9) == 15);
  CHECK(rounds_of(round_order::lp, 9) == 8);
  CHECK(partners_in(round_order::pex, 7, 4, 5).to == 3);
  CHECK(partners_in(round_order::pex, 7, 0, 5).to == -1);
  CHECK(partners_in(round_order::lp, 4, 3, 5).to == 2);
  CHECK(partners_in(round_order::lp, 4, 3, 5).from == 4);
}

TEST_CASE("the example of single-phase routing gives what it says") {
  struct person {
    int home;
    int age;
  };
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const run = machine.run([&](processor& me) {
    std::vector<person> const people(8, person{0, me.rank()});
    return h_relation_direct(me, std::span<person const>(people), &person::home).size();
  });
  CHECK(run.results()[0] == 32);
  CHECK(run.counts().words == 24);
}

TEST_CASE(
    "single-phase routing refuses a destination that is not a rank, and orders that do not exist") {
  lockstep::machine const machine{lockstep::crossbar{2}};
  auto const refusal = refusal_of<lockstep::invalid_argument>(machine, [](processor& me) {
    std::vector<parcel> const mine{parcel{0, 0, 0}, parcel{2, 0, 1}};
    return h_relation_direct(me, std::span(mine), &parcel::home).size();
  });
  CHECK_THAT(refusal, has_text("its element 1 to processor 2"));
  CHECK_THROWS_AS(name_of(static_cast<round_order>(5)), lockstep::invalid_argument);
  CHECK_THROWS_AS(name_of(static_cast<round_timing>(5)), lockstep::invalid_argument);
}

TEST_CASE("single-phase routing works within a subset") {
  lockstep::machine const machine(lockstep::crossbar{7}, {.strict = true, .workers = 1});
  auto const run = machine.run([](processor& me) {
    std::vector<int> const members = me.rank() < 3 ? std::vector{2, 0, 1} : std::vector{3, 4, 5, 6};
    auto us = me.subset(members);
    std::vector<parcel> mine;
    mine.reserve(static_cast<std::size_t>(us.size()));
    for (int to = 0; to < us.size(); ++to) mine.push_back({to, me.rank(), to});
    return h_relation_direct(us, std::span<parcel const>(mine), &parcel::home);
  });
  for (int const rank : {0, 6}) {
    auto const& arrived = run.results()[static_cast<std::size_t>(rank)];
    CHECK(arrived.size() == (rank == 0 ? 3 : 4));
    for (auto const& one : arrived) CHECK(one.home == (rank == 0 ? 1 : 3));
    CHECK(arrived.front().source == (rank == 0 ? 2 : 3));
  }
}
