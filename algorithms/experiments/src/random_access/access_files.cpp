#include "random_access/access_files.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <istream>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>

#include "files/csv_file.hpp"
#include "files/csv_rows.hpp"
#include "files/input_file.hpp"
#include "files/number_parser.hpp"
#include "in_quotes.hpp"
#include "random_access/access_input.hpp"

namespace lockstep {

namespace {

/// Takes a column of indices from 0 to before a limit.
class index_column {
 public:
  /// `remedy`: what can be done where an index is not below the limit.
  index_column(csv_rows const& rows, std::size_t column, std::string const& file,
               std::uint64_t limit, std::string remedy)
      : m_rows(rows),
        m_column(column),
        m_limit(limit),
        m_remedy(std::move(remedy)),
        m_numbers(file, "a shorter file") {}

  /// Takes the index of the row. Errors: bad_input, with the line.
  void take() {
    require_index(m_rows.field(m_column));
    take_number(m_rows, m_column, m_numbers);
  }

  [[nodiscard]] std::vector<std::size_t> finish() && {
    auto const numbers = std::get<std::vector<std::int64_t>>(std::move(m_numbers).finish());
    return {numbers.begin(), numbers.end()};
  }

 private:
  void require_index(std::string_view field) const {
    auto const name = in_quotes(m_rows.names()[m_column]);
    if (field.empty())
      m_rows.refuse_row(fmt::format("nothing in column {}; give a whole number from 0 on", name));
    auto const digits = field.substr(field.size() > 1 && (field[0] == '+' || field[0] == '-'));
    if (digits.find_first_not_of("0123456789") != std::string_view::npos)
      m_rows.refuse_row(fmt::format("{} in column {} is not a whole number; give one from 0 on",
                                    in_quotes(field), name));
    std::uint64_t index = 0;
    auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (field.front() == '-')
      m_rows.refuse_row(
          fmt::format("{} in column {} is negative; indices begin at 0", in_quotes(field), name));
    if (m_limit == 0)
      m_rows.refuse_row(fmt::format("{} in column {} is beyond an array that has no elements; {}",
                                    in_quotes(field), name, m_remedy));
    if (read.ec != std::errc() || index >= m_limit)
      m_rows.refuse_row(fmt::format("{} in column {} is not in 0 to {}; {}", in_quotes(field), name,
                                    m_limit - 1, m_remedy));
  }

  csv_rows const& m_rows;
  std::size_t m_column;
  std::uint64_t m_limit;
  std::string m_remedy;
  number_parser m_numbers;
};

[[nodiscard]] index_value_pairs pairs_in(std::istream& in, std::string const& file,
                                         std::optional<std::size_t> elements) {
  csv_rows rows(in, file);
  auto const value = rows.column("value");
  constexpr auto most = static_cast<std::uint64_t>(number_of_elements.most);
  index_column indices(rows, rows.column("index"), file, elements.value_or(most),
                       elements ? "give a larger --n" : "larger arrays are not supported");
  number_parser values(file, "a shorter file");
  while (rows.next()) {
    indices.take();
    take_number(rows, value, values);
  }
  index_value_pairs made{std::move(indices).finish(), std::move(values).finish()};
  if (made.indices.empty() && !elements)
    rows.refuse_file("has no rows, which tell the size of the array; give rows, or --n");
  made.elements = elements ? *elements : *std::ranges::max_element(made.indices) + 1;
  return made;
}

[[nodiscard]] number_table table_in(std::istream& in, std::string const& file) {
  std::string text;
  csv_rows rows(in, file, &text);
  if (std::ranges::all_of(rows.names(), is_number_field))
    rows.refuse_row("has only numbers, and has to name the columns; put a line with names before");
  auto const columns = rows.names().size();
  number_parser const memory(file, "a shorter file");
  std::vector<std::uint64_t> ends{rows.end_of_row()};
  std::vector<std::uint64_t> words;
  for (std::size_t asked_for = 0; rows.next(); ends.push_back(rows.end_of_row())) {
    for (std::size_t column = 0; column < columns; ++column)
      words.push_back(word_of_number(rows, column));
    auto const bytes = text.size() + (words.size() + ends.size()) * sizeof(std::uint64_t);
    if (bytes <= asked_for) continue;
    asked_for = 2 * bytes;
    memory.require_room(asked_for, rows.line());  // before it grows twice as large
  }
  if (words.empty()) rows.refuse_file("has no rows below the names of its columns; give some");
  return {csv_table(std::move(text), std::move(ends)), columns, std::move(words)};
}

[[nodiscard]] std::vector<std::size_t> indices_in(std::istream& in, std::string const& file,
                                                  std::size_t table_rows) {
  csv_rows rows(in, file);
  bool const is_only = rows.names().size() == 1 && !is_number_field(rows.names().front());
  index_column indices(rows, is_only ? 0 : rows.column("index"), file, table_rows,
                       "these are the rows of the table");
  while (rows.next()) indices.take();
  return std::move(indices).finish();
}

constexpr auto remedy_for_file = "name a CSV file";

}  // namespace

index_value_pairs read_pairs(std::filesystem::path const& file,
                             std::optional<std::size_t> elements) {
  return read_input(file, remedy_for_file,
                    [&](std::istream& in) { return pairs_in(in, file.string(), elements); });
}

number_table read_table(std::filesystem::path const& file) {
  return read_input(file, remedy_for_file,
                    [&](std::istream& in) { return table_in(in, file.string()); });
}

std::vector<std::size_t> read_indices(std::filesystem::path const& file, std::size_t rows) {
  return read_input(file, remedy_for_file,
                    [&](std::istream& in) { return indices_in(in, file.string(), rows); });
}

}  // namespace lockstep
