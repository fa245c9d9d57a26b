#include "text_table.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace lockstep::cli {

namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t narrowest_prose = 12;

std::string padded(std::string const& cell, std::size_t width, column_kind kind) {
  std::string const space(width - std::min(width, display_width(cell)), ' ');
  return kind == column_kind::number ? space + cell : cell + space;
}

void trim_end(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines{""};
  while (!text.empty()) {
    auto const word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    auto& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (display_width(line) + 1 + display_width(word) <= width) {
      line.append(1, ' ').append(word);
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

std::size_t text_table::height(std::vector<std::size_t> const& widths) const {
  std::size_t lines = 0;
  for (auto const& row : m_rows) {
    std::size_t of_row = 1;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (m_columns[i].kind == column_kind::prose)
        of_row = std::max(of_row, wrapped(row[i], widths[i]).size());
    lines += of_row;
  }
  return lines;
}

/// The column of prose that takes the fewest lines more, and the widest of such.
std::optional<std::size_t> text_table::column_to_narrow(
    std::vector<std::size_t> const& widths) const {
  std::optional<std::size_t> found;
  std::size_t fewest = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (m_columns[i].kind != column_kind::prose || widths[i] <= narrowest_prose) continue;
    auto narrowed = widths;
    --narrowed[i];
    auto const lines = height(narrowed);
    if (found && (lines > fewest || (lines == fewest && widths[i] <= widths[*found]))) continue;
    found = i;
    fewest = lines;
  }
  return found;
}

std::vector<std::size_t> text_table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    std::size_t width = display_width(m_columns[i].title);
    for (auto const& row : m_rows) width = std::max(width, display_width(row[i]));
    widths.push_back(width);
  }
  auto const page = [&] {
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
  };
  while (page() > page_width) {
    auto const narrower = column_to_narrow(widths);
    if (!narrower) break;
    --widths[*narrower];
  }
  return widths;
}

void text_table::append_row(std::string& text, std::vector<std::string> const& cells,
                            std::vector<std::size_t> const& widths) const {
  std::vector<std::vector<std::string>> parts;
  std::size_t height = 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    bool const prose = m_columns[i].kind == column_kind::prose;
    parts.push_back(prose ? wrapped(cells[i], widths[i]) : std::vector<std::string>{cells[i]});
    height = std::max(height, parts.back().size());
  }
  for (std::size_t part = 0; part < height; ++part) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) line.append(gap, ' ');
      line += padded(part < parts[i].size() ? parts[i][part] : "", widths[i], m_columns[i].kind);
    }
    trim_end(line);
    text += line + '\n';
  }
}

std::string grouped(std::uint64_t number) {
  auto digits = fmt::format("{}", number);
  for (auto at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", grouped(number), what, number == 1 ? "" : "s");
}

std::string text_table::str() const {
  auto const sizes = widths();
  std::vector<std::string> titles;
  titles.reserve(m_columns.size());
  for (auto const& one : m_columns) titles.push_back(one.title);
  std::string text;
  append_row(text, titles, sizes);
  for (auto const& row : m_rows) append_row(text, row, sizes);
  return text;
}

}  // namespace lockstep::cli
