#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <variant>
#include <vector>

namespace lockstep {

/// n x n numbers, row by row.
template <class Number>
struct square_matrix {
  std::size_t size = 0;  ///< n
  std::vector<Number> entries;

  [[nodiscard]] Number const& at(std::size_t row, std::size_t column) const {
    return entries[row * size + column];
  }
  friend bool operator==(square_matrix const&, square_matrix const&) = default;
};

/// Whole numbers if all of them are, and fit; else double precision.
using matrix = std::variant<square_matrix<std::int64_t>, square_matrix<double>>;

/// Reads a matrix from a text file: one row a line, numbers separated by blanks; empty lines count
/// for nothing.
/// Errors: bad_input for a file that cannot be read, is empty, is not square, or holds anything
/// else than finite numbers.
[[nodiscard]] matrix read_matrix(std::filesystem::path const& file);

/// Writes it as `read_matrix` reads it, each number with as many digits as give the same number
/// again.
/// Errors: bad_input for a file that cannot be written.
void write_matrix(std::filesystem::path const& file, square_matrix<std::int64_t> const& written);
void write_matrix(std::filesystem::path const& file, square_matrix<double> const& written);

}  // namespace lockstep
