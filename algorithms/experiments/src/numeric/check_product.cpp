#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "harness/stages.hpp"
#include "numeric/product_input.hpp"
#include "numeric/wide_sum.hpp"

namespace lockstep {

namespace {

/// Multiplies modulo 2^32 or 2^64.
template <class Number>
[[nodiscard]] number_matrix<Number> wrapped_product(matrix_pair<Number> const& of) {
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

/// Whether no element can be too large for its type, by the largest of either factor.
template <class Number>
[[nodiscard]] bool is_surely_in_range(matrix_pair<Number> const& of) {
  auto const largest = [](std::vector<Number> const& entries) {
    long double most = 0;
    for (auto const each : entries) most = std::max(most, std::abs(static_cast<long double>(each)));
    return most;
  };
  auto const most = largest(of.left.entries) * largest(of.right.entries) *
                    static_cast<long double>(of.left.columns);
  return most < static_cast<long double>(std::numeric_limits<Number>::max()) / 2;
}

template <class Number>
[[nodiscard]] constexpr char const* bits_of_type() {
  return sizeof(Number) == sizeof(std::int32_t) ? "32" : "64";
}

template <class Number>
[[nodiscard]] std::vector<wide_sum> wide_row_of(matrix_pair<Number> const& of, std::size_t row) {
  auto const& [left, right] = of;
  std::vector<wide_sum> sums(right.columns);
  for (std::size_t k = 0; k < left.columns; ++k)
    for (std::size_t j = 0; j < right.columns; ++j)
      sums[j].add_product(left.entries[row * left.columns + k],
                          right.entries[k * right.columns + j]);
  return sums;
}

/// Compares whole numbers, any one possibly too large for the type.
template <class Number>
[[nodiscard]] product_check check_wide(matrix_pair<Number> const& factors,
                                       number_matrix<Number> const& product) {
  product_check found;
  for (std::size_t i = 0; i < product.rows; ++i) {
    auto const sums = wide_row_of(factors, i);
    note_done(1);
    for (std::size_t j = 0; j < product.columns; ++j) {
      if (!sums[j].template fits<Number>()) {
        found.refusal = fmt::format(
            "row {}, column {} is about {:.4g}, which whole numbers of {} bits do not hold; save "
            "smaller numbers, or both matrices as float64 to have them rounded",
            i, j, sums[j].rounded(), bits_of_type<Number>());
        return found;
      }
      if (product.entries[i * product.columns + j] != sums[j].template value<Number>())
        found.error = 1;
    }
  }
  return found;
}

/// A sum of products in long double, and that of their magnitudes, by which its rounding is measured.
struct exact_sum {
  long double value = 0;
  long double magnitude = 0;

  void add(long double term) {
    value += term;
    magnitude += std::abs(term);
  }
};

template <class Number>
[[nodiscard]] std::vector<Number> transposed(number_matrix<Number> const& of) {
  std::vector<Number> columns(of.entries.size());
  for (std::size_t i = 0; i < of.rows; ++i)
    for (std::size_t j = 0; j < of.columns; ++j)
      columns[j * of.rows + i] = of.entries[i * of.columns + j];
  return columns;
}

/// Rows of a product in long double, some at a time: a pair of columns is read once for all of them, and
/// its sums stay in registers, a tenth of the time that a row at a time takes.
template <class Number>
class exact_rows {
 public:
  static constexpr std::size_t at_a_time = 16;

  explicit exact_rows(matrix_pair<Number> const& factors)
      : m_left(factors.left),
        m_columns(factors.right.columns),
        m_right(transposed(factors.right)),
        m_sums(at_a_time * m_columns) {}

  /// Sums up the rows from this one on.
  void take(std::size_t first) {
    auto const rows = std::min(at_a_time, m_left.rows - first);
    for (std::size_t j = 0; j < m_columns; j += 2)
      for (std::size_t i = 0; i < rows; ++i) take_pair(first + i, j, &m_sums[i * m_columns + j]);
  }

  /// Result: the sum of a row of those taken last, and a column.
  [[nodiscard]] exact_sum const& at(std::size_t row, std::size_t column) const {
    return m_sums[row % at_a_time * m_columns + column];
  }

 private:
  void take_pair(std::size_t row, std::size_t column, exact_sum* to) const {
    auto const terms = m_left.columns;
    bool const is_last = column + 1 == m_columns;
    Number const* const left = m_left.entries.data() + row * terms;
    Number const* const first = m_right.data() + column * terms;
    Number const* const second = is_last ? first : first + terms;
    exact_sum of_first;
    exact_sum of_second;
    for (std::size_t k = 0; k < terms; ++k) {
      auto const factor = static_cast<long double>(left[k]);
      of_first.add(factor * static_cast<long double>(first[k]));
      of_second.add(factor * static_cast<long double>(second[k]));
    }
    to[0] = of_first;
    if (!is_last) to[1] = of_second;
  }

  number_matrix<Number> const& m_left;
  std::size_t m_columns;
  std::vector<Number> m_right;  ///< column by column
  std::vector<exact_sum> m_sums;
};

/// Compares the elements of one product in floating point.
template <class Number>
class rounded_check {
 public:
  explicit rounded_check(std::size_t terms)
      : m_check{0,
                2 * static_cast<double>(terms) *
                    static_cast<double>(std::numeric_limits<Number>::epsilon()),
                {}},
        m_loss(static_cast<long double>(terms) *
               static_cast<long double>(std::numeric_limits<Number>::denorm_min())) {}

  /// Takes an element, beside the exact sum and that of its terms' magnitudes.
  /// Result: why it is refused; nothing where it is not.
  [[nodiscard]] std::string take(Number measured, long double sum, long double magnitude) {
    m_largest_sum = std::max(m_largest_sum, std::abs(sum));
    if (!std::isfinite(static_cast<Number>(sum)))
      return fmt::format("is about {:.4g}, more than {} holds; scale the factors down", sum, type);
    if (measured == static_cast<Number>(sum)) return "";
    if (magnitude >= std::numeric_limits<Number>::max() / 2 && !std::isfinite(measured))
      return fmt::format(
          "is about {:.4g}, and a sum on the way to it more than {} holds; scale the factors down",
          sum, type);
    auto const off = std::abs(static_cast<long double>(measured) - sum);
    auto const error = static_cast<double>(off / magnitude);
    if (error > m_check.largest && off <= m_check.largest * magnitude + m_loss)
      m_any_lost = true;
    else if (!(error <= m_check.error))
      m_check.error = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
    return "";
  }

  [[nodiscard]] product_check const& check() const { return m_check; }

  /// Whether all of the product is so small that it lost digits: where only some elements are, that is
  /// a rounding beside the others.
  [[nodiscard]] bool is_lost() const {
    return m_any_lost &&
           m_largest_sum < static_cast<long double>(std::numeric_limits<Number>::min());
  }

  static constexpr char const* type = sizeof(Number) == sizeof(float) ? "float32" : "float64";

 private:
  product_check m_check;
  long double m_loss;  ///< of an element, where products are below the least normal number
  long double m_largest_sum = 0;
  bool m_any_lost = false;
};

template <class Number>
[[nodiscard]] product_check check_rounded(matrix_pair<Number> const& factors,
                                          number_matrix<Number> const& product) {
  rounded_check<Number> taken(factors.left.columns);
  std::string refusal;
  exact_rows<Number> exact(factors);
  for (std::size_t i = 0; i < product.rows && refusal.empty(); ++i) {
    if (i % exact.at_a_time == 0) exact.take(i);
    note_done(1);
    for (std::size_t j = 0; j < product.columns && refusal.empty(); ++j) {
      auto const& [sum, magnitude] = exact.at(i, j);
      auto const why_not = taken.take(product.entries[i * product.columns + j], sum, magnitude);
      if (!why_not.empty()) refusal = fmt::format("row {}, column {} {}", i, j, why_not);
    }
  }
  if (refusal.empty() && taken.is_lost())
    refusal =
        fmt::format("all rows and columns is so small that {} loses digits; scale the factors up",
                    rounded_check<Number>::type);
  auto check = taken.check();
  check.refusal = refusal;
  return check;
}

}  // namespace

template <class Number>
product_check check_product(matrix_pair<Number> const& factors,
                            number_matrix<Number> const& product) {
  if constexpr (std::is_floating_point_v<Number>)
    return check_rounded(factors, product);
  else if (is_surely_in_range(factors))
    return {wrapped_product(factors) == product ? 0.0 : 1.0, 0, {}};
  else
    return check_wide(factors, product);
}

template product_check check_product(matrix_pair<double> const&, number_matrix<double> const&);
template product_check check_product(matrix_pair<float> const&, number_matrix<float> const&);
template product_check check_product(matrix_pair<std::int64_t> const&,
                                     number_matrix<std::int64_t> const&);
template product_check check_product(matrix_pair<std::int32_t> const&,
                                     number_matrix<std::int32_t> const&);

}  // namespace lockstep
