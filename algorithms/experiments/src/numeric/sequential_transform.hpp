#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/numeric/local_fft.hpp>

namespace lockstep {

using long_complex = std::complex<long double>;

/// The pieces of work that `sequential_transform` notes (harness/stages.hpp) of a signal of that length.
[[nodiscard]] std::uint64_t pieces_of_transform(std::size_t length);

/// Transforms a signal in long double, by the recursion of the textbooks: what others are compared
/// with. Unscaled.
[[nodiscard]] std::vector<long_complex> sequential_transform(std::span<long_complex const> signal,
                                                             fft_direction direction);

/// The relative error of a transform that is a multiple of the other: the length of the difference by
/// the length of the right one, where that is not 0.
template <class Real>
[[nodiscard]] double relative_error(std::span<std::complex<Real> const> measured,
                                    std::span<long_complex const> right, long double multiple) {
  long double difference = 0;
  long double length = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    auto const wanted = multiple * right[i];
    difference += std::norm(long_complex(measured[i]) - wanted);
    length += std::norm(wanted);
  }
  return static_cast<double>(std::sqrt(length == 0 ? difference : difference / length));
}

/// The largest relative error that rounding makes in transforms of that length.
template <class Real>
[[nodiscard]] double largest_rounding_error(std::size_t length);

}  // namespace lockstep
