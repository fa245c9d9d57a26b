#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/experiments/output_file.hpp>
#include <lockstep/machine.hpp>

#include "files/matrix_file.hpp"
#include "files/square_matrix.hpp"
#include "files/write_result.hpp"
#include "harness/harness.hpp"

namespace lockstep {

namespace detail {

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

template <class Number>
[[nodiscard]] experiment_result transpose(arguments const& given, exchange_schedule const& schedule,
                                          square_matrix<Number> const& input) {
  auto const& asked = given.request();
  std::optional<output_file> out;
  if (asked.output) out.emplace(*asked.output);
  square_matrix<Number> transposed{input.size, std::vector<Number>(input.entries.size())};
  auto const on = machine_for(given, {.strict = strictness::always});
  auto run = transpose_on(on, schedule, input, transposed, asked.observers);
  auto result = result_of(given, std::move(run), is_transpose(input, transposed));
  if (out && result.correct) write_result(result, [&] { write_matrix(*out, transposed); });
  return result;
}

}  // namespace detail

/// Reads the matrix in the input file.
/// Errors: bad_input for a file without one that can be dealt out to the machine's processors;
/// out_of_memory where there is none for its blocks and its transpose.
[[nodiscard]] matrix matrix_to_transpose(arguments const& given);

/// The result of transposing a matrix by a complete exchange.
struct transposition {
  experiment_result result;
  std::uint64_t words;  ///< in a block: (n/p)^2
};

/// Transposes the matrix, of which every processor has n/p rows, and writes it to the output file
/// if there is one.
/// Errors: those of run_program; incomplete_output.
[[nodiscard]] inline transposition transpose_matrix(arguments const& given,
                                                    exchange_schedule const& schedule,
                                                    matrix const& input) {
  return std::visit(
      [&](auto const& of) -> transposition {
        auto const rows = of.size / static_cast<std::size_t>(given.processors());
        return {detail::transpose(given, schedule, of), rows * rows};
      },
      input);
}

}  // namespace lockstep
