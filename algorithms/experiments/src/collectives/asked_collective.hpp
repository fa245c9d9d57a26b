#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/collectives/access.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/machine.hpp>

#include "exchange/generated_blocks.hpp"

namespace lockstep {

/// What the entries of collectives are asked for.
struct asked_collective {
  bdm_machine on;
  std::size_t words = 1;
  int root = 0;
  access how = access::messages;
  std::uint64_t seed = 1;

  /// Word `index` that processor `owner` begins with, or ends with.
  [[nodiscard]] std::uint64_t made(int owner, std::size_t index) const {
    return generated_word(seed, owner, 0, index);
  }
  /// All words of one processor.
  [[nodiscard]] std::vector<std::uint64_t> generated_block(int owner, std::size_t size) const {
    std::vector<std::uint64_t> block(size);
    for (std::size_t i = 0; i < size; ++i) block[i] = made(owner, i);
    return block;
  }
};

/// Errors: invalid_argument for another network than a crossbar, or a parameter out of range.
[[nodiscard]] asked_collective collective_from(experiment_request const& asked);

/// k = tau/m + 1, rounded down where tau is no whole number of packets (and the bounds may fail).
/// Errors: invalid_argument for a tau of less than a packet.
[[nodiscard]] int tree_arity_for(bdm_machine const& on);

/// Errors: out_of_memory, with the figures, if processors cannot hold that many words each.
void require_memory_for(experiment_request const& asked, asked_collective const& what,
                        double words_each);

/// What any program needs for blocks of so many words. One to all, and the way back, all to one, is
/// for whole blocks, or their sums; all to all for sums.
[[nodiscard]] traffic_requirement one_to_all(bdm_machine const& on, std::uint64_t words);
[[nodiscard]] traffic_requirement all_to_all_sums(bdm_machine const& on, std::uint64_t words);

/// "words", with that help, then "tau", "packet" and "access".
[[nodiscard]] std::vector<parameter> collective_parameters(std::string words_help);
/// The same, and "scheme".
[[nodiscard]] std::vector<parameter> collective_parameters(std::string words_help,
                                                           std::string schemes,
                                                           std::string const& default_scheme);
[[nodiscard]] parameter root_parameter(std::string help);

/// Runs `program(me)`, which says whether this processor has what it should, in lock step.
template <class Program>
[[nodiscard]] experiment_result run_collective(experiment_request const& asked,
                                               asked_collective const& what,
                                               std::vector<claim> const& claims,
                                               traffic_requirement const& needed,
                                               Program const& program) {
  auto options = asked.options;
  options.strict = true;
  options.packet = what.on.packet;
  machine const on(asked.network, options);
  auto run = on.run([&](processor& me) -> int { return program(me) ? 1 : 0; }, asked.observers);
  bool const correct = std::ranges::find(run.results(), 0) == run.results().end();
  auto bounds = lower_bounds(run, needed);
  return {.record = std::move(run),
          .correct = correct,
          .claims = claims,
          .bounds = std::move(bounds),
          .parameters = asked.parameters};
}

}  // namespace lockstep
