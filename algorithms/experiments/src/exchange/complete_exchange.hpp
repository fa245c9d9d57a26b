#pragma once

#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "harness/harness.hpp"

namespace lockstep {

/// The blocks that a processor sends or receives: one for, or of, each processor, in rank order.
using exchanged_blocks = std::vector<std::uint64_t>;

/// The traits in which complete exchanges that share links differ.
struct exchange_traits {
  unsigned copies = 1;  ///< of all blocks, that processors hold at a time, messages included
  /// Why it does not run on a network, or nothing.
  std::string (*unsupported_reason)(topology const&);
  exchanged_blocks (*exchange)(processor&, exchanged_blocks, std::source_location);
  std::vector<claim> (*claims)(topology const&, std::uint64_t words);
};

/// The parameter of all of them.
inline constexpr integer_parameter words_in_a_block{"words", "words in a block", 1, 1,
                                                    2'147'483'647};

/// Completes an experiment of a complete exchange whose messages share links: its parameter is
/// "words".
[[nodiscard]] experiment complete_exchange(experiment of, exchange_traits const& traits);

/// Has the processors exchange generated blocks; each compares what it has in the end, indexed by
/// source, with what belongs there.
/// Errors: those of run_program.
[[nodiscard]] experiment_result exchange_generated_blocks(
    arguments const& given, strictness strict, unsigned copies,
    std::function<exchanged_blocks(processor&, exchanged_blocks)> const& exchange);

/// Makes the claims and bounds of an exchange of blocks of that many words.
[[nodiscard]] experiment_result with_claims(experiment_result result, arguments const& given,
                                            std::vector<claim> claims, std::uint64_t words);

/// Computes the memory that a processor needs to hold copies of blocks for all.
[[nodiscard]] machine_needs memory_for_blocks(arguments const& given, std::uint64_t words,
                                              unsigned bytes_of_a_word, unsigned copies);

}  // namespace lockstep
