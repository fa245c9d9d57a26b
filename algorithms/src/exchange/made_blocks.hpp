#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <lockstep/algorithms/registry.hpp>
#include <lockstep/machine.hpp>

#include "exchange/block_memory.hpp"
#include "parameters.hpp"

namespace lockstep {

/// The parameter "words" of an exchange: words in a block.
[[nodiscard]] inline std::uint64_t words_asked_for(request const& asked) {
  constexpr std::int64_t most = 2'147'483'647;
  return static_cast<std::uint64_t>(whole_number(asked, "words", 1, 1, most));
}

/// Word number `index` of the block from `source` to `destination`: any function that tells blocks,
/// words and seeds apart (the mixing of SplitMix64).
[[nodiscard]] inline std::uint64_t made_word(std::uint64_t seed, int source, int destination,
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

/// Runs an exchange of blocks of "words" words, made from "seed", and compares what every processor
/// has in the end, indexed by source, with what belongs there.
/// `copies`: of its blocks that a processor holds at a time, those under way included.
/// Errors: out_of_memory before anything runs, and those of the machine.
template <class Exchange>
[[nodiscard]] outcome exchange_made_blocks(request const& asked, machine const& on, unsigned copies,
                                           Exchange exchange) {
  auto const words = words_asked_for(asked);
  require_memory(*asked.network, {.words = words, .bytes_of_a_word = 8, .copies = copies});
  auto const seed = static_cast<std::uint64_t>(whole_number(asked, "seed", 1, 0));
  int const processors = on.size();

  auto run = on.run(
      [&](processor& me) {
        std::vector<std::uint64_t> blocks;
        blocks.reserve(static_cast<std::size_t>(processors) * words);
        for (int destination = 0; destination < processors; ++destination)
          for (std::uint64_t index = 0; index < words; ++index)
            blocks.push_back(made_word(seed, me.rank(), destination, index));
        return exchange(me, std::move(blocks));
      },
      asked.observers);

  bool correct = true;
  for (int destination = 0; destination < processors; ++destination) {
    auto next = run.results()[static_cast<std::size_t>(destination)].begin();
    for (int source = 0; source < processors; ++source)
      for (std::uint64_t index = 0; index < words; ++index)
        correct = correct && *next++ == made_word(seed, source, destination, index);
  }
  return {.record = std::move(run), .correct = correct};
}

/// Completes an outcome: what is claimed, and for which parameters.
[[nodiscard]] inline outcome with_claims(outcome result, request const& asked,
                                         std::vector<claim> claims, std::uint64_t words) {
  result.claims = std::move(claims);
  if (asked.options.packet != 1)
    for (auto& claimed : result.claims)
      if (claimed.figure == "words" || claimed.figure == "volume")
        claimed.erratum = "messages are rounded up to whole packets";
  result.parameters = asked.parameters;
  result.parameters["words"] = static_cast<std::int64_t>(words);
  return result;
}

}  // namespace lockstep
