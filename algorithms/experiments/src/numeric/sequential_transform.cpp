#include "numeric/sequential_transform.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <lockstep/algorithms/numeric/detail/complex_roots.hpp>

#include "harness/stages.hpp"

namespace lockstep {

namespace {

constexpr std::size_t longest_direct = 1000;          // of prime factors
constexpr std::uint64_t pieces_of_a_long_part = 200;  // for each element, about

[[nodiscard]] std::size_t least_prime_factor(std::size_t n) {
  for (std::size_t factor = 2; factor * factor <= n; ++factor)
    if (n % factor == 0) return factor;
  return n;
}

/// A part of a signal: its elements `first`, first + stride, ..
struct signal_part {
  std::size_t first = 0;
  std::size_t stride = 1;
};

class recursive_transform {
 public:
  recursive_transform(std::span<long_complex const> signal, fft_direction direction)
      : m_signal(signal),
        m_direction(direction),
        m_roots(1, signal.size(), signal.size(), direction == fft_direction::forward) {}

  /// Writes the transform of that part, of `out.size()` elements.
  void run(signal_part part, std::span<long_complex> out) {
    if (out.size() == 1) {
      out[0] = m_signal[part.first];
      return;
    }
    auto const factor = least_prime_factor(out.size());
    if (factor > longest_direct) return run_long(part, out);
    auto const length = out.size() / factor;
    for (std::size_t i = 0; i < factor; ++i)
      run({part.first + i * part.stride, part.stride * factor}, out.subspan(i * length, length));
    combine(out, factor);
  }

  void note_rest() { note_done(std::exchange(m_pieces, 0)); }

 private:
  void combine(std::span<long_complex> out, std::size_t factor) {
    auto const length = out.size() / factor;
    auto const turn = m_signal.size() / out.size();
    std::vector<long_complex> parts(factor);
    for (std::size_t j = 0; j < length; ++j) {
      for (std::size_t i = 0; i < factor; ++i)
        parts[i] = detail::times(out[i * length + j], m_roots[i * j * turn]);
      for (std::size_t t = 0; t < factor; ++t) {
        auto sum = parts[0];
        for (std::size_t i = 1; i < factor; ++i)
          sum += detail::times(parts[i], m_roots[i * t % factor * (m_signal.size() / factor)]);
        out[j + t * length] = sum;
      }
      note(factor * factor);
    }
  }

  /// Transforms a part whose direct sums take too long.
  void run_long(signal_part part, std::span<long_complex> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = m_signal[part.first + i * part.stride];
    local_fft{}(out, out.size(), m_direction);
    note(out.size() * pieces_of_a_long_part);
  }

  /// Notes pieces of work, many at a time.
  void note(std::uint64_t pieces) {
    constexpr std::uint64_t at_a_time = std::uint64_t{1} << 16U;
    m_pieces += pieces;
    if (m_pieces >= at_a_time) note_rest();
  }

  std::span<long_complex const> m_signal;
  fft_direction m_direction;
  detail::root_powers<long double> m_roots;
  std::uint64_t m_pieces = 0;  ///< that are done, and not noted yet
};

}  // namespace

std::uint64_t pieces_of_transform(std::size_t length) {
  std::uint64_t each = 0;
  for (auto rest = length; rest > 1;) {
    auto const factor = least_prime_factor(rest);
    if (factor > longest_direct) return length * (each + pieces_of_a_long_part);
    each += factor;
    rest /= factor;
  }
  return length * each;
}

std::vector<long_complex> sequential_transform(std::span<long_complex const> signal,
                                               fft_direction direction) {
  std::vector<long_complex> transformed(signal.size());
  if (signal.empty()) return transformed;
  recursive_transform whole(signal, direction);
  whole.run({}, transformed);
  whole.note_rest();
  return transformed;
}

template <class Real>
double largest_rounding_error(std::size_t length) {
  // Sums of r terms one after another, for a prime factor r, lose about sqrt(r).
  std::size_t largest = 1;
  for (auto rest = length; rest > 1;) {
    auto const factor = least_prime_factor(rest);
    largest = std::max(largest, factor);
    rest /= factor;
  }
  auto const steps = static_cast<double>(std::bit_width(length)) +
                     std::sqrt(static_cast<double>(std::min<std::size_t>(largest, 1000)));
  return 16 * steps * static_cast<double>(std::numeric_limits<Real>::epsilon());
}

template double largest_rounding_error<float>(std::size_t);
template double largest_rounding_error<double>(std::size_t);

}  // namespace lockstep
