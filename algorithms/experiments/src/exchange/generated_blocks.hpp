#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/machine.hpp>

#include "exchange/block_memory.hpp"
#include "harness/parameters.hpp"

namespace lockstep {

/// The parameter "words" of an exchange: words in a block.
[[nodiscard]] inline std::uint64_t words_from(experiment_request const& asked) {
  constexpr std::int64_t most = 2'147'483'647;
  return static_cast<std::uint64_t>(whole_number(asked, "words", 1, 1, most));
}

/// There has to be memory for all blocks, that many times: what processors hold at a time, messages
/// under way included.
/// Errors: out_of_memory.
inline void require_memory_for_made_blocks(experiment_request const& asked, unsigned copies) {
  require_memory(*asked.network,
                 {.words = words_from(asked), .bytes_of_a_word = 8, .copies = copies});
}

/// Word number `index` of the block from `source` to `destination`: any function that tells blocks,
/// words and seeds apart (the mixing of SplitMix64).
[[nodiscard]] inline std::uint64_t generated_word(std::uint64_t seed, int source, int destination,
                                                  std::uint64_t index) {
  auto mixed = seed;
  for (auto const part :
       {static_cast<std::uint64_t>(source), static_cast<std::uint64_t>(destination), index}) {
    mixed += part + 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    mixed ^= mixed >> 31U;
  }
  return mixed;
}

/// What this processor sends: a block of that many words for each, in rank order.
[[nodiscard]] inline std::vector<std::uint64_t> generated_blocks(processor const& me,
                                                                 std::uint64_t seed,
                                                                 std::uint64_t words) {
  std::vector<std::uint64_t> blocks;
  blocks.reserve(static_cast<std::size_t>(me.size()) * words);
  for (int destination = 0; destination < me.size(); ++destination)
    for (std::uint64_t index = 0; index < words; ++index)
      blocks.push_back(generated_word(seed, me.rank(), destination, index));
  return blocks;
}

/// Whether these are the blocks that all have made for this processor, in rank order.
[[nodiscard]] inline bool are_for(processor const& me, std::vector<std::uint64_t> const& blocks,
                                  std::uint64_t seed, std::uint64_t words) {
  if (blocks.size() != static_cast<std::size_t>(me.size()) * words) return false;
  auto next = blocks.begin();
  for (int source = 0; source < me.size(); ++source)
    for (std::uint64_t index = 0; index < words; ++index)
      if (*next++ != generated_word(seed, source, me.rank(), index)) return false;
  return true;
}

/// Runs an exchange of blocks of "words" words, made from "seed"; every processor compares what it
/// has in the end, indexed by source, with what belongs there.
/// Errors: those of the machine.
template <class Exchange>
[[nodiscard]] experiment_result exchange_made_blocks(experiment_request const& asked,
                                                     machine const& on, Exchange exchange) {
  auto const words = words_from(asked);
  auto const seed = static_cast<std::uint64_t>(whole_number(asked, "seed", 1, 0));
  auto run = on.run(
      [&](processor& me) -> int {
        return are_for(me, exchange(me, generated_blocks(me, seed, words)), seed, words) ? 1 : 0;
      },
      asked.observers);
  bool const correct = std::ranges::find(run.results(), 0) == run.results().end();
  return {.record = std::move(run), .correct = correct};
}

/// For exchanges whose messages share links.
/// Errors: invalid_argument where a strict machine is asked for, which forbids that.
[[nodiscard]] inline machine machine_with_buffers(experiment_request const& asked) {
  if (asked.options.strict)
    throw invalid_argument(
        "its messages share links, which a strict machine forbids; run it without strict, or "
        "all-to-all");
  return machine(asked.network, asked.options);
}

/// Completes an outcome: what is claimed, and for which parameters.
[[nodiscard]] inline experiment_result with_claims(experiment_result result,
                                                   experiment_request const& asked,
                                                   std::vector<claim> claims, std::uint64_t words) {
  result.claims = std::move(claims);
  result.bounds = lower_bounds(result.record, complete_exchange(*asked.network, words));
  if (asked.options.packet != 1)
    for (auto& claimed : result.claims)
      if (claimed.figure == "words" || claimed.figure == "volume")
        claimed.erratum = "messages are rounded up to whole packets";
  result.parameters = asked.parameters;
  result.parameters["words"] = static_cast<std::int64_t>(words);
  return result;
}

}  // namespace lockstep
