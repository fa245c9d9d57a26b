#include "numeric/product_input.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <istream>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/experiment.hpp>

#include "files/input_file.hpp"
#include "files/npy_file.hpp"
#include "harness/harness.hpp"
#include "harness/stages.hpp"

namespace lockstep {

namespace {

[[nodiscard]] any_matrix read_matrix_of(std::filesystem::path const& file) {
  return read_input(file, "name an .npy file with a matrix",
                    [&](std::istream& in) { return read_npy_matrix(in, file); });
}

template <class Number>
[[nodiscard]] constexpr char const* type_of() {
  if (std::is_same_v<Number, double>) return "float64";
  if (std::is_same_v<Number, float>) return "float32";
  return std::is_same_v<Number, std::int64_t> ? "int64" : "int32";
}

/// Errors: bad_input for a number that is not finite.
template <class Number>
void require_finite(std::string const& file, number_matrix<Number> const& matrix) {
  if constexpr (std::is_floating_point_v<Number>) {
    auto const bad =
        std::ranges::find_if_not(matrix.entries, [](Number each) { return std::isfinite(each); });
    if (bad == matrix.entries.end()) return;
    auto const at = static_cast<std::size_t>(bad - matrix.entries.begin());
    throw bad_input(
        fmt::format("{}: its number in row {}, column {} is not finite; give finite "
                    "numbers",
                    file, at / matrix.columns, at % matrix.columns));
  }
}

/// Errors: bad_input for types or shapes that do not multiply.
template <class Left, class Right>
[[nodiscard]] any_matrix_pair pair_of(std::string const& first, number_matrix<Left> left,
                                      std::string const& second, number_matrix<Right> right) {
  if constexpr (!std::is_same_v<Left, Right>) {
    throw bad_input(fmt::format("{} holds {} and {} holds {}; save both as one type", first,
                                type_of<Left>(), second, type_of<Right>()));
  } else {
    if (left.columns != right.rows)
      throw bad_input(fmt::format(
          "{} is {} x {} and {} is {} x {}, which do not multiply; give one of {} rows", first,
          left.rows, left.columns, second, right.rows, right.columns, left.columns));
    require_finite(first, left);
    require_finite(second, right);
    return matrix_pair<Left>{std::move(left), std::move(right)};
  }
}

[[nodiscard]] number_matrix<double> generated_matrix(arguments const& given, int which) {
  auto const n = given[size_of_matrices];
  number_matrix<double> made{n, n, std::vector<double>(n * n)};
  constexpr std::int64_t half = std::int64_t{1} << 31U;
  for (std::size_t i = 0; i < made.entries.size(); ++i) {
    auto const bits = generated_word(given.seed(), which, 0, i) >> 32U;
    made.entries[i] =
        static_cast<double>(static_cast<std::int64_t>(bits) - half) / static_cast<double>(half);
  }
  return made;
}

/// Requires memory for both factors, their blocks and the product before any of them is made.
/// Errors: out_of_memory, with the figures.
void require_memory_for_factors(arguments const& given) {
  auto const n = static_cast<double>(given[size_of_matrices]);
  constexpr double matrices = 6;
  require_memory(given, {.bytes_each = matrices * sizeof(double) * n * n / given.processors(),
                         .held = "both factors and the product, whole and in blocks",
                         .remedy = "a smaller n"});
}

/// Multiplies modulo 2^32 or 2^64, as NumPy does.
template <class Number>
[[nodiscard]] number_matrix<Number> exact_product(matrix_pair<Number> const& of) {
  using wrapping = std::make_unsigned_t<Number>;
  auto const& [left, right] = of;
  number_matrix<Number> product{left.rows, right.columns,
                                std::vector<Number>(left.rows * right.columns)};
  std::vector<wrapping> row(right.columns);
  for (std::size_t i = 0; i < left.rows; ++i) {
    std::ranges::fill(row, wrapping{0});
    for (std::size_t k = 0; k < left.columns; ++k)
      for (std::size_t j = 0; j < right.columns; ++j)
        row[j] += static_cast<wrapping>(left.entries[i * left.columns + k]) *
                  static_cast<wrapping>(right.entries[k * right.columns + j]);
    note_done(1);
    std::ranges::transform(row,
                           product.entries.begin() + static_cast<std::ptrdiff_t>(i * right.columns),
                           [](wrapping each) { return static_cast<Number>(each); });
  }
  return product;
}

/// A row of a product in long double, and of that of the factors' magnitudes, by which its rounding is
/// measured.
struct exact_row {
  std::vector<long double> sums;
  std::vector<long double> magnitudes;
};

template <class Number>
[[nodiscard]] exact_row exact_row_of(matrix_pair<Number> const& of, std::size_t row) {
  auto const& [left, right] = of;
  exact_row exact{std::vector<long double>(right.columns), std::vector<long double>(right.columns)};
  for (std::size_t k = 0; k < left.columns; ++k) {
    auto const factor = static_cast<long double>(left.entries[row * left.columns + k]);
    for (std::size_t j = 0; j < right.columns; ++j) {
      auto const term = factor * static_cast<long double>(right.entries[k * right.columns + j]);
      exact.sums[j] += term;
      exact.magnitudes[j] += std::abs(term);
    }
  }
  return exact;
}

/// The error of an element: 0 where it is what rounding makes of the exact sum, else the difference
/// by the sum of the terms' magnitudes.
template <class Number>
[[nodiscard]] long double error_of_element(Number measured, long double sum,
                                           long double magnitude) {
  if (measured == static_cast<Number>(sum)) return 0;
  return std::abs(static_cast<long double>(measured) - sum) / magnitude;
}

/// Finds the largest error of an element. One that is not a number counts as infinite.
template <class Number>
[[nodiscard]] double largest_error(matrix_pair<Number> const& factors,
                                   number_matrix<Number> const& product) {
  long double largest = 0;
  for (std::size_t i = 0; i < product.rows; ++i) {
    auto const exact = exact_row_of(factors, i);
    note_done(1);
    for (std::size_t j = 0; j < product.columns; ++j) {
      auto const error = error_of_element(product.entries[i * product.columns + j], exact.sums[j],
                                          exact.magnitudes[j]);
      if (!(error <= largest))
        largest = std::isnan(error) ? std::numeric_limits<long double>::infinity() : error;
    }
  }
  return static_cast<double>(largest);
}

}  // namespace

any_matrix_pair matrices_from(arguments const& given) {
  auto const second = given[second_matrix];
  if (given.request().input.has_value() == second.empty())
    throw invalid_argument(
        "a product has two factors; give --input and --second, or neither to generate both");
  if (second.empty()) {
    require_memory_for_factors(given);
    return matrix_pair<double>{generated_matrix(given, 0), generated_matrix(given, 1)};
  }
  auto const first = given.request().input->string();
  auto left = read_matrix_of(first);  // first, so that it is the one to be blamed
  auto right = read_matrix_of(second);
  return std::visit(
      [&](auto&& one, auto&& other) {
        return pair_of(first, std::forward<decltype(one)>(one), second,
                       std::forward<decltype(other)>(other));
      },
      std::move(left), std::move(right));
}

template <class Number>
std::vector<Number> block_of(number_matrix<Number> const& whole, std::size_t row, std::size_t rows,
                             std::size_t column, std::size_t columns) {
  std::vector<Number> block(rows * columns);
  auto const height = row < whole.rows ? std::min(rows, whole.rows - row) : 0;
  auto const width = column < whole.columns ? std::min(columns, whole.columns - column) : 0;
  for (std::size_t i = 0; i < height; ++i)
    std::copy_n(whole.entries.data() + (row + i) * whole.columns + column, width,
                block.data() + i * columns);
  return block;
}

template <class Number>
void put_block(number_matrix<Number>& whole, std::span<Number const> block, std::size_t row,
               std::size_t rows, std::size_t column, std::size_t columns) {
  auto const height = row < whole.rows ? std::min(rows, whole.rows - row) : 0;
  auto const width = column < whole.columns ? std::min(columns, whole.columns - column) : 0;
  for (std::size_t i = 0; i < height; ++i)
    std::copy_n(block.data() + i * columns, width,
                whole.entries.data() + (row + i) * whole.columns + column);
}

template <class Number>
product_error error_of_product(matrix_pair<Number> const& factors,
                               number_matrix<Number> const& product) {
  begin_stage("checking the product", product.rows);
  if constexpr (std::is_integral_v<Number>) {
    return {exact_product(factors) == product ? 0.0 : 1.0, 0};
  } else {
    return {largest_error(factors, product),
            2 * static_cast<double>(factors.left.columns) *
                static_cast<double>(std::numeric_limits<Number>::epsilon())};
  }
}

template std::vector<double> block_of(number_matrix<double> const&, std::size_t, std::size_t,
                                      std::size_t, std::size_t);
template std::vector<float> block_of(number_matrix<float> const&, std::size_t, std::size_t,
                                     std::size_t, std::size_t);
template std::vector<std::int64_t> block_of(number_matrix<std::int64_t> const&, std::size_t,
                                            std::size_t, std::size_t, std::size_t);
template std::vector<std::int32_t> block_of(number_matrix<std::int32_t> const&, std::size_t,
                                            std::size_t, std::size_t, std::size_t);
template void put_block(number_matrix<double>&, std::span<double const>, std::size_t, std::size_t,
                        std::size_t, std::size_t);
template void put_block(number_matrix<float>&, std::span<float const>, std::size_t, std::size_t,
                        std::size_t, std::size_t);
template void put_block(number_matrix<std::int64_t>&, std::span<std::int64_t const>, std::size_t,
                        std::size_t, std::size_t, std::size_t);
template void put_block(number_matrix<std::int32_t>&, std::span<std::int32_t const>, std::size_t,
                        std::size_t, std::size_t, std::size_t);
template product_error error_of_product(matrix_pair<double> const&, number_matrix<double> const&);
template product_error error_of_product(matrix_pair<float> const&, number_matrix<float> const&);
template product_error error_of_product(matrix_pair<std::int64_t> const&,
                                        number_matrix<std::int64_t> const&);
template product_error error_of_product(matrix_pair<std::int32_t> const&,
                                        number_matrix<std::int32_t> const&);

}  // namespace lockstep
