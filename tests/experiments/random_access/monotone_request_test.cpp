#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

namespace {

constexpr char const* monotone_names[] = {"generalize", "concentrate-elements",
                                          "distribute-elements"};

using parameters = std::map<std::string, lockstep::parameter_value>;

lockstep::experiment_request monotone_request(std::string const& name, std::string const& on,
                                              parameters const& with) {
  auto const& which = *lockstep::find_experiment(name);
  lockstep::experiment_request asked{.network = lockstep::parse(on)};
  for (auto const& taken : which.parameters) asked.parameters[taken.name] = taken.fallback;
  asked.parameters["seed"] = std::int64_t{1};
  for (auto const& [called, value] : with) asked.parameters[called] = value;
  return asked;
}

lockstep::experiment_result run_monotone(std::string const& name, std::string const& on,
                                         parameters const& with) {
  return lockstep::find_experiment(name)->run(monotone_request(name, on, with));
}

std::int64_t figure_in(lockstep::experiment_result const& result, std::string const& name) {
  return std::get<std::int64_t>(result.figures.at(name));
}

}  // namespace

TEST_CASE("monotone experiments are right and keep their claims, for any n and dots",
          "[random_access]") {
  for (auto const* const name : monotone_names)
    for (int p : {1, 2, 5, 8, 17})
      for (std::int64_t const n : {0, 1, p - 1, p, 300})
        for (std::int64_t const dots : {0, 50, 100})
          for (std::int64_t const seed : {1, 2}) {
            auto const result = run_monotone(name, "crossbar:" + std::to_string(p),
                                             {{"n", n}, {"dots", dots}, {"seed", seed}});
            INFO(name << ", p = " << p << ", n = " << n << ", dots " << dots << ", seed " << seed);
            CHECK(result.correct);
            CHECK(result.claims.size() == 4);
            for (auto const& claimed : result.claims) {
              INFO(claimed.figure << " " << claimed.formula);
              CHECK(holds(claimed, measured_for(claimed, result)));
            }
            for (auto const& bound : result.bounds) CHECK(holds(bound, result.record.counts()));
            CHECK(figure_in(result, "q") == figure_in(result, "sends_steps"));
            CHECK(result.record.counts().queued == 0);
          }
}

TEST_CASE("each seed of a monotone experiment makes another input", "[random_access]") {
  for (auto const* const name : monotone_names) {
    auto const volume = [&](std::int64_t seed) {
      return run_monotone(name, "crossbar:8", {{"seed", seed}, {"dots", std::int64_t{30}}})
          .record.counts()
          .volume;
    };
    CHECK(volume(1) == volume(1));
    CHECK(volume(1) != volume(2));
  }
}

TEST_CASE("monotone experiments in packets have counts without claims", "[random_access]") {
  for (auto const* const name : monotone_names) {
    auto asked = monotone_request(name, "crossbar:4", {});
    asked.options.packet = 16;
    auto const result = lockstep::find_experiment(name)->run(asked);
    CHECK(result.correct);
    CHECK(result.claims.empty());
  }
}

TEST_CASE("monotone experiments refuse what they cannot do", "[random_access]") {
  auto const refusal = [](std::string const& name, std::string const& on, parameters const& with) {
    try {
      static_cast<void>(run_monotone(name, on, with));
    } catch (lockstep::invalid_argument const& refused) {
      return refused.message();
    }
    return std::string("not refused");
  };
  for (auto const* const name : monotone_names) {
    CHECK_THAT(refusal(name, "torus:4x4", {}), has_text("torus:4x4 is not a crossbar"));
    CHECK(refusal(name, "crossbar:4", {{"n", std::int64_t{-1}}}) ==
          "n has to be at least 0, not -1");
    CHECK(refusal(name, "crossbar:4", {{"dots", std::int64_t{101}}}) ==
          "dots has to be at most 100, not 101");
    CHECK_THROWS_AS(run_monotone(name, "crossbar:2", {{"n", std::int64_t{2'000'000'000}}}),
                    lockstep::out_of_memory);
  }
}
