#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "files/csv_records.hpp"

namespace lockstep {

/// Whether a field of a CSV file, blanks around it left out, is a finite number.
[[nodiscard]] bool is_number_field(std::string_view field);

/// The rows of a CSV file (`csv_records`) below its first line, which names the columns. All have
/// as many fields. Empty lines at the end count for nothing.
class csv_rows {
 public:
  /// Reads the names. `file`: its name, for messages; `kept`: as of `csv_records`.
  /// Errors: bad_input for an empty file, or an empty first line.
  csv_rows(std::istream& in, std::string file, std::string* kept = nullptr);

  [[nodiscard]] std::vector<std::string> const& names() const { return m_names; }

  /// Finds a column by its name.
  /// Errors: bad_input where no column, or several, have it.
  [[nodiscard]] std::size_t column(std::string_view name) const;

  /// Reads the next row. Result: false if there is none.
  /// Errors: bad_input, with the line, for a row of another length, or an empty line before one.
  [[nodiscard]] bool next();

  /// Of the row: a field without the blanks around it.
  [[nodiscard]] std::string_view field(std::size_t column) const;
  /// Of the row: a field as it stands in the file, with the quotes and blanks around it.
  [[nodiscard]] std::string_view as_written(std::size_t column) const {
    return m_records.as_written(column);
  }
  /// The name of a column, as it stands in the file.
  [[nodiscard]] std::string const& written_name(std::size_t column) const {
    return m_written_names[column];
  }
  /// Of the row: the line in which it begins.
  [[nodiscard]] std::uint64_t line() const { return m_records.line(); }
  /// Of the row, or at first of the names: the bytes from the beginning of the file to its end.
  [[nodiscard]] std::uint64_t end_of_row() const { return m_records.end_of_record(); }

  /// Lists the names, the first eight at least: `"a", "b"`.
  [[nodiscard]] std::string listed_names() const;

  /// Errors: bad_input, always, of the file or of the row.
  [[noreturn]] void refuse_file(std::string const& reason) const;
  [[noreturn]] void refuse_row(std::string const& reason) const;

 private:
  [[noreturn]] void refuse(std::uint64_t line, std::string const& reason) const;

  csv_records m_records;
  std::string m_file;
  std::vector<std::string> m_names;
  std::vector<std::string> m_written_names;
};

}  // namespace lockstep
