#include <cstdint>
#include <string>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

namespace {

lockstep::experiment_result run_greedy(std::string const& on, std::string const& pattern,
                                       std::int64_t seed = 1,
                                       lockstep::ports with = lockstep::ports::all) {
  lockstep::experiment_request const asked{.network = lockstep::parse(on),
                                           .options = {.ports = with},
                                           .parameters = {{"pattern", pattern}, {"seed", seed}}};
  return lockstep::find_experiment("greedy-route")->run(asked);
}

}  // namespace

TEST_CASE("greedy-route takes 20, 38 and 74 steps to reverse the bits of ranks", "[routing]") {
  CHECK(run_greedy("hypercube:4", "bit-reversal").record.counts().steps == 20);
  CHECK(run_greedy("hypercube:6", "bit-reversal").record.counts().steps == 38);
  CHECK(run_greedy("hypercube:8", "bit-reversal").record.counts().steps == 74);
}

TEST_CASE("greedy-route is right and keeps its claims for every pattern, d and seed", "[routing]") {
  for (int d = 0; d <= 8; ++d)
    for (std::string const pattern : {"bit-reversal", "transpose", "random"})
      for (std::int64_t const seed : {1, 2}) {
        INFO(pattern << ", d = " << d << ", seed " << seed);
        auto const result = run_greedy("hypercube:" + std::to_string(d), pattern, seed);
        CHECK(result.correct);
        CHECK(result.claims.size() == 2);
        for (auto const& claimed : result.claims) CHECK(holds(claimed, result.record.counts()));
      }
}

TEST_CASE("greedy-route refuses too few ports and other networks", "[routing]") {
  for (auto const with : {lockstep::ports::one, lockstep::ports::per_pass})
    CHECK_THROWS_WITH(run_greedy("hypercube:4", "random", 1, with), has_text("take --ports all"));
  CHECK_THROWS_WITH(run_greedy("torus:4x4", "random"), has_text("torus:4x4 is not a hypercube"));
  CHECK_THROWS_WITH(run_greedy("hypercube:4", "shift"), has_text("'shift' is not one of"));
}
