#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "experiments/requests.hpp"
#include "routing/layer_bound.hpp"

using lockstep::ports;

namespace {

constexpr char const* all_names[] = {"concentrate", "inverse-concentrate", "monotone-route",
                                     "msbt-broadcast", "msbt-sum"};
constexpr std::pair<char const*, char const*> routes[] = {
    {"concentrate", "concentration"},
    {"inverse-concentrate", "inverse concentration"},
    {"monotone-route", "monotone route"}};
constexpr char const* trees[] = {"msbt-broadcast", "msbt-sum"};

void check_without_errata(lockstep::experiment_result const& result, std::size_t claims = 2) {
  requests::check(result);
  CHECK(result.claims.size() >= claims);
  CHECK(std::ranges::all_of(result.claims, &std::string::empty, &lockstep::claim::erratum));
}

}  // namespace

TEST_CASE("each seed makes other records", "[routing]") {
  for (auto const& [name, called] : routes) {
    auto const records = [&](std::int64_t seed) {
      return requests::figure(requests::run(name, "hypercube:6", {{"k", 4}, {"seed", seed}}),
                              "records");
    };
    CHECK(records(1) == records(1));
    CHECK(records(1) != records(2));
    CHECK(records(1) > 0);
  }
}

TEST_CASE("routes are refused by the names of what they do, and ports for passes", "[routing]") {
  for (auto const& [name, called] : routes) {
    CHECK(requests::refusal(name, "torus:4x4") ==
          called + std::string(": torus:4x4 is not a hypercube; take hypercube:4, for example, or "
                               "a subcube of one"));
    auto asked = requests::make(name, "hypercube:3", {{"k", 2}});
    asked.options.ports = ports::per_pass;
    CHECK(requests::refusal(name, asked) ==
          called + std::string(": 2 instances at once have no passes with ports of their own; take "
                               "--ports one or all, or --k 1"));
    asked.parameters["k"] = 1;
    check_without_errata(requests::run(name, asked));
  }
  auto greedy = requests::make("greedy-route", "hypercube:4");
  for (auto const too_few : {ports::one, ports::per_pass}) {
    greedy.options.ports = too_few;
    CHECK_THAT(requests::refusal("greedy-route", greedy), has_text("take --ports all"));
  }
}

TEST_CASE("k routes on one port take kd steps, beside the bounds of links and of layers",
          "[routing]") {
  for (auto const& [name, called] : routes)
    for (auto const* const sets : {"random", "odd", "majority"})
      for (int d = 2; d <= 8; ++d)
        for (int const k : {1, 2, 7}) {
          INFO(name << ", " << sets << ", d = " << d << ", k = " << k);
          auto asked =
              requests::make(name, "hypercube:" + std::to_string(d), {{"k", k}, {"sets", sets}});
          asked.options.ports = ports::one;
          auto const result = requests::run(name, asked);
          check_without_errata(result);
          auto const passes = std::string(name) == "monotone-route" ? 3U : 1U;
          CHECK(result.record.counts().steps == passes * static_cast<unsigned>(k * d));
          auto const* const bound = lockstep::strongest(result.bounds, "words");
          CHECK((bound != nullptr || std::string(sets) != "odd"));
          if (bound != nullptr) CHECK(holds(*bound, result.record.counts()));
        }
}

TEST_CASE(
    "routes through queues keep the bounds of links and of layers, and no strict machine takes "
    "them",
    "[routing]") {
  for (auto const& [name, called] : routes) {
    for (auto const* const sets : {"random", "odd", "majority"})
      for (int d = 2; d <= 7; ++d)
        for (auto const with : {ports::one, ports::all}) {
          INFO(name << ", " << sets << ", d = " << d);
          auto asked = requests::make(name, "hypercube:" + std::to_string(d),
                                      {{"k", 7}, {"sets", sets}, {"queued", true}});
          asked.options.ports = with;
          auto const result = requests::run(name, asked);
          auto const& counts = result.record.counts();
          CHECK(result.correct);
          CHECK(std::ranges::all_of(result.claims,
                                    [&](auto const& claimed) { return holds(claimed, counts); }));
          CHECK(std::ranges::all_of(result.bounds,
                                    [&](auto const& bound) { return holds(bound, counts); }));
        }
    auto strict = requests::make(name, "hypercube:3", {{"queued", true}});
    strict.options.strict = true;
    CHECK_THAT(requests::refusal(name, strict), has_text("leave out --strict, or --queued"));
  }
}

TEST_CASE("the odd processors' concentration has kd/4 links to go for each processor",
          "[routing]") {
  for (auto const* const name : {"concentrate", "inverse-concentrate"})
    for (int d = 2; d <= 10; ++d) {
      auto asked =
          requests::make(name, "hypercube:" + std::to_string(d), {{"k", 8}, {"sets", "odd"}});
      asked.options.ports = ports::one;
      auto const result = requests::run(name, asked);
      CHECK(std::ranges::any_of(result.bounds, [&](lockstep::lower_bound const& each) {
        return each.figure == "words" && each.reason == lockstep::bound_reason::links &&
               each.value == static_cast<std::uint64_t>(2 * d);
      }));
    }
}

TEST_CASE("the paper's monotone routes go through layers about the middle", "[routing]") {
  auto const through = [](int d, int k) {
    auto asked = requests::make("monotone-route", "hypercube:" + std::to_string(d),
                                {{"k", k}, {"sets", "majority"}});
    asked.options.ports = ports::one;
    auto const result = requests::run("monotone-route", asked);
    for (auto const& each : result.bounds)
      if (each.source == "lockstep, after Mayr and Plaxton 1989, 4") return each;
    FAIL("no bound of a layer");
    return lockstep::lower_bound{};
  };
  CHECK(through(6, 4).formula == "88 records through 15 processors with 2 ones");
  CHECK(through(6, 4).value == 6);
  CHECK(through(5, 1).formula == "16 records through 10 processors with 2 ones");
  CHECK(through(8, 100).value == 167);   // 93 of 256 in each, 56 processors with three ones
  CHECK(through(10, 100).value == 184);  // 386 and 210
}

TEST_CASE("what a layer lets through, counted one record at a time", "[routing]") {
  std::mt19937 random(3);
  for (int d = 1; d <= 6; ++d) {
    std::vector<lockstep::routed_pair_of_ranks> records(40);
    for (auto& each : records)
      each = {static_cast<unsigned>(random()) % (1U << static_cast<unsigned>(d)),
              static_cast<unsigned>(random()) % (1U << static_cast<unsigned>(d))};
    auto const layers = lockstep::hypercube_layers(d, records);
    REQUIRE(layers.size() == static_cast<std::size_t>(d) + 1);
    for (auto const& layer : layers) {
      std::uint64_t in = 0;
      std::uint64_t out = 0;
      for (auto const& [from, to] : records) {
        // The shortest way has each number of ones between both ends.
        for (int ones = std::popcount(from); ones != std::popcount(to);) {
          if (ones == layer.ones) ++out;
          ones += ones < std::popcount(to) ? 1 : -1;
          if (ones == layer.ones) ++in;
        }
      }
      CHECK(layer.records == std::max(in, out));
      std::uint64_t processors = 0;
      for (unsigned rank = 0; rank < 1U << static_cast<unsigned>(d); ++rank)
        processors += std::popcount(rank) == layer.ones ? 1 : 0;
      CHECK(layer.processors == processors);
    }
  }
}

TEST_CASE("a greedy schedule for any permutation has as many rounds as some needs", "[routing]") {
  for (auto const* const pattern : {"bit-reversal", "transpose", "random"}) {
    auto const rounds = [&](int d, bool any) {
      auto const result = requests::run("greedy-route", "hypercube:" + std::to_string(d),
                                        {{"pattern", pattern}, {"any-permutation", any}});
      check_without_errata(result, 1);
      return requests::figure(result, "greedy_rounds");
    };
    CHECK(rounds(4, true) == 4);  // two groups of two dimensions
    CHECK(rounds(8, true) == 4 + 4 + 2);
    CHECK(rounds(4, false) <= 4);
    CHECK(rounds(8, false) <= 10);
  }
}

TEST_CASE("binomial trees take other roots and the plain scheme", "[routing]") {
  for (auto const* const name : trees) {
    CHECK(requests::run(name, "hypercube:4", {{"k", 6}}).record.counts().steps == 9);
    auto asked = requests::make(name, "hypercube:4", {{"k", 6}, {"plain", true}, {"root", 13}});
    auto const plain = requests::run(name, asked);
    check_without_errata(plain);
    CHECK(plain.record.counts().steps == 10);
    CHECK(plain.parameters.at("plain") == lockstep::parameter_value(true));
    asked.parameters["root"] = 16;
    CHECK(requests::refusal(name, asked) == "root has to be at most 15, not 16");
    asked.parameters["root"] = 0;
    asked.parameters["plain"] = 1;
    CHECK(requests::refusal(name, asked) == "plain has to be a flag");
  }
}

TEST_CASE("routes and trees refuse machines that have no room for them", "[routing]") {
  for (auto const* const name : all_names)
    CHECK_THROWS_AS(requests::run(name, "hypercube:30", {{"k", 50'000}}), lockstep::out_of_memory);
}
