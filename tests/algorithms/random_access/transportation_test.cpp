#include <lockstep/algorithms/random_access/transportation.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/random_access/transportation_traffic.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "random_access/access_samples.hpp"
#include "routing/row_sums.hpp"

using lockstep::transportation_route;
using lockstep::transportation_traffic;

namespace {

constexpr std::array all_traffic{
    transportation_traffic::uniform,       transportation_traffic::shift,
    transportation_traffic::doubled,       transportation_traffic::random,
    transportation_traffic::hot,           transportation_traffic::gather,
    transportation_traffic::worst_rounding};

struct cargo {
  int to = 0;
  int from = 0;
  int number = 0;  ///< among the elements of its source

  friend bool operator==(cargo const&, cargo const&) = default;
};

/// The elements of all processors, shuffled in each, and those for each by source.
struct plain_transportation {
  plain_transportation(std::vector<std::uint64_t> const& traffic, int processors)
      : p(static_cast<std::size_t>(processors)), sent(p), arriving(p) {
    for (std::size_t i = 0; i < p; ++i) {
      std::vector<int> to;
      for (std::size_t j = 0; j < p; ++j)
        to.insert(to.end(), traffic[i * p + j], static_cast<int>(j));
      // A stride that has no factor in common with the size goes through all in another order.
      auto const size = to.size();
      for (std::size_t n = 0; n < size; ++n) {
        auto const at = size % 7 == 0 ? size - 1 - n : 7 * n % size;
        cargo const one{to[at], static_cast<int>(i), static_cast<int>(n)};
        sent[i].push_back(one);
        arriving[static_cast<std::size_t>(one.to)].push_back(one);
      }
    }
  }

  std::size_t p;
  std::vector<std::vector<cargo>> sent;
  std::vector<std::vector<cargo>> arriving;
};

/// The words of both stages, element by element: the e-th of the layout of i goes by (e + i) mod p.
std::array<std::vector<std::uint64_t>, 2> plain_loads(std::vector<std::uint64_t> const& traffic,
                                                      std::size_t p) {
  std::vector<std::uint64_t> first(p * p);
  std::vector<std::uint64_t> second(p * p);
  for (std::size_t i = 0; i < p; ++i) {
    std::size_t e = 0;
    for (std::size_t j = 0; j < p; ++j)
      for (std::uint64_t n = 0; n < traffic[i * p + j]; ++n, ++e) {
        ++first[i * p + (e + i) % p];
        ++second[(e + i) % p * p + j];
      }
  }
  std::array<std::vector<std::uint64_t>, 2> largest;
  for (std::size_t round = 1; round < p; ++round)
    for (auto const& [all, into] : {std::pair(&first, &largest[0]), {&second, &largest[1]}}) {
      std::uint64_t most = 0;
      for (std::size_t i = 0; i < p; ++i) most = std::max(most, (*all)[i * p + (i + round) % p]);
      into->push_back(most);
    }
  return largest;
}

/// What a processor gets, and what the answers say that come back.
struct there_and_back {
  std::vector<cargo> there;
  std::vector<cargo> back;

  friend bool operator==(there_and_back const&, there_and_back const&) = default;
};

auto transported(plain_transportation const& plain, lockstep::transportation_options const& options,
                 lockstep::machine const& on) {
  return on.run([&](processor& me) {
    auto const& mine = plain.sent[static_cast<std::size_t>(me.rank())];
    auto const came = transportation(me, std::span(mine), &cargo::to, options);
    CHECK(came.route.sent() == mine.size());
    CHECK(came.route.arrived() == came.elements.size());
    std::vector<cargo> answers;
    for (auto const& one : came.elements)
      answers.push_back({me.rank(), one.from, one.number + 1000});
    return there_and_back{came.elements,
                          transportation_back(me, came.route, std::span<cargo const>(answers))};
  });
}

auto transported(plain_transportation const& plain, lockstep::transportation_options const& options,
                 lockstep::engine engine = lockstep::engine::fibers) {
  return transported(plain, options, strict_crossbar_of(static_cast<int>(plain.p), engine));
}

void check_there_and_back(plain_transportation const& plain,
                          std::vector<there_and_back> const& results) {
  REQUIRE(results.size() == plain.p);
  for (std::size_t rank = 0; rank < plain.p; ++rank) {
    auto const& [there, back] = results[rank];
    CHECK(there == plain.arriving[rank]);
    REQUIRE(back.size() == plain.sent[rank].size());
    for (std::size_t i = 0; i < back.size(); ++i) {
      auto const& one = plain.sent[rank][i];
      CHECK(back[i] == cargo{one.to, one.from, one.number + 1000});
    }
  }
}

void check_transportation(transportation_traffic traffic, int p, std::uint64_t t) {
  INFO(name_of(traffic) << ", p = " << p << ", t = " << t);
  auto const numbers = generated_traffic(traffic, p, t, 5);
  plain_transportation const plain(numbers, p);
  auto const loads = plain_loads(numbers, plain.p);
  auto const counted = loads_of(numbers, p, transportation_route::two_stages);
  CHECK(counted.stage_1 == loads[0]);
  CHECK(counted.stage_2 == loads[1]);
  for (auto const route : {transportation_route::two_stages, transportation_route::direct}) {
    auto const run = transported(plain, {.route = route});
    check_there_and_back(plain, run.results());
    auto const& phases = run.phases();
    bool const in_stages = route == transportation_route::two_stages;
    REQUIRE(phases.size() == (in_stages ? 4 : 2));
    for (std::size_t stage = 0; stage < phases.size() / 2; ++stage) {
      auto const& words = in_stages ? loads[stage] : loads_of(numbers, p, route).stage_1;
      auto const& back = phases[phases.size() - 1 - stage];
      CHECK(phases[stage].name == (stage == 0 ? "stage 1" : "stage 2"));
      CHECK(phases[stage].words == std::accumulate(words.begin(), words.end(), std::uint64_t{0}));
      CHECK(back.words == phases[stage].words);
      CHECK(back.startups == phases[stage].startups);
      CHECK(back.name == phases[stage].name);
    }
    CHECK(run.counts().rounds == phases.size() * (plain.p - 1));
  }
}

}  // namespace

TEST_CASE("transportation brings all traffic where it goes, and the answers back",
          "[random_access]") {
  for (int p = 1; p <= 17; ++p)
    for (auto const traffic : all_traffic) {
      if (traffic == transportation_traffic::doubled && p % 2 == 0) continue;
      if (traffic == transportation_traffic::hot && p == 1) continue;
      for (int const t : {0, 1, p - 1, 3 * p + 2})
        check_transportation(traffic, p, static_cast<std::uint64_t>(t));
    }
  check_transportation(transportation_traffic::worst_rounding, 32, 64);
}

TEST_CASE("the loads of many processors are known at once", "[random_access]") {
  constexpr int p = 1024;  // for which each of p^3 numbers is too many
  for (std::uint64_t const t : {8U, 3000U}) {
    auto const numbers = generated_traffic(transportation_traffic::uniform, p, t, 1);
    auto const loads = loads_of(numbers, p, transportation_route::two_stages);
    CHECK(std::accumulate(loads.stage_1.begin(), loads.stage_1.end(), std::uint64_t{0}) ==
          t - (t + p - 1) / p);
    CHECK(std::ranges::max(loads.stage_2) <= t / p + p - 1);
  }
}

TEST_CASE("with a seed the first elements go by way of processors that are drawn",
          "[random_access]") {
  using lockstep::detail::first_middles;
  CHECK(first_middles(4, std::nullopt) == std::vector<int>{0, 1, 2, 3});
  CHECK(first_middles(64, 3) != first_middles(64, 4));
  std::vector<int> drawn(5);  // how often each, in 5,000 draws
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    for (int const middle : first_middles(5, seed)) ++drawn.at(static_cast<std::size_t>(middle));
  for (int const often : drawn) CHECK((often > 900 && often < 1100));
}

TEST_CASE("a seed for elements that go straight is refused", "[random_access]") {
  CHECK_THAT(refused_on(2,
                        [](processor& me) {
                          std::vector<int> const mine{0};
                          return transportation(me, std::span(mine), std::identity{},
                                                {.route = transportation_route::direct, .seed = 1})
                              .elements.size();
                        }),
             has_text("go by way of nobody"));
  CHECK_THAT(refusal_of_call([] {
               return loads_of(std::vector<std::uint64_t>(4), 2, transportation_route::direct, 1);
             }),
             has_text("leave the seed 1 out"));
}

TEST_CASE("transportation with a seed brings all traffic, with the loads that are known before",
          "[random_access]") {
  for (int const p : {1, 2, 5, 8, 16})
    for (auto const traffic : {transportation_traffic::uniform, transportation_traffic::random,
                               transportation_traffic::worst_rounding}) {
      auto const numbers = generated_traffic(traffic, p, 3 * static_cast<std::uint64_t>(p) + 2, 5);
      plain_transportation const plain(numbers, p);
      for (std::uint64_t const seed : {1U, 2U, 3U}) {
        INFO(name_of(traffic) << ", p = " << p << ", seed " << seed);
        for (bool const in_order : {true, false}) {
          auto const run = strict_crossbar_of(p).run([&](processor& me) {
            auto const& mine = plain.sent[static_cast<std::size_t>(me.rank())];
            auto came = transportation(me, std::span(mine), &cargo::to,
                                       {.keeps_route = false, .in_order = in_order, .seed = seed})
                            .elements;
            if (!in_order)
              std::ranges::sort(came, {},
                                [](cargo const& one) { return std::pair(one.from, one.number); });
            return came;
          });
          for (std::size_t rank = 0; rank < plain.p; ++rank)
            CHECK(run.results()[rank] == plain.arriving[rank]);
          auto const loads = loads_of(numbers, p, transportation_route::two_stages, seed);
          auto const sum = [](std::vector<std::uint64_t> const& of) {
            return std::accumulate(of.begin(), of.end(), std::uint64_t{0});
          };
          CHECK(run.phases()[0].words == sum(loads.stage_1));
          CHECK(run.phases()[1].words == sum(loads.stage_2));
        }
      }
    }
}

TEST_CASE("answers come back over ways that are drawn", "[random_access]") {
  for (int const p : {1, 2, 5, 8}) {
    plain_transportation const plain(generated_traffic(transportation_traffic::random, p,
                                                       3 * static_cast<std::uint64_t>(p) + 2, 5),
                                     p);
    for (std::uint64_t const seed : {1U, 2U}) {
      INFO("p = " << p << ", seed " << seed);
      auto const run =
          transported(plain, {.route = transportation_route::two_stages, .seed = seed});
      check_there_and_back(plain, run.results());
      REQUIRE(run.phases().size() == 4);
      CHECK(run.phases()[2].words == run.phases()[1].words);
      CHECK(run.phases()[3].words == run.phases()[0].words);
    }
  }
}

TEST_CASE("transportation with a seed brings all traffic on hypercube, mesh and torus",
          "[random_access]") {
  for (std::string const spec : {"hypercube:3", "mesh:2x4", "torus:3x3"}) {
    lockstep::machine const on(lockstep::parse(spec),
                               {.switching = lockstep::switching::cut_through, .strict = true});
    int const p = on.size();
    plain_transportation const plain(generated_traffic(transportation_traffic::random, p,
                                                       3 * static_cast<std::uint64_t>(p) + 2, 5),
                                     p);
    for (std::uint64_t const seed : {1U, 2U}) {
      INFO(spec << ", seed " << seed);
      auto const run =
          transported(plain, {.route = transportation_route::two_stages, .seed = seed}, on);
      check_there_and_back(plain, run.results());
      CHECK(run.counts().contention == 1);
    }
  }
}

TEST_CASE("all messages of a round of stage 1 are equal up to one element", "[random_access]") {
  constexpr int p = 8;
  plain_transportation const plain(generated_traffic(transportation_traffic::shift, p, 20, 1), p);
  auto const run = transported(plain, {.route = transportation_route::two_stages});
  for (std::uint64_t step = 1; step < p; ++step)
    CHECK(run.steps()[step - 1].largest * p - run.steps()[step - 1].volume <= p);
  CHECK(run.phases()[0].words == 20 - 3);
}

TEST_CASE("traffic is what the page says", "[random_access]") {
  using matrix = std::vector<std::uint64_t>;
  using enum transportation_traffic;
  CHECK(generated_traffic(uniform, 3, 7, 1) == matrix{3, 2, 2, 2, 2, 3, 2, 3, 2});
  CHECK(generated_traffic(shift, 3, 7, 1) == matrix{0, 7, 0, 0, 0, 7, 7, 0, 0});
  CHECK(generated_traffic(doubled, 3, 7, 1) == matrix{7, 0, 0, 0, 0, 7, 0, 7, 0});
  CHECK(generated_traffic(hot, 3, 7, 1) == matrix{7, 0, 0, 7, 0, 0, 7, 0, 0});
  CHECK(generated_traffic(gather, 3, 7, 1) == matrix{7, 0, 0, 7, 0, 0, 7, 0, 0});
  CHECK(generated_traffic(worst_rounding, 4, 16, 1) ==
        matrix{4, 4, 6, 6, 5, 6, 6, 6, 5, 5, 6, 6, 4, 5, 6, 6});
  auto const drawn = generated_traffic(random, 5, 100, 3);
  CHECK(drawn != generated_traffic(random, 5, 100, 4));
  CHECK(lockstep::row_sums(drawn, 5) == matrix(5, 100));
  CHECK(lockstep::column_sums(drawn, 5) == matrix(5, 100));
  CHECK_THROWS_AS(generated_traffic(doubled, 4, 1, 1), lockstep::invalid_argument);
  CHECK_THROWS_AS(generated_traffic(hot, 1, 1, 1), lockstep::invalid_argument);
  CHECK_THROWS_AS(generated_traffic(uniform, 0, 1, 1), lockstep::invalid_argument);
  CHECK_THROWS_AS(generated_traffic(transportation_traffic{200}, 4, 1, 1),
                  lockstep::invalid_argument);
}

TEST_CASE("transportation without a route, and in no order, brings and costs the same",
          "[random_access]") {
  auto const by_source = [](cargo const& a, cargo const& b) {
    return std::pair(a.from, a.number) < std::pair(b.from, b.number);
  };
  for (int const p : {1, 3, 8})
    for (auto const traffic : {transportation_traffic::uniform, transportation_traffic::random,
                               transportation_traffic::worst_rounding}) {
      plain_transportation const plain(generated_traffic(traffic, p, 41, 7), p);
      auto const counts = [&](lockstep::transportation_options const& options) {
        auto const run = strict_crossbar_of(p).run([&](processor& me) {
          auto const& mine = plain.sent[static_cast<std::size_t>(me.rank())];
          return transportation(me, std::span(mine), &cargo::to, options);
        });
        for (std::size_t rank = 0; rank < plain.p; ++rank) {
          auto came = run.results()[rank].elements;
          if (!options.in_order) std::ranges::sort(came, by_source);
          CHECK(came == plain.arriving[rank]);
          CHECK((options.keeps_route || run.results()[rank].route.arrived() == 0));
        }
        return run.counts();
      };
      auto const whole = counts({});
      CHECK(counts({.keeps_route = false}) == whole);
      CHECK(counts({.keeps_route = false, .in_order = false}) == whole);
      CHECK(counts({.in_order = false}) == whole);
      CHECK(counts({.route = transportation_route::direct, .keeps_route = false}).rounds ==
            static_cast<std::uint64_t>(p - 1));
    }
}

TEST_CASE("transportation is counted alike on both engines", "[random_access][threads][sanitize]") {
  plain_transportation const plain(generated_traffic(transportation_traffic::random, 5, 30, 2), 5);
  for (auto const route : {transportation_route::two_stages, transportation_route::direct})
    alike_on_both_engines(
        [&](lockstep::engine by) { return transported(plain, {.route = route}, by); });
}

TEST_CASE("transportation refuses destinations and answers that there are not", "[random_access]") {
  auto const refusal_to = [&](int to) {
    return refused_on(2, [to](processor& me) {
      std::vector<int> const mine{to};
      return transportation(me, std::span(mine), std::identity{}).elements.size();
    });
  };
  CHECK_THAT(refusal_to(2), has_text("its element 0 to processor 2"));
  CHECK_THAT(refusal_to(-1), has_text("its element 0 to processor -1"));
  CHECK(refusal_to(1) == "not refused");
  auto const refused = refused_on(2, [](processor& me) {
    std::vector<int> const mine{0, 1};
    auto const came = transportation(me, std::span(mine), std::identity{});
    return transportation_back(me, came.route, std::span(mine).first(1)).size();
  });
  CHECK_THAT(refused, has_text("gives 1 answers to the 2 elements"));
}

TEST_CASE("answers are refused a route on other processors, or of another transportation",
          "[random_access]") {
  lockstep::recorded_route of_two;
  of_two.stages.resize(1);
  of_two.stages[0].received_from.resize(2);
  CHECK_THAT(refused_on(3,
                        [&](processor& me) {
                          std::vector<int> const none;
                          return transportation_back(me, of_two, std::span(none)).size();
                        }),
             has_text("the route is one of 2 processors, and 3 call"));
  lockstep::machine const on(lockstep::parse("mesh:2x2"));
  auto const refused = refusal_of<lockstep::invalid_argument>(on, [](processor& me) {
    std::vector<int> const mine{1, 2, 3};
    auto const all = transportation(me, std::span(mine), std::identity{});
    auto const one = transportation(me, std::span(mine).first(1), std::identity{});
    auto const& came = me.rank() == 0 ? all : one;
    return transportation_back(me, came.route, std::span(came.elements)).size();
  });
  CHECK_THAT(refused, has_text("give the route of the same transportation on all processors"));
}
