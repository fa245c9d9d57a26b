#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
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
#include "harness/bdm_parameters.hpp"
#include "harness/harness.hpp"
#include "harness/solve.hpp"
#include "harness/stages.hpp"
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

/// The product problem: two matrices lie in blocks on q x q of the processors, and each of these gets the
/// same block of their product.
template <class Number>
class product_problem {
 public:
  using element = typename product_element<Number>::type;
  using block = std::vector<element>;  ///< row by row; zeros fill it beyond the edges of a matrix
  struct two_blocks {
    block left;
    block right;
  };

  /// Both have to live as long as this.
  product_problem(arguments const& given, matrix_pair<Number> const& factors,
                  block_grid const& grid)
      : m_given(given), m_factors(factors), m_grid(grid), m_sizes(sizes_of(factors, grid)) {}

  [[nodiscard]] product_sizes const& sizes() const { return m_sizes; }

  [[nodiscard]] two_blocks part_of(processor const& me) const {
    auto const& [rows, inner, columns] = m_sizes.blocks;
    return {block_of(m_factors.left, me.rank(), rows, inner),
            block_of(m_factors.right, me.rank(), inner, columns)};
  }

  /// Puts the blocks together, if each processor of the grid has one and no other, and compares the
  /// product with the right one. What fills a block beyond the matrix's edge is not looked at.
  /// Errors: bad_input for an element that its type does not hold.
  [[nodiscard]] bool is_solved_by(std::vector<block> const& blocks) {
    auto const& [rows, inner, columns] = m_sizes.whole;
    m_product = {rows, columns, std::vector<Number>(rows * columns)};
    auto const size_of_block = m_sizes.blocks.rows * m_sizes.blocks.columns;
    for (int rank = 0; auto const& each : blocks)
      if (each.size() != (m_grid.place(rank++) < 0 ? 0 : size_of_block)) return false;
    for (int rank = 0; auto const& each : blocks)
      copy_rows(m_product, rank++, m_sizes.blocks.rows, m_sizes.blocks.columns,
                [&](Number* row, std::size_t width, std::size_t at) {
                  std::copy_n(each.data() + at, width, row);
                });
    begin_stage("checking the product", rows);
    auto const check = check_product(m_factors, m_product);
    m_error = check.error;
    if (check.refusal.empty()) return check.error <= check.largest;
    auto const& file = m_given.request().input;
    throw bad_input(
        fmt::format("{}the product in {}",
                    file ? fmt::format("{} and {}: ", file->string(), m_given[second_matrix]) : "",
                    check.refusal));
  }

  [[nodiscard]] std::uint64_t pieces_to_write() const { return m_product.entries.size(); }
  void write(std::ostream& out, std::vector<block> const& /*blocks*/) const {
    write_npy(out, m_product);
  }

  /// Where no block is all padding, whoever gets a block of the product needs something of all blocks
  /// of a row of A and a column of B.
  [[nodiscard]] traffic_requirement least_traffic(std::vector<block> const& /*blocks*/) const {
    auto const q = static_cast<std::size_t>(m_grid.side);
    auto const fills = [q](std::size_t size, std::size_t part) { return size > part * (q - 1); };
    auto const& [whole, blocks] = m_sizes;
    if (q == 1 || !fills(whole.rows, blocks.rows) || !fills(whole.inner, blocks.inner) ||
        !fills(whole.columns, blocks.columns))
      return {};
    return {.distance = m_grid.distance, .joined = 2 * q - 1};
  }

  /// Adds the error, whose local products these are, q and, of square matrices, n and b.
  void add_size_to(experiment_result& result) const {
    auto const& lent = m_given.request().libraries.products;
    bool const is_lent = std::is_floating_point_v<Number> && !lent.empty();
    result.figures["error"] = m_error;
    result.figures["products"] = is_lent ? lent : "lockstep";
    result.figures["q"] = std::int64_t{m_grid.side};
    if (m_sizes.n() == 0 && m_sizes.whole.rows != 0) return;
    result.parameters["n"] = static_cast<std::int64_t>(m_sizes.n());
    result.figures["b"] = static_cast<std::int64_t>(m_sizes.blocks.rows);
  }

 private:
  /// Calls `copy(row, width, at)` for what a matrix has of each row of a processor's block: `at` is
  /// its place in the block.
  template <class Matrix, class Copy>
  void copy_rows(Matrix& whole, int rank, std::size_t rows, std::size_t columns,
                 Copy const& copy) const {
    auto const place = m_grid.place(rank);
    if (place < 0) return;
    auto const first = static_cast<std::size_t>(place / m_grid.side) * rows;
    auto const column = static_cast<std::size_t>(place % m_grid.side) * columns;
    if (column >= whole.columns) return;
    for (std::size_t i = 0; i < rows && first + i < whole.rows; ++i)
      copy(whole.entries.data() + (first + i) * whole.columns + column,
           std::min(columns, whole.columns - column), i * columns);
  }

  [[nodiscard]] block block_of(number_matrix<Number> const& whole, int rank, std::size_t rows,
                               std::size_t columns) const {
    block cut(m_grid.place(rank) < 0 ? 0 : rows * columns);
    copy_rows(whole, rank, rows, columns,
              [&](Number const* row, std::size_t width, std::size_t at) {
                std::copy_n(row, width, cut.data() + at);
              });
    return cut;
  }

  arguments const& m_given;
  matrix_pair<Number> const& m_factors;
  block_grid const& m_grid;
  product_sizes m_sizes;
  number_matrix<Number> m_product;
  double m_error = 0;
};

/// The local products of a processor, of blocks of the sizes that it has.
struct products_in_turn {
  /// How many it makes, one after another; 0 where processors do not make them at the same time, so that
  /// their work adds up otherwise.
  std::size_t products = 1;
  bool are_summed = false;  ///< whether sums of q products, of as many processors, are counted, too
};

/// Claims the multiply-adds of local products, and additions of sums, of square matrices in square blocks.
/// `side`: q, of a grid whose processors make q^3 products of blocks in all.
[[nodiscard]] std::vector<claim> claims_of_multiply_adds(product_sizes const& sizes, int side,
                                                         int processors, products_in_turn in_turn);

/// Multiplies the matrices that are asked for by `run_on_blocks(me, blocks, left, right, multiply)`.
/// `claims(sizes)` makes the claims, `held(sizes)` how many elements a processor holds, on average, with
/// those on their way. A multiply-add of a local product is an operation (`processor::work`).
/// Errors: those of `solve`, and of the product problem.
template <class Algorithm, class Claims, class Held>
[[nodiscard]] experiment_result run_product(arguments const& given, block_grid const& grid,
                                            products_in_turn in_turn,
                                            Algorithm const& run_on_blocks, Claims const& claims,
                                            Held const& held) {
  return std::visit(
      [&]<class Number>(matrix_pair<Number> const& factors) {
        product_problem<Number> problem(given, factors, grid);
        using element = typename product_problem<Number>::element;
        auto const& sizes = problem.sizes();
        machine_needs const needs{
            .strict = strictness::always,
            .packet = packet_from(given),
            .one_port = true,
            .bytes_each = sizeof(element) * held(sizes),
            .made = sizeof(Number) * (factors.left.entries.size() + factors.right.entries.size()),
            .held = "blocks of three matrices, and messages,",
            .remedy = "smaller matrices",
            .pieces = noted_product<element>::multiplications_in(sizes.whole)};
        noted_product<element> const multiply(local_product_of<element>(given.request().libraries));
        auto all_claims = claims_of_multiply_adds(sizes, grid.side, given.processors(), in_turn);
        std::ranges::move(claims(sizes), std::back_inserter(all_claims));
        return solve(given, needs, std::move(all_claims), problem, [&](processor& me, auto mine) {
          auto const multiply_and_count = [&](product_shape const& of, element const* a,
                                              element const* b, element* c) {
            multiply(of, a, b, c);
            me.work(noted_product<element>::multiplications_in(of));
          };
          return run_on_blocks(me, sizes.blocks, std::move(mine.left), std::move(mine.right),
                               multiply_and_count);
        });
      },
      matrices_from(given));
}

}  // namespace lockstep
