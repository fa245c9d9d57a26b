#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <source_location>
#include <type_traits>
#include <vector>

#include <lockstep/algorithms/detail/errors_at.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

namespace detail {

/// Counts elements. Errors: invalid_argument, which names `where`, for 2^64 of them or more.
[[nodiscard]] inline std::size_t elements_of_matrix(std::size_t rows, std::size_t columns,
                                                    std::source_location where) {
  return errors_at(where, [&] { return checked_product(rows, columns); });
}

}  // namespace detail

/// A product of matrices, which lie row by row: rows x inner by inner x columns.
struct product_shape {
  std::size_t rows = 0;
  std::size_t inner = 0;
  std::size_t columns = 0;

  /// Counts the elements of A, `right` those of B, `result` those of C.
  /// Errors: invalid_argument for 2^64 of them or more.
  [[nodiscard]] std::size_t left(
      std::source_location where = std::source_location::current()) const {
    return detail::elements_of_matrix(rows, inner, where);
  }
  [[nodiscard]] std::size_t right(
      std::source_location where = std::source_location::current()) const {
    return detail::elements_of_matrix(inner, columns, where);
  }
  [[nodiscard]] std::size_t result(
      std::source_location where = std::source_location::current()) const {
    return detail::elements_of_matrix(rows, columns, where);
  }

  friend bool operator==(product_shape const&, product_shape const&) = default;
};

namespace detail {

/// Products of blocks that stay in the caches, from copies that lie as they are read: of A in strips
/// of a few rows, of B in strips of a few columns. A tile of C, a strip wide and high, stays in
/// registers.
template <class T>
class blocked_product {
 public:
  blocked_product(product_shape const& of, T const* a, T const* b, T* c)
      : m_of(of), m_a(a), m_b(b), m_c(c) {}

  void run() {
    for (std::size_t inner = 0; inner < m_of.inner; inner += block_inner)
      for (std::size_t column = 0; column < m_of.columns; column += block_columns)
        add_block(inner, column);
  }

 private:
  static constexpr std::size_t tile_rows = 4;
  static constexpr std::size_t tile_columns = std::max<std::size_t>(32 / sizeof(T), 1);
  static constexpr std::size_t block_inner = 256;
  static constexpr std::size_t block_rows = 24 * tile_rows;
  static constexpr std::size_t block_columns = 128 * tile_columns;

  using tile = std::array<std::array<T, tile_columns>, tile_rows>;

  void add_block(std::size_t inner, std::size_t column) {
    auto const depth = std::min(block_inner, m_of.inner - inner);
    auto const width = std::min(block_columns, m_of.columns - column);
    pack_right(inner, depth, column, width);
    for (std::size_t row = 0; row < m_of.rows; row += block_rows) {
      auto const height = std::min(block_rows, m_of.rows - row);
      pack_left(row, height, inner, depth);
      for (std::size_t j = 0; j < width; j += tile_columns)
        for (std::size_t i = 0; i < height; i += tile_rows)
          add_tile(row + i, std::min(tile_rows, height - i), column + j,
                   std::min(tile_columns, width - j), &m_left[i * depth], &m_right[j * depth],
                   depth);
    }
  }

  /// Strips of `tile_columns` columns, row by row; zeros fill the last.
  void pack_right(std::size_t inner, std::size_t depth, std::size_t column, std::size_t width) {
    m_right.assign((width + tile_columns - 1) / tile_columns * tile_columns * depth, T{});
    for (std::size_t k = 0; k < depth; ++k) {
      auto const* const from = m_b + (inner + k) * m_of.columns + column;
      for (std::size_t j = 0; j < width; ++j)
        m_right[(j / tile_columns * depth + k) * tile_columns + j % tile_columns] = from[j];
    }
  }

  /// Strips of `tile_rows` rows, column by column; zeros fill the last.
  void pack_left(std::size_t row, std::size_t height, std::size_t inner, std::size_t depth) {
    m_left.assign((height + tile_rows - 1) / tile_rows * tile_rows * depth, T{});
    for (std::size_t i = 0; i < height; ++i) {
      auto const* const from = m_a + (row + i) * m_of.inner + inner;
      for (std::size_t k = 0; k < depth; ++k)
        m_left[(i / tile_rows * depth + k) * tile_rows + i % tile_rows] = from[k];
    }
  }

  void add_tile(std::size_t row, std::size_t height, std::size_t column, std::size_t width,
                T const* left, T const* right, std::size_t depth) {
    auto const sums = product_of_strips(left, right, depth);
    for (std::size_t i = 0; i < height; ++i) {
      auto* const to = m_c + (row + i) * m_of.columns + column;
      for (std::size_t j = 0; j < width; ++j) to[j] = static_cast<T>(to[j] + sums[i][j]);
    }
  }

  [[nodiscard]] static tile product_of_strips(T const* left, T const* right, std::size_t depth) {
    tile sums{};
    for (std::size_t k = 0; k < depth; ++k, left += tile_rows, right += tile_columns)
      for (std::size_t i = 0; i < tile_rows; ++i)
        for (std::size_t j = 0; j < tile_columns; ++j)
          sums[i][j] = static_cast<T>(sums[i][j] + left[i] * right[j]);
    return sums;
  }

  product_shape m_of;
  T const* m_a;
  T const* m_b;
  T* m_c;
  std::vector<T> m_left;
  std::vector<T> m_right;
};

}  // namespace detail

/// Products in one processor's memory, without another library: what `matrix_product`, `cannon` and
/// `summa` take unless they are given something else, such as `cblas_product`.
struct local_product {
  /// Adds A B to C. Matrices lie row by row, without gaps.
  ///
  /// `a`: rows x inner; `b`: inner x columns; `c`: rows x columns.
  /// Cost: no step. rows * inner * columns multiplications, in blocks that stay in the caches.
  /// **Source** Goto and van de Geijn, Anatomy of high-performance matrix multiplication, 2008.
  template <class T>
    requires std::is_arithmetic_v<T>
  void operator()(product_shape const& of, T const* a, T const* b, T* c) const {
    detail::blocked_product<T>(of, a, b, c).run();
  }
};

}  // namespace lockstep
