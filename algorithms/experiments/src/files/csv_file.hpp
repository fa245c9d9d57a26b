#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/memory.hpp>

#include "files/csv_rows.hpp"
#include "files/field_texts.hpp"
#include "files/number_parser.hpp"

namespace lockstep {

/// A column of a file: its numbers, and how they and its name are written there.
struct column_of_file {
  std::string name;
  number_vector values;
  std::string written_name;
  field_texts written;
};

/// Reads a column of numbers from CSV (`csv_records`). The first line names the columns; empty
/// lines at the end count for nothing; blanks around a number neither. Whole numbers if all of them
/// are, and fit into 64 bits; else double precision. No rows are a column without numbers.
///
/// `name`: the column's; empty for the only one that there is.
/// Errors: bad_input, in one line, for a file that cannot be read, has no such column or several of
/// them, rows of other lengths than the first line, or anything else than finite numbers in the
/// column; and as `csv_records` and `number_parser`.
[[nodiscard]] column_of_file read_csv_column(std::filesystem::path const& file,
                                             std::string_view name,
                                             number_parser::memory* available = available_memory);

/// The same, of a stream.
[[nodiscard]] column_of_file read_csv_column(std::istream& in, std::string const& file,
                                             std::string_view name,
                                             number_parser::memory* available = available_memory);

/// Takes the number of a row.
/// Errors: bad_input, with the line, for a field that is not a finite number in range.
void take_number(csv_rows const& rows, std::size_t column, number_parser& numbers);

/// Reads the number of a row as a word of 64 bits, by itself: a whole number, or else double precision.
/// Errors: bad_input, with the line, for a field that is not a finite number in range, or a whole one
/// that has no place in a word.
[[nodiscard]] std::uint64_t word_of_number(csv_rows const& rows, std::size_t column);

/// A column that is written.
template <class Number>
struct written_column {
  std::string name;
  std::span<Number const> values;
};

/// Writes columns, all of the same length, beside each other, as `read_csv_column` reads them: a
/// line with their names, then each number with as many digits as give the same number again. Lines
/// end in a line feed. A stream that fails is left in that state.
template <class Number>
void write_csv(std::ostream& out, std::span<written_column<Number> const> columns);

/// Writes a column of a file as it is written there, byte for byte, and beside it numbers.
template <class Number>
void write_csv_beside(std::ostream& out, column_of_file const& copied,
                      written_column<Number> const& beside);

/// Writes an array: rows of `index`, from 0 on, and `value`. A number that is not changed stays as
/// `before` has it, byte for byte, where that has any.
template <class Number>
void write_csv_array(std::ostream& out, std::span<Number const> values, field_texts const& before,
                     std::vector<bool> const& is_changed);

}  // namespace lockstep
