#pragma once

#include <string>
#include <string_view>

#include <lockstep/experiments/papers.hpp>
#include <lockstep/experiments/registry.hpp>

namespace lockstep {

/// The row of a run: all that `paper` claims of it, each beside what was measured, and what lockstep
/// itself claims to be equal. A claim that need not hold here is explained by the erratum of that
/// number, in the words of the claim. `paper`: what its sources begin with.
/// Errors: invalid_argument for a claim of a figure that the run lacks.
[[nodiscard]] paper_row row_of_claims(std::string input, std::string run,
                                      experiment_result const& result, std::string_view paper,
                                      int erratum_number);

}  // namespace lockstep
