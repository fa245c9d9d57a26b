#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all_binary.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"

using lockstep::processor;

namespace {

lockstep::experiment_result run_on(std::string const& spec, std::int64_t words,
                                   lockstep::machine_options const& options = {}) {
  lockstep::experiment_request asked{.network = lockstep::parse(spec), .options = options};
  asked.parameters = {{"words", words}, {"seed", std::int64_t{5}}};
  return lockstep::find_experiment("all-to-all-binary")->run(asked);
}

std::string refusal_on(std::string const& spec, lockstep::machine_options const& options = {}) {
  try {
    static_cast<void>(run_on(spec, 1, options));
  } catch (lockstep::invalid_argument const& refused) {
    return refused.message();
  }
  return "no refusal";
}

using numbers = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("the binary exchange, with its contention", "[sanitize]") {
  for (auto const* const spec : {"mesh:1", "mesh:2", "mesh:8", "mesh:2x4", "mesh:4x4", "mesh:8x8",
                                 "mesh:16x4", "mesh:2x4x8"})
    for (std::int64_t const words : {1, 3}) {
      auto const result = run_on(spec, words);
      INFO(spec << ", " << words << " words");
      CHECK(result.correct);
      for (auto const& claimed : result.claims) {
        INFO(claimed.figure << " = " << claimed.formula << " = " << claimed.value() << ", measured "
                            << metric_value(result.record.counts(), claimed.figure));
        CHECK(holds(claimed, result.record.counts()));
      }
    }
}

TEST_CASE("the binary exchange on an 8 x 8 mesh, figure by figure") {
  auto const result = run_on("mesh:8x8", 1);
  auto const& all = result.record.counts();
  CHECK(numbers{all.steps, all.words, all.serialised_steps, all.hops, all.rearranged} ==
        numbers{6, 192, 14, 22, 320});
  numbers contention;
  for (auto const& step : result.record.steps()) contention.push_back(step.contention);
  CHECK(contention == numbers{4, 2, 1, 4, 2, 1});
}

TEST_CASE("what the binary exchange cannot work with is refused with examples that fit") {
  CHECK_THAT(refusal_on("mesh:3x4"), has_text("for example mesh:2x4 or mesh:4x4"));
  CHECK_THAT(refusal_on("torus:4x4"), has_text("not a mesh"));
  CHECK_THAT(refusal_on("mesh:4x4", {.strict = true}), has_text("without strict"));
  lockstep::machine const on{lockstep::mesh{{2, 2}}};
  CHECK_THROWS_WITH(on.run([](processor& me) {
    return lockstep::all_to_all_binary(me, std::vector<int>(5)).size();
  }),
                    has_text("5 elements") && has_text("4 processors"));
}
