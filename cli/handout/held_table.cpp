#include "handout/held_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "handout/page_text.hpp"
#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

constexpr int letters_for_blocks = 26;
constexpr std::string_view nothing = "(nothing)";

/// Says which of several: "2nd", "16th".
std::string ordinal(std::size_t number) {
  constexpr std::array endings{"th", "st", "nd", "rd"};
  bool const is_teen = number % 100 > 10 && number % 100 < 14;
  return fmt::format("{}{}", number, number % 10 > 3 || is_teen ? "th" : endings.at(number % 10));
}

held_cell cell_of(std::string text, double number) {
  auto const width = width_on_page(text, 1);
  return {std::move(text), width, number};
}

held_cell cell_of(double number) { return cell_of(fmt::format("{:.4g}", number), number); }
held_cell cell_of(std::int64_t number) {
  return cell_of(fmt::format("{}", number), static_cast<double>(number));
}
held_cell cell_of(std::uint64_t number) {
  return cell_of(fmt::format("{}", number), static_cast<double>(number));
}
held_cell cell_of(rank_interval const& one) {
  return cell_of(one.first == one.last ? fmt::format("{}", one.first)
                                       : fmt::format("{}\u2013{}", one.first, one.last),
                 one.first);
}

/// Makes the cells of a value of any kind.
class table_maker {
 public:
  table_maker(held_table& table, int processors) : m_table(table), m_processors(processors) {}

  void operator()(shown_number const& one) {
    std::visit([this](auto number) { m_table.cells.push_back(cell_of(number)); }, one);
  }
  void operator()(std::string const& text) {
    for (auto const& word : wrapped(text, 1)) m_table.cells.push_back(cell_of(word, 0));
  }
  void operator()(shown_numbers const& numbers) {
    m_table.is = held_table::form::numbers;
    add_numbers(numbers);
  }
  void operator()(shown_matrix const& matrix) {
    m_table.is = held_table::form::matrix;
    m_table.columns = std::max<std::size_t>(matrix.columns, 1);
    add_numbers(matrix.numbers);
  }
  void operator()(std::vector<block_label> const& blocks) {
    m_table.is = held_table::form::blocks;
    for (auto const& one : blocks)
      m_table.cells.push_back(
          cell_of(block_text(one, m_processors), one.source < 0 ? -1 : one.destination));
  }
  void operator()(std::vector<rank_interval> const& all) {
    for (auto const& one : all) m_table.cells.push_back(cell_of(one));
  }

 private:
  void add_numbers(shown_numbers const& numbers) {
    std::visit(
        [this](auto const& all) {
          for (auto const number : all) m_table.cells.push_back(cell_of(number));
        },
        numbers);
  }

  held_table& m_table;
  int m_processors;
};

}  // namespace

std::string block_text(block_label const& block, int processors) {
  if (block.source < 0) return "";
  if (processors > letters_for_blocks)
    return fmt::format("{}\u2192{}", block.source, block.destination);
  return fmt::format("{}{}", static_cast<char>('A' + block.source), block.destination);
}

double held_table::widest() const {
  double width = 0;
  for (auto const& one : cells) width = std::max(width, one.width);
  return width;
}

double held_table::largest() const {
  double most = 0;
  for (auto const& one : cells)
    if (std::isfinite(one.number)) most = std::max(most, std::abs(one.number));
  return most;
}

std::string colour_of_block(double destination, int processors) {
  if (destination < 0) return "#ffffff";
  std::string colour = "#";
  for (int part = 0; part < 3; ++part) {
    auto const turn = destination / processors + part / 3.0;
    auto const share = std::abs(2 * (turn - std::floor(turn)) - 1);  // 1 at a full turn, 0 at half
    colour += fmt::format("{:02x}", static_cast<int>(std::lround(150 + 100 * share)));
  }
  return colour;
}

bool is_nothing(held_value const& held) {
  auto const table = table_of("", held, 1);
  return table.cells.size() == 1 && table.cells.front().text == nothing;
}

held_table table_of(std::string const& name, held_value const& held, int processors) {
  held_table table{.name = name};
  std::visit(table_maker(table, processors), held.value);
  if (table.cells.empty() && table.is != held_table::form::words) {
    table.is = held_table::form::words;
    table.cells.push_back(cell_of(std::string(nothing), 0));
  }
  if (held.every > 1)
    table.rest = table.is == held_table::form::matrix
                     ? fmt::format("(every {} row and column)", ordinal(held.every))
                     : fmt::format("(every {} of {})", ordinal(held.every), held.count);
  return table;
}

}  // namespace lockstep::cli
