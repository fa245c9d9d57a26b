#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace lockstep {

/// n x n numbers, row by row.
template <class Number>
struct square_matrix {
  std::size_t size = 0;  ///< n
  std::vector<Number> entries;

  [[nodiscard]] Number const& at(std::size_t row, std::size_t column) const {
    return entries[row * size + column];
  }
  friend bool operator==(square_matrix const&, square_matrix const&) = default;
};

/// With the numbers that files hold.
using matrix = std::variant<square_matrix<std::int64_t>, square_matrix<double>,
                            square_matrix<std::int32_t>, square_matrix<float>>;

}  // namespace lockstep
