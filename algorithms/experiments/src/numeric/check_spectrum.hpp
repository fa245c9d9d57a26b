#pragma once

#include <complex>
#include <span>
#include <string>

#include "numeric/sequential_transform.hpp"

namespace lockstep {

/// The comparison of a spectrum with a transform in long double.
struct spectrum_check {
  double error = 0;  ///< relative; a rounding makes one of at most `largest`
  double largest = 0;
  /// The first number whose type has no place for the right value, or for a sum on the way to
  /// it, and what can be done; else nothing: "number 1 of the spectrum is about 1e+309+0i, ..".
  std::string refusal{};
};

/// Compares a spectrum with a multiple of the right one.
template <class Real>
[[nodiscard]] spectrum_check check_spectrum(std::span<std::complex<Real> const> measured,
                                            std::span<long_complex const> right,
                                            long double multiple);

}  // namespace lockstep
