#include "files/csv_file.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <iterator>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include <lockstep/experiments/csv_field.hpp>
#include <lockstep/experiments/registry.hpp>

#include "files/input_file.hpp"
#include "harness/stages.hpp"
#include "in_quotes.hpp"

namespace lockstep {

namespace {

/// Finds the only column. Errors: bad_input for several, or one whose name is a number.
[[nodiscard]] std::size_t only_column(csv_rows const& rows) {
  if (rows.names().size() > 1)
    rows.refuse_file(fmt::format("has {} columns; name one with --column: {}", rows.names().size(),
                                 rows.listed_names()));
  // Otherwise the first number of a file without names would be lost.
  if (auto const& name = rows.names().front(); is_number_field(name))
    rows.refuse_row(
        fmt::format("{0} is a number, and has to name the column; put a line with a name "
                    "before it, or say --column {0} if it is one",
                    in_quotes(name)));
  return 0;
}

}  // namespace

std::string csv_field(std::string_view text) {
  bool const is_plain = text.find_first_of(",\"\r\n") == std::string_view::npos;
  if (is_plain) return std::string(text);
  std::string quoted = "\"";
  for (auto const c : text) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + '"';
}

column_of_file read_csv_column(std::filesystem::path const& file, std::string_view name,
                               number_parser::memory* available) {
  return read_input(file, "name a CSV file", [&](std::istream& in) {
    return read_csv_column(in, file.string(), name, available);
  });
}

column_of_file read_csv_column(std::istream& in, std::string const& file, std::string_view name,
                               number_parser::memory* available) {
  csv_rows rows(in, file);
  auto const column = name.empty() ? only_column(rows) : rows.column(name);
  number_parser numbers(file, "a shorter file", available);
  field_texts written;
  while (rows.next()) {
    take_number(rows, column, numbers);
    auto const field = rows.as_written(column);
    numbers.require_room(written.bytes_to_grow(field.size()), rows.line());
    written.append(field);
  }
  return {rows.names()[column], std::move(numbers).finish(), rows.written_name(column),
          std::move(written)};
}

namespace {

/// Errors: bad_input, always, of a field that is not a number.
[[noreturn]] void refuse_number(csv_rows const& rows, std::size_t column) {
  auto const field = rows.field(column);
  auto const name = in_quotes(rows.names()[column]);
  if (field.empty()) rows.refuse_row(fmt::format("nothing in column {}; give a number", name));
  rows.refuse_row(fmt::format("{} in column {} is not a finite number in range; give one",
                              in_quotes(field), name));
}

}  // namespace

void take_number(csv_rows const& rows, std::size_t column, number_parser& numbers) {
  if (!numbers.take(rows.field(column), rows.line())) refuse_number(rows, column);
}

std::uint64_t word_of_number(csv_rows const& rows, std::size_t column) {
  auto const number = written_number_in(rows.field(column));
  if (!number) refuse_number(rows, column);
  if (number->whole) return static_cast<std::uint64_t>(*number->whole);
  if (number->is_rounded)
    rows.refuse_row(
        fmt::format("{} in column {} has no place in a word of 64 bits; give -2^63 to 2^63 - 1, or "
                    "write \".0\" "
                    "behind it to have it rounded to double precision",
                    in_quotes(rows.field(column)), in_quotes(rows.names()[column])));
  return std::bit_cast<std::uint64_t>(number->real);
}

namespace {

/// Writes lines of `columns` fields: `write_name(to, column)` for the first, then `rows` of
/// `write_field(to, column, row)`.
template <class WriteName, class WriteField>
void write_lines(std::ostream& out, std::size_t columns, std::size_t rows,
                 WriteName const& write_name, WriteField const& write_field) {
  constexpr std::size_t piece = std::size_t{1} << 16U;
  fmt::memory_buffer text;
  auto const write_line = [&](auto const& write_one) {
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) text.push_back(',');
      write_one(std::back_inserter(text), column);
    }
    text.push_back('\n');
  };
  std::uint64_t rows_in_text = 0;
  auto const write_out = [&] {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    text.clear();
    note_done(std::exchange(rows_in_text, 0));
  };
  write_line(write_name);
  for (std::size_t row = 0; out && row < rows; ++row) {
    write_line([&](auto to, std::size_t column) { write_field(to, column, row); });
    ++rows_in_text;
    if (text.size() > piece) write_out();
  }
  write_out();
}

}  // namespace

template <class Number>
void write_csv(std::ostream& out, std::span<written_column<Number> const> columns) {
  write_lines(
      out, columns.size(), columns.front().values.size(),
      [&](auto to, std::size_t column) {
        fmt::format_to(to, "{}", csv_field(columns[column].name));
      },
      [&](auto to, std::size_t column, std::size_t row) {
        fmt::format_to(to, "{}", columns[column].values[row]);
      });
}

template void write_csv(std::ostream&, std::span<written_column<std::int64_t> const>);
template void write_csv(std::ostream&, std::span<written_column<double> const>);

template <class Number>
void write_csv_beside(std::ostream& out, column_of_file const& copied,
                      written_column<Number> const& beside) {
  write_lines(
      out, 2, copied.written.size(),
      [&](auto to, std::size_t column) {
        fmt::format_to(to, "{}", column == 0 ? copied.written_name : csv_field(beside.name));
      },
      [&](auto to, std::size_t column, std::size_t row) {
        if (column == 0)
          fmt::format_to(to, "{}", copied.written[row]);
        else
          fmt::format_to(to, "{}", beside.values[row]);
      });
}

template void write_csv_beside(std::ostream&, column_of_file const&,
                               written_column<std::int64_t> const&);
template void write_csv_beside(std::ostream&, column_of_file const&, written_column<double> const&);

template <class Number>
void write_csv_array(std::ostream& out, std::span<Number const> values, field_texts const& before,
                     std::vector<bool> const& is_changed) {
  write_lines(
      out, 2, values.size(),
      [&](auto to, std::size_t column) {
        fmt::format_to(to, "{}", column == 0 ? "index" : "value");
      },
      [&](auto to, std::size_t column, std::size_t row) {
        if (column == 0)
          fmt::format_to(to, "{}", row);
        else if (row < before.size() && !is_changed[row])
          fmt::format_to(to, "{}", before[row]);
        else
          fmt::format_to(to, "{}", values[row]);
      });
}

template void write_csv_array(std::ostream&, std::span<std::int64_t const>, field_texts const&,
                              std::vector<bool> const&);
template void write_csv_array(std::ostream&, std::span<double const>, field_texts const&,
                              std::vector<bool> const&);

}  // namespace lockstep
