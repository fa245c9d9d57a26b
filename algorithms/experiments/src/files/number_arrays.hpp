#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

namespace lockstep {

/// rows x columns numbers, row by row.
template <class Number>
struct number_matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Number> entries;

  friend bool operator==(number_matrix const&, number_matrix const&) = default;
};

/// With the numbers that files hold.
using any_matrix = std::variant<number_matrix<double>, number_matrix<float>,
                                number_matrix<std::int64_t>, number_matrix<std::int32_t>>;

/// Complex numbers of either precision.
using any_signal =
    std::variant<std::vector<std::complex<double>>, std::vector<std::complex<float>>>;

}  // namespace lockstep
