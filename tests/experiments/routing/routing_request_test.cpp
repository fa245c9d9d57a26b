#include <cstdint>
#include <string>
#include <utility>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

using lockstep::ports;

namespace {

constexpr char const* all_names[] = {"concentrate", "inverse-concentrate", "monotone-route",
                                     "msbt-broadcast", "msbt-sum"};
constexpr char const* routes[] = {"concentrate", "inverse-concentrate", "monotone-route"};
constexpr char const* trees[] = {"msbt-broadcast", "msbt-sum"};

lockstep::experiment_request request_for(std::string const& name, std::string const& on,
                                         std::int64_t k, std::int64_t seed = 1) {
  auto const& which = *lockstep::find_experiment(name);
  lockstep::experiment_request asked{.network = lockstep::parse(on)};
  asked.options.ports = which.default_ports;
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["k"] = k;
  asked.parameters["seed"] = seed;
  return asked;
}

lockstep::experiment_result run(std::string const& name,
                                lockstep::experiment_request const& asked) {
  return lockstep::find_experiment(name)->run(asked);
}

std::string refusal_of(std::string const& name, lockstep::experiment_request const& asked) {
  try {
    static_cast<void>(run(name, asked));
  } catch (lockstep::invalid_argument const& refused) {
    CHECK(refused.step() == 0);  // before anything ran
    return refused.message();
  }
  return "not refused";
}

void check_right_without_errata(lockstep::experiment_result const& result) {
  CHECK(result.correct);
  CHECK(result.claims.size() >= 2);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value() << ", measured "
                        << metric_value(result.record.counts(), claimed.figure));
    CHECK(claimed.erratum.empty());
    CHECK(holds(claimed, result.record.counts()));
  }
}

}  // namespace

TEST_CASE("routes and trees are right for any d, k and seed", "[routing]") {
  for (auto const* const name : all_names)
    for (int d = 0; d <= 7; ++d)
      for (std::int64_t const k : {1, 2, 7, 40})
        for (std::int64_t const seed : {1, 2, 33}) {
          INFO(name << ", d = " << d << ", k = " << k << ", seed " << seed);
          check_right_without_errata(
              run(name, request_for(name, "hypercube:" + std::to_string(d), k, seed)));
        }
}

TEST_CASE("each seed makes other records", "[routing]") {
  for (auto const* const name : routes) {
    auto const records = [&](std::int64_t seed) {
      auto const result = run(name, request_for(name, "hypercube:6", 4, seed));
      return std::get<std::int64_t>(result.figures.at("records"));
    };
    CHECK(records(1) == records(1));
    CHECK(records(1) != records(2));
    CHECK(records(1) > 0);
  }
}

TEST_CASE("more than one route at once needs all ports", "[routing]") {
  for (auto const* const name : routes) {
    auto asked = request_for(name, "hypercube:3", 2);
    for (auto const too_few : {ports::one, ports::per_pass}) {
      asked.options.ports = too_few;
      CHECK_THAT(refusal_of(name, asked),
                 has_text(": 2 instances at once need all ports of a processor; take --ports "
                          "all, or --k 1"));
    }
    asked.parameters["k"] = std::int64_t{1};
    check_right_without_errata(run(name, asked));
  }
}

TEST_CASE("routes are refused by the names of what they do", "[routing]") {
  for (auto const& [name, called] : {std::pair{"concentrate", "concentration"},
                                     {"inverse-concentrate", "inverse concentration"},
                                     {"monotone-route", "monotone route"}}) {
    CHECK(refusal_of(name, request_for(name, "torus:4x4", 1)) ==
          called + std::string(": torus:4x4 is not a hypercube; take hypercube:4, for example, or "
                               "a subcube of one"));
    auto asked = request_for(name, "hypercube:3", 2);
    asked.options.ports = ports::one;
    CHECK(refusal_of(name, asked) ==
          called + std::string(": 2 instances at once need all ports of a processor; take --ports "
                               "all, or --k 1"));
  }
}

TEST_CASE("binomial trees take other roots and the plain scheme", "[routing]") {
  for (auto const* const name : trees) {
    auto asked = request_for(name, "hypercube:4", 6);
    CHECK(run(name, asked).record.counts().steps == 9);
    asked.parameters["plain"] = true;
    asked.parameters["root"] = std::int64_t{13};
    auto const plain = run(name, asked);
    check_right_without_errata(plain);
    CHECK(plain.record.counts().steps == 10);
    CHECK(plain.parameters.at("plain") == lockstep::parameter_value(true));
    asked.parameters["root"] = std::int64_t{16};
    CHECK(refusal_of(name, asked) == "root has to be at most 15, not 16");
    asked.parameters["root"] = std::int64_t{0};
    asked.parameters["plain"] = std::int64_t{1};
    CHECK(refusal_of(name, asked) == "plain has to be a flag");
  }
}

TEST_CASE("routes and trees refuse what they cannot do", "[routing]") {
  for (auto const* const name : all_names) {
    INFO(name);
    CHECK(refusal_of(name, request_for(name, "hypercube:3", 0)) == "k has to be at least 1, not 0");
    CHECK(refusal_of(name, request_for(name, "hypercube:3", 50'001)) ==
          "k has to be at most 50000, not 50001");
    CHECK_THAT(refusal_of(name, request_for(name, "torus:4x4", 2)),
               has_text("torus:4x4 is not a hypercube; take hypercube:4"));
    CHECK_THROWS_AS(run(name, request_for(name, "hypercube:30", 50'000)), lockstep::out_of_memory);
  }
}
