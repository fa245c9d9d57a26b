#include <cstdint>
#include <utility>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all_binary.hpp>
#include <lockstep/experiments/registry.hpp>

#include "exchange/generated_blocks.hpp"
#include "harness/entries.hpp"

namespace lockstep {

namespace {

[[nodiscard]] experiment_result run_all_to_all_binary(experiment_request const& asked) {
  if (auto const reason = unsupported_reason_binary(*asked.network); !reason.empty())
    throw invalid_argument("all-to-all-binary: " + reason);
  auto const exchange = [](processor& me, std::vector<std::uint64_t> blocks) {
    return all_to_all_binary(me, std::move(blocks));
  };
  require_memory_for_made_blocks(asked, 3);
  auto result = exchange_made_blocks(asked, machine_with_buffers(asked), exchange);
  auto const words = words_from(asked);
  return with_claims(std::move(result), asked, all_to_all_binary_claims(*asked.network, words),
                     words);
}

}  // namespace

experiment all_to_all_binary_entry() {
  return {
      .name = "all-to-all-binary",
      .summary =
          "complete exchange by halves of a mesh, with contention: what all-to-all is "
          "compared with",
      .topologies = "mesh (powers of two)",
      .source =
          "Bokhari and Berryman, Complete Exchange on a Circuit Switched Mesh, 1992, as Suh and "
          "Shin 2001 describe it",
      .examples = {"mesh:8x8", "mesh:4x4", "mesh:4x8", "mesh:16x16"},
      .parameters = {{"words", "words in a block", std::int64_t{1}}},
      .run = run_all_to_all_binary,
  };
}

}  // namespace lockstep
