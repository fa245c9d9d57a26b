#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/numeric/local_product.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/progress.hpp>

#include "files/npy_file.hpp"
#include "files/write_result.hpp"
#include "harness/bdm_parameters.hpp"
#include "harness/harness.hpp"
#include "harness/stages.hpp"
#include "numeric/numeric_machine.hpp"
#include "numeric/product_input.hpp"

namespace lockstep {

/// Whole numbers are multiplied modulo 2^32 or 2^64, which signed ones must not be: a product that
/// fits comes out right, whatever its sums are on the way.
template <class Number>
struct product_element {
  using type = Number;
};
template <>
struct product_element<std::int64_t> {
  using type = std::uint64_t;
};
template <>
struct product_element<std::int32_t> {
  using type = std::uint32_t;
};

/// The blocks of matrices that an algorithm deals out to q x q of its processors.
struct block_grid {
  int side = 1;                   ///< q
  std::size_t inner_parts = 1;    ///< into which the inner dimension of a block has to be cut
  std::function<int(int)> place;  ///< of a rank: the number of its block, row by row, or -1
  int distance = 1;               ///< in links, between blocks of a row
};

/// The sizes of a product, known before it runs.
struct product_sizes {
  product_shape whole;   ///< of the matrices
  product_shape blocks;  ///< of what a processor has
  /// Counts the elements of a block of each matrix.
  [[nodiscard]] double of_three_blocks() const {
    return static_cast<double>(blocks.left() + blocks.right() + blocks.result());
  }
  /// Of n x n matrices, or 0.
  [[nodiscard]] std::size_t n() const {
    return whole.rows == whole.inner && whole.inner == whole.columns ? whole.rows : 0;
  }
};

template <class Number>
[[nodiscard]] product_sizes sizes_of(matrix_pair<Number> const& of, block_grid const& grid) {
  auto const cut = [](std::size_t size, std::size_t parts) { return (size + parts - 1) / parts; };
  auto const q = static_cast<std::size_t>(grid.side);
  return {{of.left.rows, of.left.columns, of.right.columns},
          {cut(of.left.rows, q), cut(cut(of.left.columns, q), grid.inner_parts) * grid.inner_parts,
           cut(of.right.columns, q)}};
}

/// The local product that the request lends, or lockstep's.
template <class T>
[[nodiscard]] std::function<void(product_shape const&, T const*, T const*, T*)> local_product_of(
    numeric_libraries const& libraries) {
  if constexpr (std::is_same_v<T, double>)
    if (libraries.multiply_doubles) return libraries.multiply_doubles;
  if constexpr (std::is_same_v<T, float>)
    if (libraries.multiply_floats) return libraries.multiply_floats;
  return local_product{};
}

/// A local product that notes what it has done: a long one some rows at a time.
template <class T>
class noted_product {
 public:
  explicit noted_product(std::function<void(product_shape const&, T const*, T const*, T*)> multiply)
      : m_multiply(std::move(multiply)) {}

  void operator()(product_shape const& of, T const* a, T const* b, T* c) const {
    auto const rows = rows_at_a_time(of);
    for (std::size_t row = 0; row < of.rows; row += rows) {
      product_shape const part{std::min(rows, of.rows - row), of.inner, of.columns};
      m_multiply(part, a + row * of.inner, b, c + row * of.columns);
      if (m_board != nullptr) m_board->add(multiplications_in(part));
    }
  }

  /// Counts the multiplications of numbers.
  [[nodiscard]] static std::uint64_t multiplications_in(product_shape const& of) {
    return std::uint64_t{of.rows} * of.inner * of.columns;
  }

 private:
  /// As many as take a few tenths of a second, and no fewer than libraries work well on.
  [[nodiscard]] static std::size_t rows_at_a_time(product_shape const& of) {
    constexpr std::size_t multiplications = std::size_t{1} << 31U;
    constexpr std::size_t least = 192;
    auto const of_a_row = std::max<std::size_t>(of.inner * of.columns, 1);
    return std::max(multiplications / of_a_row, least);
  }

  std::function<void(product_shape const&, T const*, T const*, T*)> m_multiply;
  work_progress* m_board = progress_scope::board();
};

/// The blocks of an algorithm's two factors, and of their product.
template <class Number>
class product_blocks {
 public:
  using element = typename product_element<Number>::type;

  product_blocks(matrix_pair<Number> const& factors, block_grid const& grid)
      : m_factors(factors), m_grid(grid), m_sizes(sizes_of(factors, grid)) {}

  [[nodiscard]] product_sizes const& sizes() const { return m_sizes; }

  [[nodiscard]] std::vector<element> left_of(int rank) const {
    return elements(m_factors.left, rank, m_sizes.blocks.rows, m_sizes.blocks.inner);
  }
  [[nodiscard]] std::vector<element> right_of(int rank) const {
    return elements(m_factors.right, rank, m_sizes.blocks.inner, m_sizes.blocks.columns);
  }

  /// Puts the products together.
  [[nodiscard]] number_matrix<Number> together(
      std::vector<std::vector<element>> const& products) const {
    auto const& [rows, inner, columns] = m_sizes.whole;
    number_matrix<Number> whole{rows, columns, std::vector<Number>(rows * columns)};
    for (int rank = 0; auto const& product : products) {
      auto const place = m_grid.place(rank++);
      if (place < 0) continue;
      std::vector<Number> const block(product.begin(), product.end());
      auto const [row, column] = corner(place, m_sizes.blocks.rows, m_sizes.blocks.columns);
      put_block<Number>(whole, block, row, m_sizes.blocks.rows, column, m_sizes.blocks.columns);
    }
    return whole;
  }

 private:
  struct matrix_place {
    std::size_t row;
    std::size_t column;
  };

  [[nodiscard]] matrix_place corner(int place, std::size_t rows, std::size_t columns) const {
    return {static_cast<std::size_t>(place / m_grid.side) * rows,
            static_cast<std::size_t>(place % m_grid.side) * columns};
  }

  [[nodiscard]] std::vector<element> elements(number_matrix<Number> const& whole, int rank,
                                              std::size_t rows, std::size_t columns) const {
    auto const place = m_grid.place(rank);
    if (place < 0) return {};
    auto const [row, column] = corner(place, rows, columns);
    auto block = block_of(whole, row, rows, column, columns);
    if constexpr (std::is_same_v<element, Number>)
      return block;
    else
      return {block.begin(), block.end()};
  }

  matrix_pair<Number> const& m_factors;
  block_grid const& m_grid;
  product_sizes m_sizes;
};

/// Computes the traffic of any program for it, where no block is all padding: whoever gets a block
/// of the product needs something of all blocks of a row of A and a column of B.
[[nodiscard]] inline traffic_requirement requirement_of(product_sizes const& sizes,
                                                        block_grid const& grid) {
  auto const q = static_cast<std::size_t>(grid.side);
  auto const fills = [q](std::size_t size, std::size_t block) { return size > block * (q - 1); };
  auto const& [whole, blocks] = sizes;
  if (q == 1 || !fills(whole.rows, blocks.rows) || !fills(whole.inner, blocks.inner) ||
      !fills(whole.columns, blocks.columns))
    return {};
  return {.distance = grid.distance, .joined = 2 * q - 1};
}

/// Compares a product with the right one. Errors: bad_input for an element that its type does not
/// hold.
template <class Number>
[[nodiscard]] product_check checked_product(arguments const& given,
                                            matrix_pair<Number> const& factors,
                                            number_matrix<Number> const& product) {
  begin_stage("checking the product", product.rows);
  auto check = check_product(factors, product);
  if (check.refusal.empty()) return check;
  auto const& file = given.request().input;
  throw bad_input(fmt::format(
      "{}the product in {}",
      file ? fmt::format("{} and {}: ", file->string(), given[second_matrix]) : "", check.refusal));
}

/// Runs `run_on_blocks(me, blocks, left, right, multiply)` on the blocks of two matrices, checks their
/// product, and writes it. `claims(sizes)` makes the claims, `held(sizes)` how many elements a
/// processor holds, on average, with those on their way.
/// Errors: those of run_program and `checked_product`.
template <class Number, class Algorithm, class Claims, class Held>
[[nodiscard]] experiment_result multiply_matrices(arguments const& given, block_grid const& grid,
                                                  matrix_pair<Number> const& factors,
                                                  Algorithm const& run_on_blocks,
                                                  Claims const& claims, Held const& held) {
  using element = typename product_element<Number>::type;
  product_blocks<Number> const dealt(factors, grid);
  auto const& sizes = dealt.sizes();
  auto stated = claims(sizes);
  asked_output out(given);
  auto const made = sizeof(Number) * (factors.left.entries.size() + factors.right.entries.size());
  machine_needs const needs{.strict = strictness::always,
                            .packet = packet_from(given),
                            .one_port = true,
                            .bytes_each = sizeof(element) * held(sizes),
                            .made = made,
                            .held = "blocks of three matrices, and messages,",
                            .remedy = "smaller matrices",
                            .pieces = noted_product<element>::multiplications_in(sizes.whole)};
  noted_product<element> const multiply(local_product_of<element>(given.request().libraries));
  expect_steps(stated);
  auto run = run_program(given, needs, [&](processor& me) -> std::vector<element> {
    return run_on_blocks(me, sizes.blocks, dealt.left_of(me.rank()), dealt.right_of(me.rank()),
                         multiply);
  });
  auto const product = dealt.together(run.results());
  auto const check = checked_product(given, factors, product);
  auto result = result_of(given, std::move(run), check.error <= check.largest);
  result.claims = std::move(stated);
  result.figures["error"] = check.error;
  auto const& lent = given.request().libraries.products;
  bool const is_lent = std::is_floating_point_v<element> && !lent.empty();
  result.figures["products"] = is_lent ? lent : "lockstep";
  result.figures["q"] = std::int64_t{grid.side};
  if (auto const n = sizes.n(); n > 0 || sizes.whole.rows == 0) {
    result.parameters["n"] = static_cast<std::int64_t>(n);
    result.figures["b"] = static_cast<std::int64_t>(sizes.blocks.rows);
  }
  result.bounds = lower_bounds(result.record, requirement_of(sizes, grid));
  out.take(result, product.entries.size(), [&](std::ostream& file) { write_npy(file, product); });
  return result;
}

/// The same on the matrices that are asked for.
template <class Algorithm, class Claims, class Held>
[[nodiscard]] experiment_result run_product(arguments const& given, block_grid const& grid,
                                            Algorithm const& run_on_blocks, Claims const& claims,
                                            Held const& held) {
  return std::visit(
      [&](auto const& factors) {
        return multiply_matrices(given, grid, factors, run_on_blocks, claims, held);
      },
      matrices_from(given));
}

}  // namespace lockstep
