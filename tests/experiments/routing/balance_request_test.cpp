#include <algorithm>
#include <cstdint>
#include <string>

#include "catch.hpp"
#include "experiments/requests.hpp"

namespace {

std::string way_in(lockstep::experiment_result const& result) {
  return std::get<std::string>(result.figures.at("way"));
}

}  // namespace

TEST_CASE("balance says how much there was, and how it went") {
  auto const balanced = [](int p, char const* loads, std::int64_t n) {
    return requests::run("balance", "crossbar:" + std::to_string(p), {{"loads", loads}, {"n", n}});
  };
  auto const one = balanced(8, "one", 1000);
  for (auto const& [name, value] : {std::pair("M", 1000),
                                    {"h", 8},
                                    {"moved", 875},
                                    {"phase_1_words", 750},
                                    {"phase_2_words", 125},
                                    {"phase_3_words", 0}})
    CHECK(requests::figure(one, name) == value);
  CHECK(requests::figure(balanced(8, "half", 1003), "M") == 1003 - 3 * 250);
  CHECK(requests::figure(balanced(5, "half", 103), "M") == 41);  // 0 41 0 41 21
  auto const even = balanced(8, "even", 1003);
  CHECK(requests::figure(even, "moved") == 0);
  CHECK(even.record.counts().messages == 56);  // sizes
}

TEST_CASE("Theorem 4.1's bound fails straight where pm does not divide n, and holds by a tree") {
  requests::values from_one{{"n", 1280}, {"packet", 4}, {"tau", 4}, {"loads", "one"}};
  auto const time_claim = [](lockstep::experiment_result const& result) {
    CHECK(result.correct);
    auto const found = std::ranges::find(result.claims, "time", &lockstep::claim::figure);
    REQUIRE(found != result.claims.end());
    CHECK(found->value() == 1593);
    return *found;
  };
  auto const tree = requests::run("balance", "crossbar:256", from_one);
  CHECK(time_claim(tree).erratum == "made for n, p and m powers of two");  // n is not
  CHECK(measured_for(time_claim(tree), tree) <= 1593);
  CHECK_THAT(way_in(tree), has_text("a tree of k = "));
  from_one["way"] = "direct";
  auto const straight = requests::run("balance", "crossbar:256", from_one);
  CHECK(measured_for(time_claim(straight), straight) == 2320);
  CHECK(time_claim(straight).erratum ==
        "made for n that pm divides; without, whole packets cost more");
  CHECK(way_in(straight) == "straight (2048)");
}

TEST_CASE("balance refuses other networks, and all ports") {
  CHECK_THAT(requests::refusal("balance", "hypercube:3"),
             has_text("hypercube:3 is not a crossbar"));
  auto asked = requests::make("balance", "crossbar:6");
  asked.options.ports = lockstep::ports::all;
  CHECK_THAT(requests::refusal("balance", asked), has_text("one port; leave out --ports all"));
}
