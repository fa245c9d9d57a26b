#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/exchange/all_to_all_direct.hpp>
#include <lockstep/experiments/registry.hpp>

#include "exchange/generated_blocks.hpp"
#include "harness/entries.hpp"
#include "harness/sources.hpp"

namespace lockstep {

namespace {

[[nodiscard]] experiment_result run_all_to_all_direct(experiment_request const& asked) {
  if (auto const reason = unsupported_reason_direct(*asked.network); !reason.empty())
    throw invalid_argument("all-to-all-direct: " + reason);
  auto const exchange = [](processor& me, std::vector<std::uint64_t> blocks) {
    return all_to_all_direct(me, std::move(blocks));
  };
  require_memory_for_made_blocks(asked, 1);
  auto result = exchange_made_blocks(asked, machine_with_buffers(asked), exchange);
  auto const words = words_from(asked);
  return with_claims(std::move(result), asked, all_to_all_direct_claims(*asked.network, words),
                     words);
}

}  // namespace

experiment all_to_all_direct_entry() {
  return {
      .name = "all-to-all-direct",
      .summary =
          "complete exchange a pair at a time, with contention: what all-to-all is "
          "compared with",
      .topologies = "torus, mesh (powers of two)",
      .source = fmt::format("{}, Fig. 1", suh_shin_2001),
      .examples = {"mesh:2x4", "mesh:4x4", "mesh:8x8", "torus:4x4", "torus:8x8"},
      .parameters = {{"words", "words in a block", std::int64_t{1}}},
      .run = run_all_to_all_direct,
  };
}

}  // namespace lockstep
