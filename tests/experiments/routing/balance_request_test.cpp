#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

namespace {

using balance_values = std::map<std::string, lockstep::parameter_value>;

lockstep::experiment_request balance_request(std::string const& on, balance_values const& given) {
  lockstep::experiment_request asked{.network = lockstep::parse(on)};
  for (auto const& taken : lockstep::find_experiment("balance")->parameters)
    asked.parameters[taken.name] = taken.fallback;
  for (auto const& [parameter, value] : given) asked.parameters[parameter] = value;
  return asked;
}

lockstep::experiment_result balanced(std::string const& on, balance_values const& given) {
  return lockstep::find_experiment("balance")->run(balance_request(on, given));
}

std::int64_t figure_in(lockstep::experiment_result const& result, std::string const& name) {
  return std::get<std::int64_t>(result.figures.at(name));
}

std::string balance_refusal(std::string const& on, balance_values const& given) {
  try {
    static_cast<void>(balanced(on, given));
  } catch (lockstep::invalid_argument const& refused) {
    return refused.message();
  }
  return "not refused";
}

}  // namespace

TEST_CASE("balance is right for all loads, and breaks no claim without a reason") {
  for (std::string const loads : {"one", "last", "even", "half", "random"})
    for (int const p : {1, 2, 3, 9, 16})
      for (std::int64_t const packet : {1, 4, 16})
        for (std::int64_t const n : {0, 1, 7, 128, 480, 1001})
          for (std::int64_t const tau : {std::int64_t{0}, 20 * packet}) {
            INFO(loads << ", p = " << p << ", packet " << packet << ", n = " << n << ", tau "
                       << tau);
            auto const result = balanced(
                "crossbar:" + std::to_string(p),
                {{"loads", loads}, {"packet", packet}, {"n", n}, {"tau", tau}, {"seed", n}});
            CHECK(result.correct);
            CHECK(result.record.counts().queued == 0);
            if (!std::get<std::string>(result.figures.at("way")).starts_with("a tree"))
              CHECK(result.record.counts().startups <= 5);
            bool const divides = n % (p * packet) == 0;
            for (auto const& claimed : result.claims) {
              INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value()
                                  << ", measured " << measured_for(claimed, result));
              bool const has_to_hold = divides || claimed.erratum.empty();
              CHECK((holds(claimed, measured_for(claimed, result)) || !has_to_hold));
            }
            for (auto const& bound : result.bounds) CHECK(holds(bound, result.record.counts()));
          }
}

TEST_CASE("balance says how much there was, and how it went") {
  auto const one =
      balanced("crossbar:8", {{"loads", std::string("one")}, {"n", std::int64_t{1000}}});
  CHECK(figure_in(one, "M") == 1000);
  CHECK(figure_in(one, "h") == 8);
  CHECK(figure_in(one, "moved") == 875);
  CHECK(figure_in(one, "phase_1_words") == 750);
  CHECK(figure_in(one, "phase_2_words") == 125);
  CHECK(figure_in(one, "phase_3_words") == 0);
  auto const half =
      balanced("crossbar:8", {{"loads", std::string("half")}, {"n", std::int64_t{1003}}});
  CHECK(figure_in(half, "M") == 1003 - 3 * 250);
  auto const odd =
      balanced("crossbar:5", {{"loads", std::string("half")}, {"n", std::int64_t{103}}});
  CHECK(figure_in(odd, "M") == 41);  // 0 41 0 41 21
  auto const even =
      balanced("crossbar:8", {{"loads", std::string("even")}, {"n", std::int64_t{1003}}});
  CHECK(figure_in(even, "moved") == 0);
  CHECK(even.record.counts().messages == 56);  // sizes
}

TEST_CASE("Theorem 4.1's bound fails straight where pm does not divide n, and holds by a tree") {
  balance_values from_one{{"n", std::int64_t{1280}},
                          {"packet", std::int64_t{4}},
                          {"tau", std::int64_t{4}},
                          {"loads", std::string("one")}};
  auto const time_claim = [](lockstep::experiment_result const& result) {
    auto const found = std::ranges::find(result.claims, "time", &lockstep::claim::figure);
    REQUIRE(found != result.claims.end());
    CHECK(found->value() == 1593);
    return *found;
  };
  auto const tree = balanced("crossbar:256", from_one);
  CHECK(tree.correct);
  CHECK(time_claim(tree).erratum == "made for n, p and m powers of two");  // n is not
  CHECK(measured_for(time_claim(tree), tree) <= 1593);
  CHECK_THAT(std::get<std::string>(tree.figures.at("way")), has_text("a tree of k = "));
  from_one["way"] = std::string("direct");
  auto const straight = balanced("crossbar:256", from_one);
  CHECK(straight.correct);
  CHECK(measured_for(time_claim(straight), straight) == 2320);
  CHECK(time_claim(straight).erratum ==
        "made for n that pm divides; without, whole packets cost more");
  CHECK(std::get<std::string>(straight.figures.at("way")) == "straight (2048)");
}

TEST_CASE("balance refuses what it cannot do") {
  CHECK_THAT(balance_refusal("hypercube:3", {}), has_text("hypercube:3 is not a crossbar"));
  CHECK(balance_refusal("crossbar:4", {{"n", std::int64_t{-1}}}) ==
        "n has to be at least 0, not -1");
  CHECK(balance_refusal("crossbar:4", {{"packet", std::int64_t{0}}}) ==
        "packet has to be at least 1, not 0");
  CHECK(balance_refusal("crossbar:4", {{"tau", std::int64_t{-1}}}) ==
        "tau has to be at least 0, not -1");
  CHECK(balance_refusal("crossbar:4", {{"loads", std::string("two")}}) ==
        "loads: 'two' is not one of one, last, even, half, random");
  CHECK(balance_refusal("crossbar:4", {{"way", std::string("tree")}}) ==
        "way: 'tree' is not one of cheapest, direct");
}

TEST_CASE("balance counts the same on threads, and refuses all ports") {
  auto asked = balance_request(
      "crossbar:6",
      {{"loads", std::string("random")}, {"packet", std::int64_t{3}}, {"n", std::int64_t{200}}});
  auto const& balance = *lockstep::find_experiment("balance");
  auto const on_fibers = balance.run(asked);
  asked.options.engine = lockstep::engine::threads;
  auto const on_threads = balance.run(asked);
  CHECK(on_threads.correct);
  CHECK(on_threads.record.counts() == on_fibers.record.counts());
  asked.options.engine = lockstep::engine::fibers;
  asked.options.ports = lockstep::ports::all;
  CHECK_THROWS_WITH(balance.run(asked), has_text("one port; leave out --ports all"));
}
