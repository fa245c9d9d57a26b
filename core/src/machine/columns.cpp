#include "machine/columns.hpp"

#include <algorithm>

namespace lockstep::detail {

std::size_t width_of(std::string_view text) {
  auto const is_start = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  };
  return static_cast<std::size_t>(std::ranges::count_if(text, is_start));
}

std::string in_columns(std::vector<std::vector<std::string>> const& rows,
                       std::vector<bool> const& to_the_left) {
  std::vector<std::size_t> widths(to_the_left.size());
  for (auto const& cells : rows)
    for (std::size_t column = 0; column < cells.size(); ++column)
      widths[column] = std::max(widths[column], width_of(cells[column]));

  std::string text;
  for (auto const& cells : rows) {
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      std::string const padding(widths[column] - width_of(cells[column]), ' ');
      line += column == 0 ? "" : "  ";
      line += to_the_left[column] ? cells[column] + padding : padding + cells[column];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace lockstep::detail
