#pragma once

#include <algorithm>
#include <bit>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/numeric/detail/complex_roots.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// The sign of a discrete Fourier transform of n elements.
enum class fft_direction : std::uint8_t {
  forward,  ///< y_j = sum of x_k exp(-2 pi i jk/n), as FFTW and NumPy have it
  backward  ///< y_j = sum of x_k exp(+2 pi i jk/n), the matrix W_n of JaJa and Ryu
};

namespace detail {

/// The smallest prime factor of n >= 2, or 4 if it divides n.
[[nodiscard]] inline std::size_t radix_of(std::size_t n) {
  if (n % 4 == 0) return 4;
  for (std::size_t factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0) return factor;
  return n;
}

/// Whether a factor of n is so large that its butterflies cost too much.
[[nodiscard]] inline bool has_large_factor(std::size_t n) {
  constexpr std::size_t largest = 32;
  while (n > 1) {
    auto const radix = radix_of(n);
    if (radix > largest) return true;
    n /= radix;
  }
  return false;
}

/// Transforms of interleaved sequences, by Stockham's passes: each takes a factor out of the length,
/// and leaves its results sorted.
template <std::floating_point Real>
class stockham_transform {
 public:
  using number = std::complex<Real>;

  stockham_transform(std::size_t length, std::size_t sequences, bool forward)
      : m_length(length),
        m_sequences(sequences),
        m_forward(forward),
        m_roots(1, length, length, forward) {}

  /// Transforms `elements` in place. `other`: memory of the same size.
  void operator()(std::vector<number>& elements, std::vector<number>& other) const {
    auto stride = m_sequences;
    for (auto length = m_length; length > 1;) {
      auto const radix = radix_of(length);
      pass({length, stride, radix}, elements.data(), other.data());
      std::swap(elements, other);
      length /= radix;
      stride *= radix;
    }
  }

 private:
  /// Sequences of `length` elements each, `stride` of them interleaved.
  struct shape {
    std::size_t length;
    std::size_t stride;
    std::size_t radix;
  };

  void pass(shape const& of, number const* from, number* to) const {
    auto const part = of.length / of.radix;
    for (std::size_t p = 0; p < part; ++p) {
      auto const* const in = from + of.stride * p;
      auto* const out = to + of.stride * of.radix * p;
      if (of.radix == 4)
        butterflies_of_4(of, p, in, out);
      else if (of.radix == 2)
        butterflies_of_2(of, p, in, out);
      else
        butterflies(of, p, in, out);
    }
  }

  /// w^(p j) of the sequences' length.
  [[nodiscard]] number twiddle(shape const& of, std::size_t p, std::size_t j) const {
    return m_roots[m_length / of.length * p * j];
  }

  void butterflies_of_2(shape const& of, std::size_t p, number const* in, number* out) const {
    auto const apart = of.stride * (of.length / 2);
    auto const w = twiddle(of, p, 1);
    for (std::size_t q = 0; q < of.stride; ++q) {
      auto const a = in[q];
      auto const b = in[q + apart];
      out[q] = a + b;
      out[q + of.stride] = times(a - b, w);
    }
  }

  void butterflies_of_4(shape const& of, std::size_t p, number const* in, number* out) const {
    auto const apart = of.stride * (of.length / 4);
    auto const w1 = twiddle(of, p, 1);
    auto const w2 = twiddle(of, p, 2);
    auto const w3 = twiddle(of, p, 3);
    Real const sign = m_forward ? -1 : 1;
    for (std::size_t q = 0; q < of.stride; ++q) {
      auto const a = in[q];
      auto const b = in[q + apart];
      auto const c = in[q + 2 * apart];
      auto const d = in[q + 3 * apart];
      auto const even = a + c;
      auto const even_difference = a - c;
      auto const odd = b + d;
      number const turned{-sign * (b.imag() - d.imag()), sign * (b.real() - d.real())};
      out[q] = even + odd;
      out[q + of.stride] = times(even_difference + turned, w1);
      out[q + 2 * of.stride] = times(even - odd, w2);
      out[q + 3 * of.stride] = times(even_difference - turned, w3);
    }
  }

  void butterflies(shape const& of, std::size_t p, number const* in, number* out) const {
    auto const apart = of.stride * (of.length / of.radix);
    auto const step = m_length / of.radix;
    for (std::size_t j = 0; j < of.radix; ++j) {
      auto const w = twiddle(of, p, j);
      auto* const sums = out + of.stride * j;
      for (std::size_t q = 0; q < of.stride; ++q) sums[q] = in[q];
      for (std::size_t k = 1; k < of.radix; ++k) {
        auto const root = m_roots[step * (j * k % of.radix)];
        for (std::size_t q = 0; q < of.stride; ++q) sums[q] += times(in[q + apart * k], root);
      }
      for (std::size_t q = 0; q < of.stride; ++q) sums[q] = times(sums[q], w);
    }
  }

  std::size_t m_length;
  std::size_t m_sequences;
  bool m_forward;
  root_powers<Real> m_roots;
};

/// Transforms of any length, prime ones too, by transforms of powers of two.
/// **Source** Bluestein, A linear filtering approach to the computation of discrete Fourier
/// transform, 1970.
template <std::floating_point Real>
class chirp_transform {
 public:
  using number = std::complex<Real>;

  chirp_transform(std::size_t length, std::size_t sequences, bool forward)
      : m_length(length),
        m_sequences(sequences),
        m_padded(std::bit_ceil(2 * length - 1)),
        m_chirp(length) {
    for (std::size_t k = 0; k < length; ++k) {
      auto const root = unit_root<Real>(squared_modulo(k, 2 * length), 2 * length);
      m_chirp[k] = forward ? std::conj(root) : root;
    }
  }

  void operator()(std::vector<number>& elements, std::vector<number>& other) const {
    std::vector<number> padded(m_padded * m_sequences);
    for (std::size_t k = 0; k < m_length; ++k)
      for (std::size_t q = 0; q < m_sequences; ++q)
        padded[k * m_sequences + q] = times(elements[k * m_sequences + q], m_chirp[k]);
    other.resize(padded.size());
    stockham_transform<Real>(m_padded, m_sequences, true)(padded, other);
    auto const filter = transformed_filter();
    for (std::size_t k = 0; k < m_padded; ++k)
      for (std::size_t q = 0; q < m_sequences; ++q)
        padded[k * m_sequences + q] = times(padded[k * m_sequences + q], filter[k]);
    stockham_transform<Real>(m_padded, m_sequences, false)(padded, other);
    auto const scale = 1 / static_cast<Real>(m_padded);
    for (std::size_t k = 0; k < m_length; ++k)
      for (std::size_t q = 0; q < m_sequences; ++q)
        elements[k * m_sequences + q] = scale * times(padded[k * m_sequences + q], m_chirp[k]);
  }

 private:
  /// k^2 mod n, for k < n, without overflow for lengths up to 2^32.
  [[nodiscard]] static std::size_t squared_modulo(std::size_t k, std::size_t n) {
    return k * k % n;
  }

  [[nodiscard]] std::vector<number> transformed_filter() const {
    std::vector<number> filter(m_padded);
    std::vector<number> other(m_padded);
    for (std::size_t k = 0; k < m_length; ++k)
      filter[k] = filter[(m_padded - k) % m_padded] = std::conj(m_chirp[k]);
    stockham_transform<Real>(m_padded, 1, true)(filter, other);
    return filter;
  }

  std::size_t m_length;
  std::size_t m_sequences;
  std::size_t m_padded;
  std::vector<number> m_chirp;
};

}  // namespace detail

/// Discrete Fourier transforms in one processor's memory, without another library: what `fft` takes
/// unless it is given something else, such as `fftw`.
struct local_fft {
  /// Transforms interleaved sequences in place: element i of sequence s is elements[i * sequences + s].
  /// The result is not scaled.
  ///
  /// `elements`: `length` for each of the sequences, any number of them.
  /// `length`: any; at least 1.
  /// Cost: no step. O(n (r_1 + r_2 + ..)) operations for n elements and a length that is a product of
  /// primes r_i up to 32; O(n log n) for other lengths.
  /// **Source** Stockham's passes (Cochran and others, What is the fast Fourier transform?, 1967), in
  /// radix 4 and 2 where these divide the length; Bluestein 1970 for primes above 32.
  template <std::floating_point Real>
  void operator()(std::span<std::complex<Real>> elements, std::size_t length,
                  fft_direction direction) const {
    if (length <= 1 || elements.empty()) return;
    auto const sequences = elements.size() / length;
    bool const forward = direction == fft_direction::forward;
    std::vector<std::complex<Real>> mine(elements.begin(), elements.end());
    std::vector<std::complex<Real>> other(elements.size());
    if (detail::has_large_factor(length))
      detail::chirp_transform<Real>(length, sequences, forward)(mine, other);
    else
      detail::stockham_transform<Real>(length, sequences, forward)(mine, other);
    std::ranges::copy(mine, elements.begin());
  }
};

}  // namespace lockstep
