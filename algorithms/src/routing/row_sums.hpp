#pragma once

#include <cstdint>
#include <vector>

namespace lockstep {

/// The sums of the rows of p of a square matrix.
[[nodiscard]] inline std::vector<std::uint64_t> row_sums(std::vector<std::uint64_t> const& matrix,
                                                         std::uint64_t p) {
  std::vector<std::uint64_t> sums(p);
  for (std::uint64_t at = 0; at < matrix.size(); ++at) sums[at / p] += matrix[at];
  return sums;
}

/// The sums of its columns.
[[nodiscard]] inline std::vector<std::uint64_t> column_sums(
    std::vector<std::uint64_t> const& matrix, std::uint64_t p) {
  std::vector<std::uint64_t> sums(p);
  for (std::uint64_t at = 0; at < matrix.size(); ++at) sums[at % p] += matrix[at];
  return sums;
}

}  // namespace lockstep
