#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <lockstep/algorithms/numeric/local_product.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "files/number_arrays.hpp"
#include "harness/arguments.hpp"

namespace lockstep {

inline constexpr integer_parameter size_of_matrices{
    "n",
    "rows and columns of generated matrices, where there is no input file",
    48,
    0,
    std::int64_t{1} << 20U,
    true,
    true};
inline constexpr text_parameter second_matrix{
    "second", "FILE with the second matrix, where an input file has the first (.npy)"};

/// Two matrices to multiply.
template <class Number>
struct matrix_pair {
  number_matrix<Number> left;
  number_matrix<Number> right;
};
using any_matrix_pair = std::variant<matrix_pair<double>, matrix_pair<float>,
                                     matrix_pair<std::int64_t>, matrix_pair<std::int32_t>>;

/// Reads the matrices of the input file and of --second, or generates two of n x n, of doubles.
/// Errors: bad_input for files that cannot be read, shapes that do not multiply, different types, or
/// numbers that are not finite; invalid_argument for one file without the other.
[[nodiscard]] any_matrix_pair matrices_from(arguments const& given);

/// The comparison of a product with the sums of products, with all their bits where numbers are
/// whole, else in long double.
struct product_check {
  /// The largest difference of an element by the sum of its terms' magnitudes; of whole numbers 0 or
  /// 1. A rounding makes one of at most `largest`. What products below the least normal number lose
  /// counts for nothing beside larger elements.
  double error = 0;
  double largest = 0;
  /// The first element whose type has no place for the right value, or for a sum on the way
  /// to it, and what can be done; else nothing: "row 0, column 1 is about 1e+20, ..".
  std::string refusal{};
};
template <class Number>
[[nodiscard]] product_check check_product(matrix_pair<Number> const& factors,
                                          number_matrix<Number> const& product);

}  // namespace lockstep
