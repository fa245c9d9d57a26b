#include "numeric/check_spectrum.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

namespace lockstep {

namespace {

template <class Real>
constexpr char const* type_of_spectrum = std::is_same_v<Real, float> ? "complex64" : "complex128";

/// Says why the first number of a spectrum is refused that has no place in its type, or that a sum on
/// the way to it has none for; nothing where none is.
template <class Real>
[[nodiscard]] std::string why_too_large(std::span<std::complex<Real> const> measured,
                                        std::span<long_complex const> right, long double multiple) {
  auto const is_finite = [](std::complex<Real> const& number) {
    return std::isfinite(number.real()) && std::isfinite(number.imag());
  };
  for (std::size_t i = 0; i < right.size(); ++i) {
    auto const wanted = multiple * right[i];
    bool const fits =
        is_finite({static_cast<Real>(wanted.real()), static_cast<Real>(wanted.imag())});
    if (fits && is_finite(measured[i])) continue;
    return fmt::format(
        "number {} of the spectrum is about {:.4g}{:+.4g}i{} more than {} holds; scale the signal "
        "down",
        i + 1, wanted.real(), wanted.imag(), fits ? ", and a sum on the way to it" : ",",
        type_of_spectrum<Real>);
  }
  return "";
}

/// How far a spectrum can be off where numbers below the least normal one lose digits: each step loses
/// half of the least number in each product, and a sum of n numbers adds up what all of them lost.
template <class Real>
[[nodiscard]] long double largest_loss(std::size_t n, long double multiple) {
  auto const steps = static_cast<long double>(std::bit_width(n)) + 1;
  auto const least = static_cast<long double>(std::numeric_limits<Real>::denorm_min());
  auto const numbers = static_cast<long double>(n);
  return 16 * steps * numbers * least * multiple + 2 * std::sqrt(numbers) * least;
}

}  // namespace

template <class Real>
spectrum_check check_spectrum(std::span<std::complex<Real> const> measured,
                              std::span<long_complex const> right, long double multiple) {
  auto const n = right.size();
  spectrum_check check{0, largest_rounding_error<Real>(n),
                       why_too_large(measured, right, multiple)};
  if (!check.refusal.empty()) return check;
  check.error = relative_error(measured, right, multiple);
  if (check.error <= check.largest) return check;
  long double length = 0;
  for (auto const& each : right) length += std::norm(multiple * each);
  length = std::sqrt(length);
  auto const off = length == 0 ? static_cast<long double>(check.error) : check.error * length;
  if (off <= check.largest * length + largest_loss<Real>(n, multiple))
    check.refusal =
        fmt::format("the spectrum has numbers so small that {} loses digits; scale the signal up",
                    type_of_spectrum<Real>);
  return check;
}

template spectrum_check check_spectrum(std::span<std::complex<float> const>,
                                       std::span<long_complex const>, long double);
template spectrum_check check_spectrum(std::span<std::complex<double> const>,
                                       std::span<long_complex const>, long double);

}  // namespace lockstep
