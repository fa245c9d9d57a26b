#pragma once

#include <lockstep/experiments/papers.hpp>
#include <lockstep/judgement.hpp>

namespace lockstep {

/// Makes a remark on cells of Suh and Shin's tables, by the numbers of docs/errata.
[[nodiscard]] erratum orders_for_two_steps();  ///< 8: our program's orders of the data array

/// Makes the remark on [16]: how much of the program that is run is lockstep's.
[[nodiscard]] erratum program_of_16();

/// The reason why the formulas of [13] are left out.
inline constexpr char const* sizes_of_13 =
    "the formulas of [13] can hold on tori for d >= 3 only, on meshes for d >= 2 (number 13)";
/// Makes the judgement on a rival's formulas, which stand alone.
[[nodiscard]] judgement no_program_of_rival();

}  // namespace lockstep
