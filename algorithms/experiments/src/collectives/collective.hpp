#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
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
  [[nodiscard]] std::size_t words_of_all() const { return words * static_cast<std::size_t>(on.p); }
  /// k = tau/m + 1, rounded down where tau is not a whole number of packets (and bounds may fail).
  /// Errors: invalid_argument for a tau of less than a packet.
  [[nodiscard]] int tree_arity() const;
  /// Requires memory for the words that a processor holds at a time, messages included.
  /// Errors: out_of_memory, with the figures.
  void require_words(double words_each) const;

  /// Runs `program(me)`, which says whether this processor has what it should, in lock step.
  /// Errors: those of run_and_check.
  template <class Program>
  [[nodiscard]] experiment_result check(std::vector<claim> const& claims,
                                        traffic_requirement const& requirement,
                                        Program const& program) const {
    auto result =
        run_and_check(given, {.strict = strictness::always, .packet = on.packet}, program);
    result.claims = claims;
    result.bounds = lower_bounds(result.record, requirement);
    return result;
  }

  /// What any program needs that takes whole blocks, or their sums, from one to all or back.
  [[nodiscard]] traffic_requirement one_to_all() const;

  arguments given;
  std::uint64_t seed;
  bdm_machine on;
  std::size_t words;
  int root;
  access how;
};

/// Completes an experiment of a collective: where it runs, and the parameters of all of them,
/// before and after its own.
[[nodiscard]] experiment collective(experiment of, std::string_view words_help,
                                    std::vector<parameter> const& own = {});

}  // namespace lockstep
