#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "files/csv_table.hpp"
#include "files/number_parser.hpp"

namespace lockstep {

/// Indices, and the value that each writes, in the order of rows.
struct index_value_pairs {
  std::vector<std::size_t> indices;
  number_vector values;
  std::size_t elements = 0;  ///< n, of the array that they write to
};

/// Reads the columns "index" and "value" of a CSV file. `elements`: n; the largest index + 1 where
/// there is nothing.
/// Errors: bad_input, in one line, for a file that cannot be read or has no such columns, for an
/// index that is not a whole number from 0 to n - 1, a value that is not a finite number, or no
/// rows where n is not given.
[[nodiscard]] index_value_pairs read_pairs(std::filesystem::path const& file,
                                           std::optional<std::size_t> elements);

/// The rows of a CSV file, whose fields are all numbers, as they stand there and as words.
struct number_table {
  csv_table text;
  std::size_t columns = 0;
  std::vector<std::uint64_t> words;  ///< of each field, row by row

  [[nodiscard]] std::size_t rows() const { return text.rows(); }
};

/// Reads all of a CSV file. Errors: bad_input for a file that cannot be read, one without rows, names
/// that are all numbers, or a field that is not a finite number or has no place in a word.
[[nodiscard]] number_table read_table(std::filesystem::path const& file);

/// Reads the column "index" of a CSV file, or its only one. `rows`: of the table that they index.
/// Errors: bad_input for a file that cannot be read or has no such column, or an index that is not
/// a whole number from 0 to rows - 1.
[[nodiscard]] std::vector<std::size_t> read_indices(std::filesystem::path const& file,
                                                    std::size_t rows);

}  // namespace lockstep
