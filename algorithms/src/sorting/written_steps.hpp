#pragma once

/// Steps of sorts of Mayr and Plaxton 1989, section 4, that several algorithms or tables have.
namespace lockstep::detail {

/// Writes the steps of MergeSort with prefixes by an FFT's links.
[[nodiscard]] constexpr char const* steps_of_merge_sort(bool fused) {
  return fused ? "3kd + 3d(d - 1)/2" : "4kd + 3d^2 - d";
}

/// The paper's bounds on MultiWayMergeSort: by its calls, and "approximately".
inline constexpr char const* steps_by_calls =
    "2k + 2l + m + (sum of 14k + 5l + 19il, i = 0 .. ceil(m/l) - 1)";
inline constexpr char const* steps_approximately = "2k + 2l + m + (14k + 4l + 12m)m/l";

}  // namespace lockstep::detail
