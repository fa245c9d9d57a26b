#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/algorithms/registry.hpp>
#include <lockstep/machine.hpp>

#include "matrix_file.hpp"
#include "square_matrix.hpp"

namespace lockstep {

namespace detail {

/// The rows that one processor holds, of a matrix and then of its transpose: `count` of them.
struct rows {
  std::size_t first;
  std::size_t count;
};

/// Every processor cuts its rows into blocks, one for each processor's columns.
template <class Number>
[[nodiscard]] std::vector<Number> blocks_of(square_matrix<Number> const& whole, rows const& mine) {
  std::vector<Number> blocks;
  blocks.reserve(mine.count * whole.size);
  for (std::size_t column = 0; column < whole.size; column += mine.count)
    for (std::size_t row = mine.first; row < mine.first + mine.count; ++row) {
      auto const* const piece = &whole.at(row, column);
      blocks.insert(blocks.end(), piece, piece + mine.count);
    }
  return blocks;
}

/// From the blocks that came in it lays together its rows of the transpose, where they belong.
template <class Number>
void lay_rows_of_transpose(std::vector<Number> const& blocks, rows const& mine,
                           square_matrix<Number>& transposed) {
  auto* const first_row = transposed.entries.data() + mine.first * transposed.size;
  for (std::size_t row = 0; row < transposed.size; row += mine.count)  // block by block
    for (std::size_t column = 0; column < mine.count; ++column)
      for (std::size_t inside = 0; inside < mine.count; ++inside)
        first_row[column * transposed.size + row + inside] =
            blocks[(row + inside) * mine.count + column];
}

/// A NaN, too, is equal to itself if its bits are.
template <class Number>
[[nodiscard]] auto bits_of(Number number) {
  return std::bit_cast<std::conditional_t<sizeof(Number) == 8, std::uint64_t, std::uint32_t>>(
      number);
}

template <class Number>
[[nodiscard]] bool is_transpose(square_matrix<Number> const& one,
                                square_matrix<Number> const& other) {
  constexpr std::size_t tile = 32;  // rows of either matrix that fit into a cache together
  for (std::size_t top = 0; top < one.size; top += tile)
    for (std::size_t left = 0; left < one.size; left += tile)
      for (std::size_t row = top; row < std::min(top + tile, one.size); ++row)
        for (std::size_t column = left; column < std::min(left + tile, one.size); ++column)
          if (bits_of(one.at(row, column)) != bits_of(other.at(column, row))) return false;
  return true;
}

/// The matrix in the input file.
/// Errors: bad_input for a file without one that can be dealt out to the machine's processors;
/// out_of_memory where there is none for its blocks and its transpose.
[[nodiscard]] matrix matrix_to_transpose(request const& asked);

/// Each processor has n/p rows of its own of either matrix.
template <class Number, class Exchange>
[[nodiscard]] run_record transpose_on(machine const& on, square_matrix<Number> const& input,
                                      square_matrix<Number>& transposed,
                                      std::span<observer* const> observers,
                                      Exchange const& exchange) {
  auto const count = input.size / static_cast<std::size_t>(on.size());
  return on.run(
      [&](processor& me) {
        rows const mine{static_cast<std::size_t>(me.rank()) * count, count};
        lay_rows_of_transpose(exchange(me, blocks_of(input, mine)), mine, transposed);
      },
      observers);
}

template <class Number, class Exchange>
[[nodiscard]] outcome transpose(request const& asked, machine const& on,
                                square_matrix<Number> const& input, Exchange const& exchange) {
  square_matrix<Number> transposed{input.size, std::vector<Number>(input.entries.size())};
  auto run = transpose_on(on, input, transposed, asked.observers, exchange);
  bool const correct = is_transpose(input, transposed);
  if (asked.output && correct) write_matrix(*asked.output, transposed);
  return {.record = std::move(run), .correct = correct};
}

}  // namespace detail

/// What came of transposing a matrix by a complete exchange.
struct transposition {
  outcome result;
  std::uint64_t words;  ///< in a block: (n/p)^2
};

/// Transposes the matrix of the input file, of which every processor has n/p rows, and writes it to
/// the output file if there is one.
/// `exchange`: from (processor&, std::vector<Number>), blocks indexed by destination, to blocks
/// indexed by source.
/// Errors: bad_input for files that will not do; out_of_memory before anything runs; those of the
/// machine.
template <class Exchange>
[[nodiscard]] transposition transpose_matrix(request const& asked, machine const& on,
                                             Exchange const& exchange) {
  return std::visit(
      [&](auto const& input) -> transposition {
        auto const rows = input.size / static_cast<std::size_t>(on.size());
        return {detail::transpose(asked, on, input, exchange), rows * rows};
      },
      detail::matrix_to_transpose(asked));
}

}  // namespace lockstep
