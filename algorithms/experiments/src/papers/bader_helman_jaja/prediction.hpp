#pragma once

#include <vector>

#include <lockstep/experiments/papers.hpp>

#include "papers/bader_helman_jaja/routing.hpp"
#include "papers/bader_helman_jaja/times.hpp"
#include "papers/local_work_model.hpp"

namespace lockstep {

/// Lists the machine's seconds for single-phase routing, and what they are spent on: start-ups and words of
/// PEX with a barrier after each round, and the elements that Steps (1), (2) and (5) handle, 2n/p + h. The
/// all-to-all of the counts H_i in Step (2) is left out.
[[nodiscard]] std::vector<timed_work> single_phase_work(routing_machine const& machine);

/// Lists the machine's seconds for two-phase routing, and what they are spent on: counted rounds and words,
/// and the elements that Steps (1), (3) and (5) handle, 2n/p + h. `measured`: for n = 1M, 2M, 4M, in the
/// order of the machine's rows.
[[nodiscard]] std::vector<timed_work> two_phase_work(
    routing_machine const& machine, std::vector<std::vector<g_group_costs>> const& measured);

/// Sets the two-phase seconds of Table I or II beside what a fit to the single-phase ones predicts, with the
/// error of the prediction, that of taking the single-phase seconds instead, and which of both ways is
/// faster. No two-phase time is in the fit. The fit has two phases faster in each case, as a guess that
/// always takes two would.
[[nodiscard]] paper_table two_phase_prediction_table(
    routing_machine const& machine, std::vector<std::vector<g_group_costs>> const& measured);

}  // namespace lockstep
