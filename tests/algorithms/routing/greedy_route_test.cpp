#include <lockstep/algorithms/routing/greedy_route.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "routing/hypercube_routing.hpp"

using lockstep::greedy_group;
using lockstep::greedy_schedule;
using lockstep::ports;
using lockstep::processor;
using lockstep::routed;

namespace {

std::vector<int> reversed_bits(int d) {
  std::vector<int> to{0};
  for (int bit = 1 << d >> 1; bit > 0; bit /= 2)
    for (std::size_t i = 0, known = to.size(); i < known; ++i) to.push_back(to[i] + bit);
  return to;
}

std::vector<int> random_permutation(int d, unsigned seed) {
  auto to = ranks_below(1 << d);
  std::ranges::shuffle(to, std::mt19937(seed));
  return to;
}

/// Routes a packet of each processor that has a destination, and compares where they are.
lockstep::counts routed_counts(int d, std::vector<int> const& to, greedy_schedule const& schedule,
                               lockstep::engine by = lockstep::engine::fibers) {
  lockstep::machine const on(lockstep::hypercube{d},
                             {.ports = ports::all, .strict = true, .engine = by});
  auto const run = on.run([&](processor& me) {
    return lockstep::greedy_route(me, routed<int>{me.rank(), to[index(me.rank())]}, schedule)
        .value_or(-1);
  });
  std::vector<int> expected(to.size(), -1);
  for (int from = 0; from < on.size(); ++from)
    if (to[index(from)] != routed<int>::nowhere) expected[index(to[index(from)])] = from;
  CHECK(run.results() == expected);
  INFO("d = " << d);
  check_claims(lockstep::greedy_route_claims(schedule), run.counts());
  return run.counts();
}

}  // namespace

TEST_CASE("bits are reversed greedily in 20, 38 and 74 steps", "[routing]") {
  for (auto const& [d, steps] : {std::pair{4, 20}, {6, 38}, {8, 74}}) {
    auto const to = reversed_bits(d);
    CHECK(routed_counts(d, to, {d, to}).steps == static_cast<std::uint64_t>(steps));
  }
}

TEST_CASE("all permutations of 4 packets are routed", "[routing]") {
  std::vector<int> to{0, 1, 2, 3};
  do {
    routed_counts(2, to, {2, to});
  } while (std::ranges::next_permutation(to).found);
}

TEST_CASE("permutations are routed, of all or of some processors, on both engines",
          "[routing][threads]") {
  for (int d = 0; d <= 7; ++d)
    for (unsigned seed = 0; seed < 4; ++seed)
      for (auto const by : {lockstep::engine::fibers, lockstep::engine::threads}) {
        if (d > 4 && by == lockstep::engine::threads) continue;
        auto to = random_permutation(d, seed);
        for (std::size_t i = 0; i < to.size(); ++i)
          if (seed == 1 ? i % 3 == 0 : seed == 2) to[i] = routed<int>::nowhere;
        routed_counts(d, to, {d, to}, by);
        routed_counts(d, to, greedy_schedule(d), by);
      }
}

TEST_CASE("groups have ceil(log2 d) dimensions, from the highest down", "[routing]") {
  auto const groups_of = [](int d) {
    greedy_schedule const schedule(d);
    CHECK_FALSE(schedule.is_for_a_pattern());
    return std::vector(schedule.groups().begin(), schedule.groups().end());
  };
  CHECK(groups_of(0).empty());
  CHECK(groups_of(1) == std::vector<greedy_group>{{0, 1, 1}});
  CHECK(groups_of(2) == std::vector<greedy_group>{{1, 1, 1}, {0, 1, 1}});
  CHECK(groups_of(5) == std::vector<greedy_group>{{2, 3, 4}, {0, 2, 2}});
  CHECK(groups_of(8) == std::vector<greedy_group>{{5, 3, 4}, {2, 3, 4}, {0, 2, 2}});
}

TEST_CASE("no pattern takes more rounds than the schedule for all", "[routing]") {
  for (int d = 1; d <= 9; ++d) {
    greedy_schedule const any(d);
    std::vector<std::vector<int>> patterns{reversed_bits(d)};
    for (unsigned seed = 0; seed < 30; ++seed) patterns.push_back(random_permutation(d, seed));
    for (auto const& to : patterns) {
      greedy_schedule const schedule(d, to);
      REQUIRE(schedule.groups().size() == any.groups().size());
      for (std::size_t i = 0; i < any.groups().size(); ++i)
        CHECK(schedule.groups()[i].rounds <= any.groups()[i].rounds);
    }
  }
  auto const to = reversed_bits(6);
  CHECK(greedy_schedule(6, to).groups()[0].rounds == 4);  // attained
}

TEST_CASE("a schedule is made for the dimensions of a hypercube", "[routing]") {
  for (int const d : {-1, 31, 64}) {
    CHECK_THROWS_WITH(greedy_schedule(d), has_text("is not in 0 to 30"));
    CHECK_THROWS_WITH(greedy_schedule(d, std::vector{0}), has_text("take one of these"));
  }
  CHECK(greedy_schedule(30).groups().size() == 6);
}

TEST_CASE("what is not a permutation of the machine is refused", "[routing]") {
  auto const schedule_for = [](std::vector<int> const& to) { return greedy_schedule(2, to); };
  CHECK_THROWS_WITH(schedule_for({0, 1, 2}), has_text("3 destinations are given for 4 processors"));
  CHECK_THROWS_WITH(schedule_for({0, 1, 2, 4}), has_text("destination 4 is not a rank"));
  CHECK_THROWS_WITH(schedule_for({0, 1, 2, 1}), has_text("two packets go to processor 1"));

  lockstep::machine_options const all_ports{.ports = ports::all};
  auto const refusal = [&](greedy_schedule const& schedule, auto const& to,
                           char const* network = "hypercube:3") {
    return refusal_on(lockstep::machine(lockstep::parse(network), all_ports), [&](processor& me) {
      static_cast<void>(lockstep::greedy_route(me, routed<int>{0, to(me.rank())}, schedule));
    });
  };
  auto const same = [](int rank) { return rank; };
  CHECK_THAT(refusal(greedy_schedule(2), same),
             has_text("the schedule was made for hypercube:2, not for hypercube:3"));
  CHECK_THAT(refusal(greedy_schedule(3), [](int) { return 8; }),
             has_text("destination 8 is not a rank"));
  CHECK_THAT(refusal(greedy_schedule(3, ranks_below(8)), [](int rank) { return rank ^ 7; }),
             has_text("make the schedule for this pattern"));
  CHECK_THAT(refusal(greedy_schedule(3), same, "crossbar:8"),
             has_text("crossbar:8 is not a hypercube"));
}
