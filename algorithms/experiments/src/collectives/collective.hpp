#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/collectives/access.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>

#include "harness/experiment_list.hpp"
#include "harness/harness.hpp"
#include "harness/sources.hpp"

namespace lockstep {

inline constexpr integer_parameter latency{
    "tau", "latency in the time of a word, which prices the claims", 16, 0, 1'000'000'000'000};
inline constexpr integer_parameter packet_size{
    "packet", "words in a packet: messages are rounded up to whole ones", 1, 1,
    std::int64_t{1} << 32U};
inline constexpr choice_parameter access_of_memory{
    "access", "messages, reads or writes: which side moves a word; counted alike",
    std::array{named_choice{"messages", access::messages}, named_choice{"reads", access::reads},
               named_choice{"writes", access::writes}}};

/// How many words a block of a collective has.
[[nodiscard]] constexpr integer_parameter block_length(std::string_view help) {
  return {"words", help, 1, 0, 2'147'483'647};
}

/// A collective that is asked for.
struct collective_run {
  explicit collective_run(arguments const& asked);

  /// Word `index` that processor `owner` begins with, or ends with.
  [[nodiscard]] std::uint64_t word(int owner, std::size_t index) const {
    return generated_word(seed, owner, 0, index);
  }
  /// The words of one processor.
  [[nodiscard]] std::vector<std::uint64_t> block(int owner) const;
  /// The words of all processors, one block after the other.
  [[nodiscard]] std::vector<std::uint64_t> all_blocks() const;
  /// The sums of all blocks, word by word, modulo 2^64.
  [[nodiscard]] std::vector<std::uint64_t> sums() const;

  /// k = tau/m + 1, rounded down where tau is not a whole number of packets (and bounds may fail).
  /// Errors: invalid_argument for a tau of less than a packet.
  [[nodiscard]] int tree_arity() const;
  /// Reads how a block goes. Errors: invalid_argument; those of tree_arity, for a tree.
  [[nodiscard]] collective_options options(
      choice_parameter<collective_scheme, 3> const& scheme) const;
  /// Says what any program needs in which a processor takes in, and sends, that many words, and
  /// all take in `moved`; nothing where there are no words, or nobody else.
  [[nodiscard]] traffic_requirement needed(std::uint64_t taken_in, std::uint64_t sent,
                                           std::uint64_t moved) const;
  /// Requires memory for that many blocks in a processor at a time, messages included.
  /// Errors: out_of_memory, with the figures.
  void require_blocks(std::uint64_t blocks) const;

  arguments given;
  std::uint64_t seed;
  bdm_machine on;
  std::uint64_t p;    ///< processors
  std::size_t words;  ///< of a block
  int root;
  access how;
};

/// How a collective runs on a request, and what is said of it.
struct collective_plan {
  std::vector<claim> claims;
  traffic_requirement needed;
  std::map<std::string, parameter_value> figures;
  std::function<bool(processor&)> program;  ///< says whether its processor has what it should
};

/// Tells the arity of a tree, if it is one.
[[nodiscard]] std::map<std::string, parameter_value> figures_of(collective_options const& options);

/// Completes an experiment of a collective: where it runs, the parameters of all of them and its
/// own, and its run, in lock step, as `plan` says.
[[nodiscard]] experiment collective(experiment of, std::string_view words_help,
                                    std::vector<parameter> const& own,
                                    collective_plan (*plan)(collective_run const&));

}  // namespace lockstep
