#include <lockstep/algorithms/exchange/all_to_all_cyclic.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "exchange/exchanged_blocks.hpp"
#include "experiments/refusal_of.hpp"

namespace {

using numbers = std::vector<std::uint64_t>;

lockstep::run_record exchanged_in_cycles(std::string const& spec, int block) {
  lockstep::machine const on{lockstep::parse(spec), {.strict = true}};
  return reference::exchanged_by<std::int64_t>(
      on, block, [](lockstep::processor& me, std::vector<std::int64_t> blocks) {
        return lockstep::all_to_all_cyclic(me, std::move(blocks));
      });
}

}  // namespace

TEST_CASE("the cyclic exchange is right, and shares no link", "[sanitize]") {
  for (std::string const spec : {"mesh:2x2", "mesh:4x4", "mesh:8x8", "mesh:16x16"})
    for (int const block : {0, 1, 3}) {
      auto const counts = exchanged_in_cycles(spec, block).counts();
      CHECK(counts.contention == (block == 0 ? 0 : 1));
    }
}

TEST_CASE("the cyclic exchange costs what Table 2 says of it, step by step") {
  std::map<std::string, numbers> const costs{{"mesh:2x2", {2, 4, 2, 1, 4}},
                                             {"mesh:4x4", {4, 32, 6, 3, 48}},
                                             {"mesh:8x8", {8, 256, 22, 7, 320}},
                                             {"mesh:16x16", {16, 2048, 86, 15, 1792}}};
  for (auto const& [spec, expected] : costs) {
    INFO(spec);
    auto const record = exchanged_in_cycles(spec, 1);
    auto const& all = record.counts();
    CHECK(numbers{all.startups, all.words, all.hops, all.barriers, all.rearranged} == expected);
    for (auto const& step : record.steps()) CHECK(step.words == all.words / all.steps);
  }
}

TEST_CASE("in each phase half of the pairs take the rows first, if it has two submeshes or more") {
  for (std::string const spec : {"mesh:4x4", "mesh:8x8", "mesh:16x16"}) {
    auto const network = lockstep::parse(spec);
    std::map<int, int> rows_first;  // by distance
    for (int rank = 0; rank < network->size(); ++rank) {
      std::map<int, int> first_bit;
      for (auto const& step : lockstep::detail::cyclic_steps_of(*network, rank))
        if (step.bit != 0) first_bit.try_emplace(step.distance, step.bit);
      for (auto const& [distance, bit] : first_bit) rows_first[distance] += bit == distance ? 1 : 0;
    }
    std::map<int, int> half;
    for (int distance = 1; distance * distance < network->size(); distance *= 2)
      half[distance] = network->size() / 2;
    INFO(spec);
    CHECK(rows_first == half);
  }
  // The processors of one submesh agree, so that on mesh:2x2 all take the rows first.
  for (int rank = 0; rank < 4; ++rank)
    CHECK(lockstep::detail::cyclic_steps_of(*lockstep::parse("mesh:2x2"), rank)[0].bit == 1);
}

TEST_CASE("what the cyclic exchange cannot work with is refused") {
  for (std::string const spec :
       {"torus:4x4", "mesh:4x8", "mesh:6x6", "mesh:4", "mesh:1x1", "tree:3"})
    CHECK_THAT(lockstep::unsupported_reason_cyclic(*lockstep::parse(spec)),
               has_text(spec + " is not a mesh of 2^d x 2^d"));
  CHECK_THROWS_AS(lockstep::all_to_all_cyclic_claims(*lockstep::parse("torus:4x4"), 1),
                  lockstep::invalid_argument);
  lockstep::machine const on{lockstep::parse("mesh:2x2")};
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(
                 on,
                 [](lockstep::processor& me) {
                   return lockstep::all_to_all_cyclic(me, std::vector<int>(5)).size();
                 }),
             has_text("5 elements") && has_text("4 processors"));
}
