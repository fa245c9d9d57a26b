#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

using lockstep::processor;

namespace {

lockstep::experiment_result run_direct_on(std::string const& spec, std::int64_t words = 1) {
  lockstep::experiment_request asked{.network = lockstep::parse(spec)};
  asked.parameters["words"] = words;
  asked.parameters["seed"] = std::int64_t{3};
  return lockstep::find_experiment("all-to-all-direct")->run(asked);
}

std::string direct_refusal_on(std::string const& spec,
                              lockstep::machine_options const& options = {}) {
  lockstep::experiment_request asked{.network = lockstep::parse(spec), .options = options};
  try {
    static_cast<void>(lockstep::find_experiment("all-to-all-direct")->run(asked));
  } catch (lockstep::invalid_argument const& refused) {
    return refused.what();
  }
  return "no refusal";
}

struct expectation {
  std::string spec;
  std::uint64_t steps;
  std::uint64_t with_contention;
  std::uint64_t serialised;
};

}  // namespace

TEST_CASE("the direct exchange on meshes and tori, with its contention") {
  auto const expected =
      GENERATE(expectation{"mesh:2x2", 3, 0, 3}, expectation{"mesh:2x4", 7, 4, 11},
               expectation{"mesh:4x4", 15, 12, 27}, expectation{"mesh:4x8", 31, 28, 91},
               expectation{"mesh:8x8", 63, 60, 219}, expectation{"mesh:8x16", 127, 124, 731},
               expectation{"mesh:16x16", 255, 252, 1755}, expectation{"torus:4x4", 15, 0, 22},
               expectation{"torus:4x8", 31, 0, 65}, expectation{"torus:8x8", 63, 0, 153});
  auto const result = run_direct_on(expected.spec);
  INFO(expected.spec);
  CHECK(result.correct);
  auto const& all = result.record.counts();
  CHECK(all.steps == expected.steps);
  CHECK(all.serialised_steps == expected.serialised);
  CHECK(all.queued == 0);
  for (auto const& claimed : result.claims) {
    INFO(claimed.figure << " = " << claimed.formula << " = " << claimed.value() << ", measured "
                        << metric_value(all, claimed.figure));
    CHECK(holds(claimed, all));
  }
  if (!expected.spec.starts_with("mesh")) return;
  std::uint64_t with_contention = 0;
  for (auto const& step : result.record.steps()) with_contention += step.contention > 1 ? 1 : 0;
  CHECK(with_contention == expected.with_contention);
}

TEST_CASE("the contention of every step on a 2 x 4 mesh") {
  std::vector<std::uint64_t> contention;
  for (auto const& step : run_direct_on("mesh:2x4").record.steps())
    contention.push_back(step.contention);
  CHECK(contention == std::vector<std::uint64_t>{1, 2, 2, 1, 1, 2, 2});
}

TEST_CASE("direct exchanges of larger blocks, and in other dimensions", "[sanitize]") {
  for (auto const* const spec : {"mesh:8", "mesh:1", "torus:2x2x4", "mesh:2x4x2"}) {
    auto const result = run_direct_on(spec, 5);
    INFO(spec);
    CHECK(result.correct);
    for (auto const& claimed : result.claims) {
      INFO(claimed.figure << " = " << claimed.formula << " = " << claimed.value());
      CHECK(holds(claimed, result.record.counts()));
    }
  }
}

TEST_CASE("what the direct exchange cannot work with is refused with examples that fit") {
  CHECK_THAT(direct_refusal_on("mesh:3x4"), has_text("for example mesh:2x4 or mesh:4x4"));
  CHECK_THAT(direct_refusal_on("hypercube:3"), has_text("neither a torus nor a mesh"));
  CHECK_THAT(direct_refusal_on("mesh:2x4", {.strict = true}), has_text("without strict"));

  lockstep::machine const on{lockstep::mesh{{2, 2}}};
  CHECK_THROWS_WITH(on.run([](processor& me) {
    return lockstep::all_to_all_direct(me, std::vector<int>(5)).size();
  }),
                    has_text("5 elements") && has_text("4 processors"));
  lockstep::machine const uneven{lockstep::mesh{{3}}};
  CHECK_THROWS_WITH(uneven.run([](processor& me) {
    return lockstep::all_to_all_direct(me, std::vector<int>(3)).size();
  }),
                    has_text("powers of two"));
}
