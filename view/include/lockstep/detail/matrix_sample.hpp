#pragma once

#include <cstddef>

#include <lockstep/detail/debug_containers.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// As many numbers of a matrix are on a page or a handout; of more, every n-th row and column.
inline constexpr std::size_t most_matrix_numbers = 1'600;

/// A matrix reduced to every n-th row and column.
struct matrix_sample {
  std::size_t numbers = 0;  ///< of the whole matrix
  std::size_t rows = 0;     ///< likewise
  std::size_t every = 1;    ///< n
  shown_matrix matrix{};
};

[[nodiscard]] matrix_sample sample_of(shown_matrix const& matrix);

}  // namespace lockstep::detail
