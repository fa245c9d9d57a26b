#include "files/csv_rows.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/experiments/registry.hpp>

#include "files/number_parser.hpp"
#include "files/without_blanks.hpp"
#include "in_quotes.hpp"

namespace lockstep {

namespace {

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

}  // namespace

bool is_number_field(std::string_view field) {
  return written_number_in(without_blanks(field)).has_value();
}

csv_rows::csv_rows(std::istream& in, std::string file, std::string* kept)
    : m_records(in, file, kept), m_file(std::move(file)) {
  if (!m_records.next())
    refuse_file("is empty; give a CSV file whose first line names its columns");
  if (m_records.is_empty_line()) refuse(1, "is empty, and has to name the columns");
  for (std::size_t column = 0; column < m_records.size(); ++column) {
    m_names.emplace_back(m_records[column]);
    m_written_names.emplace_back(m_records.as_written(column));
  }
}

std::size_t csv_rows::column(std::string_view name) const {
  auto const found = std::ranges::count(m_names, name);
  auto const first = std::ranges::find(m_names, name);
  if (found == 1) return static_cast<std::size_t>(first - m_names.begin());
  if (found > 1)
    refuse_file(
        fmt::format("has {} columns {}; give each a name of its own", found, in_quotes(name)));
  auto const alike =
      std::ranges::find_if(m_names, [&](auto const& other) { return are_alike(other, name); });
  refuse_file(fmt::format("has no column {}; {}", in_quotes(name),
                          alike == m_names.end()
                              ? fmt::format("there are: {}", listed_names())
                              : fmt::format("did you mean {}?", in_quotes(*alike))));
}

bool csv_rows::next() {
  std::uint64_t empty_line = 0;
  while (m_records.next()) {
    if (m_records.is_empty_line()) {
      if (empty_line == 0) empty_line = m_records.line();
      continue;
    }
    if (empty_line > 0) refuse(empty_line, "is empty, and rows follow; leave the line out");
    if (m_records.size() != m_names.size())
      refuse_row(fmt::format("{} field{} in this row, {} in the first line; give all rows as many",
                             m_records.size(), m_records.size() == 1 ? "" : "s", m_names.size()));
    return true;
  }
  return false;
}

std::string_view csv_rows::field(std::size_t column) const {
  return without_blanks(m_records[column]);
}

std::string csv_rows::listed_names() const {
  constexpr std::size_t most = 8;
  std::vector<std::string> shown;
  for (std::size_t column = 0; column < std::min(most, m_names.size()); ++column)
    shown.push_back(in_quotes(m_names[column]));
  auto const more =
      m_names.size() > most ? fmt::format(", and {} more", m_names.size() - most) : "";
  return fmt::format("{}{}", fmt::join(shown, ", "), more);
}

void csv_rows::refuse_file(std::string const& reason) const {
  throw bad_input(fmt::format("{}: {}", m_file, reason));
}

void csv_rows::refuse_row(std::string const& reason) const { refuse(line(), reason); }

void csv_rows::refuse(std::uint64_t line, std::string const& reason) const {
  throw bad_input(fmt::format("{}:{}: {}", m_file, line, reason));
}

}  // namespace lockstep
