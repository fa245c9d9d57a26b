#pragma once

#include <cmath>

#include <lockstep/claim.hpp>

/// The sizes that JaJa and Ryu 1994, sections 5.2 and 5.3, suppose.
namespace lockstep::detail {

/// The n of Theorem 5.4, for an FFT; with fewer some processors have no rows.
inline constexpr char const* elements_of_fft = "n >= p^2";

/// Makes the hypothesis on n x n matrices that are multiplied.
[[nodiscard]] inline hypothesis large_matrices(int processors, double n) {
  return {"p <= n^3/log n", processors * std::log2(n) <= n * n * n};
}

}  // namespace lockstep::detail
