#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <type_traits>

#include <lockstep/algorithms/numeric/local_fft.hpp>
#include <lockstep/algorithms/numeric/local_product.hpp>

namespace lockstep {

/// Libraries that a program links, and lends to the experiments it runs for the local work of their
/// processors. The experiments link none themselves: an empty one is done by lockstep's own code.
struct numeric_libraries {
  /// As `local_fft`.
  template <class Real>
  using transform =
      std::function<void(std::span<std::complex<Real>>, std::size_t length, fft_direction)>;
  /// As `local_product`.
  template <class T>
  using product = std::function<void(product_shape const&, T const* a, T const* b, T* c)>;

  std::string transforms{};  ///< what they are by, for example "FFTW"
  transform<double> transform_doubles{};
  transform<float> transform_floats{};
  std::string products{};  ///< what they are by, for example "BLAS"
  product<double> multiply_doubles{};
  product<float> multiply_floats{};

  /// Gives the transform of that precision, or an empty function.
  template <class Real>
  [[nodiscard]] transform<Real> const& transform_of() const {
    if constexpr (std::is_same_v<Real, float>)
      return transform_floats;
    else
      return transform_doubles;
  }
};

}  // namespace lockstep
