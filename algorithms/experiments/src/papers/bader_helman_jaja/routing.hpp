#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/cost_models.hpp>
#include <lockstep/experiments/papers.hpp>

#include "papers/bader_helman_jaja/times.hpp"
#include "papers/fitted_model.hpp"

namespace lockstep {

/// The cost of routing a g-group input of n elements on a crossbar, by runs: in two phases, and in
/// a single phase.
struct g_group_costs {
  g_group_setting input;
  counts padded{};       ///< two phases, blocks of worst-case size
  counts real{};         ///< two phases, blocks of real size
  counts pex{};          ///< a single phase, pairwise exchange, a barrier after each round
  counts lp{};           ///< the same by linear permutations
  counts pipelined{};    ///< by pairwise exchange, without barriers
  bool correct = false;  ///< all of them
};

/// Errors: those of machine::run.
[[nodiscard]] g_group_costs measured_g_group(g_group_setting const& input, int processors,
                                             std::int64_t elements);

/// The machine's seconds for single-phase routing, and what PEX with a barrier after each round
/// costs.
[[nodiscard]] std::vector<timed_counts> single_phase_times(routing_machine const& machine);

/// tau and sigma of that machine, fitted to these times.
[[nodiscard]] tau_sigma_model routing_model(routing_machine const& machine);

/// Counted words of Tables I and II's inputs beside exact formulas, one row an input.
[[nodiscard]] paper_table g_group_words_table(int processors, std::int64_t elements,
                                              std::vector<g_group_costs> const& measured);

/// The seconds of Table I or II beside priced times, and the ratios of the seconds beside ratios of
/// counted words. `measured`: for n = 1M, 2M, 4M, in the order of the machine's rows.
[[nodiscard]] paper_table g_group_seconds_table(
    routing_machine const& machine, std::vector<std::vector<g_group_costs>> const& measured);

/// Both tables' words and seconds, on 64 processors; without rows where that is too many.
[[nodiscard]] std::vector<paper_table> g_group_tables(int most_processors);

}  // namespace lockstep
