#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <vector>

#include <lockstep/algorithms/exchange/all_to_all.hpp>

#include "exchange/complete_exchange.hpp"
#include "files/npy_file.hpp"
#include "files/square_matrix.hpp"
#include "files/text_matrix.hpp"

namespace lockstep {

/// The problem to transpose a matrix of a file that lies in n/p rows on each processor, into as many
/// rows of the transpose.
template <class Number>
struct transpose_problem {
  using rows = std::vector<Number>;

  arguments given;
  square_matrix<Number> const& input;

  [[nodiscard]] std::size_t rows_each() const {
    return input.size / static_cast<std::size_t>(given.processors());
  }
  [[nodiscard]] std::uint64_t words_in_a_block() const { return rows_each() * rows_each(); }
  [[nodiscard]] std::span<Number const> part_of(processor const& me) const {
    auto const each = rows_each() * input.size;
    return std::span(input.entries).subspan(static_cast<std::size_t>(me.rank()) * each, each);
  }
  [[nodiscard]] std::uint64_t pieces_to_check() const { return 0; }
  [[nodiscard]] bool is_solved_by(std::vector<rows> const& transposed) const {
    constexpr std::size_t tile = 32;  // rows of either matrix that fit into a cache together
    auto const each = rows_each();
    for (auto const& own : transposed)
      if (own.size() != each * input.size) return false;
    for (std::size_t top = 0; top < input.size; top += tile)
      for (std::size_t column = 0; column < input.size; ++column) {
        auto const* const row_of_transpose =
            transposed[column / each].data() + column % each * input.size;
        for (std::size_t row = top; row < std::min(top + tile, input.size); ++row)
          if (bytes_of(input.at(row, column)) != bytes_of(row_of_transpose[row])) return false;
      }
    return true;
  }
  [[nodiscard]] std::uint64_t pieces_to_write() const { return input.entries.size(); }
  void write(std::ostream& out, std::vector<rows> const& transposed) const {
    square_matrix<Number> whole{input.size, {}};
    whole.entries.reserve(input.entries.size());
    for (auto const& own : transposed)
      whole.entries.insert(whole.entries.end(), own.begin(), own.end());
    auto const& file = *given.request().output;
    if (has_npy_name(file)) return write_npy(out, whole);
    write_text_matrix(out, whole, file.string());
  }
  [[nodiscard]] traffic_requirement least_traffic(std::vector<rows> const& /*transposed*/) const {
    return complete_exchange(given.network(), words_in_a_block());
  }
  void add_size_to(experiment_result& result) const {
    result.parameters["words"] = static_cast<std::int64_t>(words_in_a_block());
  }

 private:
  /// A NaN, too, is equal to itself if its bytes are.
  [[nodiscard]] static auto bytes_of(Number number) {
    return std::bit_cast<std::array<std::byte, sizeof(Number)>>(number);
  }
};

/// Transposes an n x n matrix with n/p rows on each processor. It cuts its rows into blocks, one for each
/// processor's columns, and lays those that come in where its rows of the transpose have them.
template <class Number>
[[nodiscard]] std::vector<Number> transpose_rows(processor& me, std::span<Number const> mine,
                                                 std::size_t n, exchange_schedule const& schedule) {
  auto const rows = n / static_cast<std::size_t>(me.size());
  std::vector<Number> transposed(mine.size());
  auto const write = [&](int destination, std::span<Number> block) {
    auto const* from = mine.data() + static_cast<std::size_t>(destination) * rows;
    for (std::size_t row = 0; row < rows; ++row, from += n)
      std::copy_n(from, rows, block.begin() + static_cast<std::ptrdiff_t>(row * rows));
  };
  auto const read = [&](int source, std::span<Number const> block) {
    auto* to = transposed.data() + static_cast<std::size_t>(source) * rows;
    for (std::size_t column = 0; column < rows; ++column, to += n)
      for (std::size_t row = 0; row < rows; ++row) to[row] = block[row * rows + column];
  };
  all_to_all<Number>(me, rows * rows, write, read, schedule);
  return transposed;
}

/// Reads the matrix in the input file.
/// Errors: bad_input for a file without one that can be dealt out to the machine's processors;
/// out_of_memory where its blocks and its transpose do not fit.
[[nodiscard]] matrix matrix_to_transpose(arguments const& given);

}  // namespace lockstep
