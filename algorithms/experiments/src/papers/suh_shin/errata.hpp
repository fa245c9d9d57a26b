#pragma once

#include <lockstep/experiments/papers.hpp>
#include <lockstep/judgement.hpp>

namespace lockstep {

/// What is known of cells of Suh and Shin's tables, by the numbers of docs/errata.
[[nodiscard]] erratum orders_for_two_steps();  ///< 8: our program's orders of the data array
[[nodiscard]] erratum sizes_of_13();           ///< 13: where the formulas of [13] can hold

/// Why a rival's formulas stand alone.
[[nodiscard]] judgement no_program_of_rival();

}  // namespace lockstep
