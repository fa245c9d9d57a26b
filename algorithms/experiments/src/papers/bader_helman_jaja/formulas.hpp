#pragma once

/// Formulas of Bader, Helman and JaJa 1996, section 3, for n elements, where a processor gets up to h.
namespace lockstep::of_section_3 {

/// Words of the transposes of Steps 2 and 4.
inline constexpr char const* words_of_step_2 = "(n/p^2 + p/2)(p - 1)";
inline constexpr char const* words_of_step_4 = "(h/p + p/2)(p - 1)";

/// Equations (4) and (5): the largest bins of these steps.
inline constexpr char const* bin_of_step_2 = "n/p^2 + (p - 1)/2";
inline constexpr char const* bin_of_step_4 = "h/p + (p - 1)/2";

}  // namespace lockstep::of_section_3
