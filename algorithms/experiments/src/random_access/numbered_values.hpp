#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>

namespace lockstep {

/// The value of element i in generated input: D(i) = i + 1.
[[nodiscard]] inline std::int64_t numbered_value(std::size_t i) {
  return static_cast<std::int64_t>(i) + 1;
}

/// The values of n elements.
[[nodiscard]] inline std::vector<std::int64_t> numbered_values(std::size_t n) {
  std::vector<std::int64_t> values;
  values.reserve(n);
  for (std::size_t i = 0; i < n; ++i) values.push_back(numbered_value(i));
  return values;
}

/// A processor's block of what lies on all of them.
template <class T>
[[nodiscard]] std::span<T> block_of(std::span<T> all, bucket_layout const& layout, int rank) {
  return all.subspan(layout.first_of(rank), layout.size_of(rank));
}

}  // namespace lockstep
