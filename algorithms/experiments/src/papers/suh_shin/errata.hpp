#pragma once

#include <lockstep/experiments/papers.hpp>
#include <lockstep/judgement.hpp>

namespace lockstep {

/// Makes a remark on cells of Suh and Shin's tables, by the numbers of docs/errata.
[[nodiscard]] erratum orders_for_two_steps();  ///< 8: our program's orders of the data array

/// Makes the remark on [16], and why its program may rearrange fewer words than its formula says.
[[nodiscard]] erratum program_of_16();
inline constexpr char const* fewer_rearrangements_of_16 =
    "[16]: a processor re-lays its blocks only between steps in which it sends, 2d - 1 times";

/// Why a rival's formulas stand alone, or are left out.
inline constexpr char const* sizes_of_13 =
    "the formulas of [13] can hold on tori for d >= 3 only, on meshes for d >= 2 (number 13)";
[[nodiscard]] judgement no_program_of_rival();

}  // namespace lockstep
