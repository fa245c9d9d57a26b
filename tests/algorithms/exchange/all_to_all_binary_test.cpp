#include <lockstep/algorithms/exchange/all_to_all_binary.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "check_claims.hpp"
#include "experiments/refusal_of.hpp"
#include "experiments/requests.hpp"

namespace {

using numbers = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("the binary exchange, with its contention", "[sanitize]") {
  std::string const spec = GENERATE("mesh:1", "mesh:2", "mesh:8", "mesh:2x4", "mesh:4x4",
                                    "mesh:8x8", "mesh:16x4", "mesh:2x4x8");
  for (int const words : {1, 3}) {
    INFO(spec << ", " << words << " words");
    reference::check_result(requests::run("all-to-all-binary", spec, {{"words", words}}));
  }
}

TEST_CASE("the binary exchange on an 8 x 8 mesh, figure by figure") {
  auto const result = requests::run("all-to-all-binary", "mesh:8x8");
  auto const& all = result.record.counts();
  CHECK(numbers{all.steps, all.words, all.serialised_steps, all.hops, all.rearranged} ==
        numbers{6, 192, 14, 22, 320});
  numbers contention;
  for (auto const& step : result.record.steps()) contention.push_back(step.contention);
  CHECK(contention == numbers{4, 2, 1, 4, 2, 1});
}

TEST_CASE("what exchanges that share links cannot work with is refused with examples that fit") {
  std::string const name = GENERATE("all-to-all-binary", "all-to-all-direct");
  CHECK_THAT(requests::refusal(name, "mesh:3x4"), has_text("for example mesh:2x4 or mesh:4x4"));
  auto asked = requests::make(name, "mesh:4x4");
  asked.options.strict = true;
  CHECK_THAT(requests::refusal(name, asked), has_text("without strict"));
}

TEST_CASE("what the binary exchange cannot work with is refused") {
  CHECK_THAT(requests::refusal("all-to-all-binary", "torus:4x4"), has_text("not a mesh"));
  lockstep::machine const on{lockstep::parse("mesh:2x2")};
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(
                 on,
                 [](lockstep::processor& me) {
                   return lockstep::all_to_all_binary(me, std::vector<int>(5)).size();
                 }),
             has_text("5 elements") && has_text("4 processors"));
}
