#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace as_printed {

using amounts = std::vector<std::int64_t>;

/// A line of Bader, Helman and JaJa's equation 7: floor(h (1 - h i / (2n - h))).
inline std::int64_t slope(std::int64_t n, std::int64_t h, std::int64_t i) {
  auto const dividend = h * (2 * n - h - h * i);
  auto const divisor = 2 * n - h;
  return dividend >= 0 ? dividend / divisor : -((-dividend + divisor - 1) / divisor);
}

/// Equation 7, first two lines: the elements for all processors but the last.
inline amounts all_but_the_last(std::int64_t p, std::int64_t n, std::int64_t h) {
  amounts v;
  for (std::int64_t i = 0; i < p - 1; ++i) v.push_back(i * h < 2 * n ? slope(n, h, i) : 0);
  return v;
}

/// Equation 7, third line, as printed: n less the slope for j = 0 .. 2n/h - 1.
inline std::int64_t printed_last(std::int64_t n, std::int64_t h) {
  auto left = n;
  for (std::int64_t j = 0; (j + 1) * h <= 2 * n; ++j) left -= slope(n, h, j);
  return left;
}

inline std::int64_t sum_of(amounts const& v) {
  return std::accumulate(v.begin(), v.end(), std::int64_t{0});
}

}  // namespace as_printed
