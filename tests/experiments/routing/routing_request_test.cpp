#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "catch.hpp"
#include "experiments/requests.hpp"

using lockstep::ports;

namespace {

constexpr char const* all_names[] = {"concentrate", "inverse-concentrate", "monotone-route",
                                     "msbt-broadcast", "msbt-sum"};
constexpr std::pair<char const*, char const*> routes[] = {
    {"concentrate", "concentration"},
    {"inverse-concentrate", "inverse concentration"},
    {"monotone-route", "monotone route"}};
constexpr char const* trees[] = {"msbt-broadcast", "msbt-sum"};

void check_without_errata(lockstep::experiment_result const& result) {
  requests::check(result);
  CHECK(result.claims.size() >= 2);
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

TEST_CASE("routes are refused by the names of what they do, and more than one without all ports",
          "[routing]") {
  for (auto const& [name, called] : routes) {
    CHECK(requests::refusal(name, "torus:4x4") ==
          called + std::string(": torus:4x4 is not a hypercube; take hypercube:4, for example, or "
                               "a subcube of one"));
    auto asked = requests::make(name, "hypercube:3", {{"k", 2}});
    for (auto const too_few : {ports::one, ports::per_pass}) {
      asked.options.ports = too_few;
      CHECK(requests::refusal(name, asked) ==
            called + std::string(": 2 instances at once need all ports of a processor; take "
                                 "--ports all, or --k 1"));
    }
    asked.parameters["k"] = 1;
    check_without_errata(requests::run(name, asked));
  }
  auto greedy = requests::make("greedy-route", "hypercube:4");
  for (auto const too_few : {ports::one, ports::per_pass}) {
    greedy.options.ports = too_few;
    CHECK_THAT(requests::refusal("greedy-route", greedy), has_text("take --ports all"));
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
