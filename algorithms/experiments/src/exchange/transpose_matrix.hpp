#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/machine.hpp>

#include "files/square_matrix.hpp"
#include "harness/harness.hpp"

namespace lockstep {

namespace detail {

/// A NaN, too, is equal to itself if its bytes are.
template <class Number>
[[nodiscard]] auto bytes_of(Number number) {
  return std::bit_cast<std::array<std::byte, sizeof(Number)>>(number);
}

template <class Number>
[[nodiscard]] bool is_transpose(square_matrix<Number> const& one,
                                square_matrix<Number> const& other) {
  constexpr std::size_t tile = 32;  // rows of either matrix that fit into a cache together
  for (std::size_t top = 0; top < one.size; top += tile)
    for (std::size_t column = 0; column < one.size; ++column)
      for (std::size_t row = top; row < std::min(top + tile, one.size); ++row)
        if (bytes_of(one.at(row, column)) != bytes_of(other.at(column, row))) return false;
  return true;
}

/// Each processor has n/p rows of its own of either matrix. It cuts its rows into blocks, one for
/// each processor's columns, and lays those that come in where its rows of the transpose have them.
template <class Number>
[[nodiscard]] run_record transpose_on(machine const& on, exchange_schedule const& schedule,
                                      square_matrix<Number> const& input,
                                      square_matrix<Number>& transposed,
                                      std::span<observer* const> observers) {
  auto const rows = input.size / static_cast<std::size_t>(on.size());
  auto const write = [&](Number const* mine, int destination, std::span<Number> block) {
    auto const* from = mine + static_cast<std::size_t>(destination) * rows;
    for (std::size_t row = 0; row < rows; ++row, from += input.size)
      std::copy_n(from, rows, block.begin() + static_cast<std::ptrdiff_t>(row * rows));
  };
  auto const read = [&](Number* mine, int source, std::span<Number const> block) {
    auto* to = mine + static_cast<std::size_t>(source) * rows;
    for (std::size_t column = 0; column < rows; ++column, to += input.size)
      for (std::size_t row = 0; row < rows; ++row) to[row] = block[row * rows + column];
  };
  return on.run(
      [&](processor& me) {
        auto const first = static_cast<std::size_t>(me.rank()) * rows * input.size;
        all_to_all<Number>(me, rows * rows, std::bind_front(write, input.entries.data() + first),
                           std::bind_front(read, transposed.entries.data() + first), schedule);
      },
      observers);
}

}  // namespace detail

/// A matrix spread over the processors, n/p rows each.
struct distributed_matrix {
  matrix numbers;
  std::uint64_t words;  ///< in a block: (n/p)^2
};

/// Reads the matrix in the input file.
/// Errors: bad_input for a file without one that can be dealt out to the machine's processors;
/// out_of_memory where its blocks and its transpose do not fit.
[[nodiscard]] distributed_matrix matrix_to_transpose(arguments const& given);

/// Transposes it by a complete exchange, and writes it to the output file if there is one.
/// Errors: those of run_program; incomplete_output.
[[nodiscard]] experiment_result transpose_matrix(arguments const& given,
                                                 exchange_schedule const& schedule,
                                                 matrix const& input);

}  // namespace lockstep
