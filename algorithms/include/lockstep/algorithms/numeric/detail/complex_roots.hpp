#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <numbers>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep::detail {

/// Multiplies without the standard's care for infinities, which no loop of it can afford.
template <std::floating_point Real>
[[nodiscard]] constexpr std::complex<Real> times(std::complex<Real> a, std::complex<Real> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// exp(2 pi i k/n) for 0 <= k < n, from an angle of at most an eighth of a turn, so that its error
/// does not grow with k.
template <std::floating_point Real>
[[nodiscard]] std::complex<Real> unit_root(std::size_t k, std::size_t n) {
  auto const eighth = 8 * k / n;
  auto const within = 8 * k - eighth * n;
  bool const from_above = eighth % 2 == 1;
  auto const part = static_cast<Real>(from_above ? n - within : within) / static_cast<Real>(n);
  auto const angle = part * std::numbers::pi_v<Real> / 4;
  auto const cosine = std::cos(angle);
  auto const sine = std::sin(angle);
  bool const swapped = eighth % 4 == 1 || eighth % 4 == 2;
  auto const real = swapped ? sine : cosine;
  auto const imaginary = swapped ? cosine : sine;
  return {eighth >= 2 && eighth < 6 ? -real : real, eighth >= 4 ? -imaginary : imaginary};
}

/// Powers 0 to count - 1 of w = exp(+-2 pi i step/n), times a factor: products of two out of tables
/// of about sqrt(count) each, which stay in the cache.
template <std::floating_point Real>
class root_powers {
 public:
  root_powers(std::size_t step, std::size_t n, std::size_t count, bool conjugate, Real factor = 1)
      : m_bits(static_cast<std::size_t>(std::bit_width(count)) / 2) {
    auto const table = [&](std::size_t stride, std::size_t size, Real times) {
      std::vector<std::complex<Real>> powers(size);
      for (std::size_t i = 0; i < size; ++i) {
        auto const root = times * unit_root<Real>(i * stride % n, n);
        powers[i] = conjugate ? std::conj(root) : root;
      }
      return powers;
    };
    auto const fine = std::size_t{1} << m_bits;
    m_fine = table(step, fine, 1);
    m_coarse = table(step * fine % n, (count >> m_bits) + 1, factor);
  }

  [[nodiscard]] std::complex<Real> operator[](std::size_t power) const {
    auto const low = power & ((std::size_t{1} << m_bits) - 1);
    return times(m_coarse[power >> m_bits], m_fine[low]);
  }

 private:
  std::size_t m_bits;
  std::vector<std::complex<Real>> m_fine;
  std::vector<std::complex<Real>> m_coarse;
};

}  // namespace lockstep::detail
