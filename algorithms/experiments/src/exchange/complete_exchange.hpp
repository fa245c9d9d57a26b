#pragma once

#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "harness/solve.hpp"

namespace lockstep {

/// The blocks that a processor sends or receives: one for, or of, each processor, in rank order.
using exchanged_blocks = std::vector<std::uint64_t>;

/// The complete exchange problem: every processor has a block of generated words for each, and is to
/// have one of each.
class exchange_problem {
 public:
  exchange_problem(arguments const& given, std::uint64_t words) : m_given(given), m_words(words) {}

  [[nodiscard]] exchanged_blocks part_of(processor const& me) const;
  [[nodiscard]] std::uint64_t pieces_to_check() const;
  /// Finds out whether each processor has what belongs there, indexed by source.
  [[nodiscard]] bool is_solved_by(std::vector<exchanged_blocks> const& all) const;
  [[nodiscard]] traffic_requirement least_traffic(
      std::vector<exchanged_blocks> const& /*all*/) const {
    return lockstep::complete_exchange(m_given.network(), m_words);
  }
  /// Adds the parameter words.
  void add_size_to(experiment_result& result) const;

 private:
  [[nodiscard]] std::uint64_t word(int source, int destination, std::uint64_t index) const;

  arguments m_given;
  std::uint64_t m_words;  ///< in a block
};

/// The parameter of all of them.
inline constexpr integer_parameter words_in_a_block{"words", "words in a block", 1, 1,
                                                    2'147'483'647};

/// The program of one processor.
using exchange_program = std::function<exchanged_blocks(processor&, exchanged_blocks)>;

/// Has the processors exchange generated blocks, with these claims. `copies`: of all blocks, that
/// processors hold at a time, messages included.
/// Errors: those of `solve`.
[[nodiscard]] experiment_result solve_exchange(arguments const& given, strictness strict,
                                               unsigned copies, std::vector<claim> claims,
                                               exchange_program const& program);

/// The traits in which complete exchanges that share links differ.
struct exchange_traits {
  unsigned copies = 1;  ///< of all blocks, that processors hold at a time, messages included
  /// Why it does not run on a network, or nothing.
  std::string (*unsupported_reason)(topology const&);
  exchanged_blocks (*exchange)(processor&, exchanged_blocks, std::source_location);
  std::vector<claim> (*claims)(topology const&, std::uint64_t words);
};

/// Completes an experiment of a complete exchange whose messages share links: its parameter is
/// "words".
[[nodiscard]] experiment complete_exchange(experiment of, exchange_traits const& traits);

/// Says of claims about words that they do not hold where messages are rounded up to packets.
[[nodiscard]] std::vector<claim> in_packets(std::vector<claim> claims, arguments const& given);

/// Computes the memory that a processor needs to hold copies of blocks for all.
[[nodiscard]] machine_needs memory_for_blocks(arguments const& given, std::uint64_t words,
                                              unsigned bytes_of_a_word, unsigned copies);

}  // namespace lockstep
