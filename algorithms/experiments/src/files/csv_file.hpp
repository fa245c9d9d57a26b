#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include <lockstep/memory.hpp>

#include "files/csv_rows.hpp"
#include "files/number_parser.hpp"

namespace lockstep {

/// Numbers under a name.
struct number_column {
  std::string name;
  number_vector values;
};

/// Reads a column of numbers from CSV (`csv_records`). The first line names the columns; empty
/// lines at the end count for nothing; blanks around a number neither. Whole numbers if all of them
/// are, and fit into 64 bits; else double precision. No rows are a column without numbers.
///
/// `name`: the column's; empty for the only one that there is.
/// Errors: bad_input, in one line, for a file that cannot be read, has no such column or several of
/// them, rows of other lengths than the first line, or anything else than finite numbers in the
/// column; and as `csv_records` and `number_parser`.
[[nodiscard]] number_column read_csv_column(std::filesystem::path const& file,
                                            std::string_view name,
                                            number_parser::memory* available = available_memory);

/// The same, of a stream.
[[nodiscard]] number_column read_csv_column(std::istream& in, std::string const& file,
                                            std::string_view name,
                                            number_parser::memory* available = available_memory);

/// Takes the number of a row.
/// Errors: bad_input, with the line, for a field that is not a finite number in range.
void take_number(csv_rows const& rows, std::size_t column, number_parser& numbers);

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

/// Writes columns of any of the types in the same way.
void write_csv(std::ostream& out, std::span<number_column const> columns);

}  // namespace lockstep
