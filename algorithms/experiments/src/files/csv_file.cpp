#include "files/csv_file.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <iterator>
#include <ostream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/experiments/registry.hpp>

#include "files/csv_records.hpp"
#include "files/input_file.hpp"
#include "in_quotes.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  auto const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Whether they differ in nothing but capitals, blanks and signs.
[[nodiscard]] bool are_alike(std::string_view one, std::string_view other) {
  auto const letters_of = [](std::string_view text) {
    std::string letters;
    for (auto const c : text)
      if (auto const byte = static_cast<unsigned char>(c); std::isalnum(byte) != 0 || byte >= 0x80)
        letters += static_cast<char>(std::tolower(byte));
    return letters;
  };
  return letters_of(one) == letters_of(other);
}

[[nodiscard]] bool is_number(std::string_view text) {
  return number_parser("", "").take(without_blanks(text), 1);
}

/// Reads the column of one file.
class column_reader {
 public:
  column_reader(std::istream& in, std::string file, number_parser::memory* available)
      : m_records(in, file),
        m_file(std::move(file)),
        m_numbers(m_file, "a shorter file", available) {}

  [[nodiscard]] number_column read(std::string_view name) && {
    read_header();
    find_column(name);
    std::uint64_t empty_line = 0;
    while (m_records.next()) {
      if (m_records.is_empty_line()) {
        if (empty_line == 0) empty_line = m_records.line();
        continue;
      }
      if (empty_line > 0) refuse(empty_line, "is empty, and rows follow; leave the line out");
      take_row();
    }
    return {std::move(m_name), std::move(m_numbers).finish()};
  }

 private:
  void read_header() {
    if (!m_records.next())
      throw bad_input(m_file + ": is empty; give a CSV file whose first line names its columns");
    if (m_records.is_empty_line()) refuse(1, "is empty, and has to name the columns");
    m_columns = m_records.size();
  }

  void find_column(std::string_view name) {
    if (name.empty()) return take_only_column();
    std::vector<std::size_t> found;
    for (std::size_t column = 0; column < m_columns; ++column)
      if (m_records[column] == name) found.push_back(column);
    if (found.empty())
      throw bad_input(
          fmt::format("{}: has no column {}; {}", m_file, in_quotes(name), instead_of(name)));
    if (found.size() > 1)
      throw bad_input(fmt::format("{}: has {} columns {}; give each a name of its own", m_file,
                                  found.size(), in_quotes(name)));
    m_column = found.front();
    m_name = name;
  }

  void take_only_column() {
    if (m_columns > 1)
      throw bad_input(fmt::format("{}: has {} columns; name one with --column: {}", m_file,
                                  m_columns, names()));
    m_name = m_records[0];
    // Otherwise the first number of a file without names would be lost.
    if (is_number(m_name))
      refuse(m_records.line(),
             fmt::format("{0} is a number, and has to name the column; put a line with a name "
                         "before it, or say --column {0} if it is one",
                         in_quotes(m_name)));
  }

  [[nodiscard]] std::string instead_of(std::string_view name) const {
    for (std::size_t column = 0; column < m_columns; ++column)
      if (are_alike(m_records[column], name))
        return fmt::format("did you mean {}?", in_quotes(m_records[column]));
    return "there are: " + names();
  }

  [[nodiscard]] std::string names() const {
    constexpr std::size_t most = 8;
    std::vector<std::string> shown;
    for (std::size_t column = 0; column < std::min(most, m_columns); ++column)
      shown.push_back(in_quotes(m_records[column]));
    auto const more = m_columns > most ? fmt::format(", and {} more", m_columns - most) : "";
    return fmt::format("{}{}", fmt::join(shown, ", "), more);
  }

  void take_row() {
    if (m_records.size() != m_columns)
      refuse(m_records.line(),
             fmt::format("{} field{} in this row, {} in the first line; give all rows as many",
                         m_records.size(), m_records.size() == 1 ? "" : "s", m_columns));
    auto const field = without_blanks(m_records[m_column]);
    if (m_numbers.take(field, m_records.line())) return;
    auto const column = in_quotes(m_name);
    if (field.empty())
      refuse(m_records.line(), fmt::format("nothing in column {}; give a number", column));
    refuse(m_records.line(),
           fmt::format("{} in column {} is not a finite number in range; give one",
                       in_quotes(field), column));
  }

  [[noreturn]] void refuse(std::uint64_t line, std::string const& reason) const {
    throw bad_input(fmt::format("{}:{}: {}", m_file, line, reason));
  }

  csv_records m_records;
  std::string m_file;
  std::size_t m_columns = 0;
  std::size_t m_column = 0;
  std::string m_name;
  number_parser m_numbers;
};

/// In quotes if it could not be told otherwise.
[[nodiscard]] std::string as_field(std::string const& text) {
  bool const is_plain = text.find_first_of(",\"\r\n") == std::string::npos;
  if (is_plain) return text;
  std::string quoted = "\"";
  for (auto const c : text) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

number_column read_csv_column(std::filesystem::path const& file, std::string_view name,
                              number_parser::memory* available) {
  return read_input(file, "name a CSV file", [&](std::istream& in) {
    return read_csv_column(in, file.string(), name, available);
  });
}

number_column read_csv_column(std::istream& in, std::string const& file, std::string_view name,
                              number_parser::memory* available) {
  return column_reader(in, file, available).read(name);
}

template <class Number>
void write_csv(std::ostream& out, std::span<written_column<Number> const> columns) {
  constexpr std::size_t piece = std::size_t{1} << 16U;
  fmt::memory_buffer text;
  auto const write = [&] {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
  };
  char const* before = "";
  for (auto const& column : columns)
    fmt::format_to(std::back_inserter(text), "{}{}", std::exchange(before, ","),
                   as_field(column.name));
  text.push_back('\n');
  for (std::size_t row = 0; out && row < columns.front().values.size(); ++row) {
    before = "";
    for (auto const& column : columns)
      fmt::format_to(std::back_inserter(text), "{}{}", std::exchange(before, ","),
                     column.values[row]);
    text.push_back('\n');
    if (text.size() > piece) write();
  }
  write();
}

template void write_csv(std::ostream&, std::span<written_column<std::int64_t> const>);
template void write_csv(std::ostream&, std::span<written_column<double> const>);

}  // namespace lockstep
