#pragma once

#include <vector>

#include <lockstep/experiments/experiment.hpp>

#include "harness/written_explanation.hpp"

namespace lockstep {

/// Gives an experiment its explanation. Errors: invalid_argument for a teaching example with a
/// parameter that the experiment does not take, or a value of another type.
void explain(experiment& which, written_explanation const& written);

/// Gives each experiment what explanations/NAME.md says of it. Errors: those of `explain`.
[[nodiscard]] std::vector<experiment> with_explanations(std::vector<experiment> all);

}  // namespace lockstep
