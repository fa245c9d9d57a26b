#include "value_chart.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/usage_error.hpp"
#include "phase_names.hpp"
#include "report/text_table.hpp"

namespace lockstep::cli {

namespace {

constexpr std::size_t widest_cell = 16;
constexpr std::string_view as_before = ".";

template <class Element>
std::string short_text(Element const& element) {
  if constexpr (std::is_same_v<Element, block_label>)
    return element.source < 0 ? "-" : fmt::format("{}>{}", element.source, element.destination);
  else if constexpr (std::is_same_v<Element, rank_interval>)
    return element.first == element.last ? fmt::format("{}", element.first)
                                         : fmt::format("{}-{}", element.first, element.last);
  else if constexpr (std::is_floating_point_v<Element>)
    return fmt::format("{:.4g}", element);
  else
    return fmt::format("{}", element);
}

/// Writes values as short texts, of long ones at least the first `most` characters.
struct text_maker {
  std::size_t most;

  std::string operator()(shown_number const& number) const {
    return std::visit([](auto const& one) { return short_text(one); }, number);
  }
  std::string operator()(shown_numbers const& shown) const {
    return std::visit([&](auto const& all) { return text_of_range(all); }, shown);
  }
  std::string operator()(shown_matrix const& matrix) const {
    return std::visit([&](auto const& all) { return text_of_range(all, matrix.columns); },
                      matrix.numbers);
  }
  std::string operator()(std::string const& text) const { return text.substr(0, most); }
  template <class Element>
  std::string operator()(std::vector<Element> const& elements) const {
    return text_of_range(elements);
  }

 private:
  /// Writes elements with a space in between, and ";" between the rows of a matrix.
  template <class Element>
  [[nodiscard]] std::string text_of_range(std::vector<Element> const& elements,
                                          std::size_t columns = 0) const {
    std::string text;
    for (std::size_t i = 0; i < elements.size() && text.size() < most; ++i) {
      if (i > 0) text += columns > 0 && i % columns == 0 ? ';' : ' ';
      text += short_text(elements[i]);
    }
    return text;
  }
};

/// Lists the names in the order in which they come.
std::vector<std::string> names_in(std::vector<shown_record> const& values) {
  std::vector<std::string> names;
  std::unordered_set<std::string_view> found;
  for (auto const& one : values)
    if (found.insert(one.name).second) names.push_back(one.name);
  return names;
}

std::string chosen_name(std::string const& asked, std::vector<std::string> const& names) {
  if (asked.empty()) return names.empty() ? std::string() : names.front();
  if (std::ranges::find(names, asked) == names.end())
    throw usage_error(
        fmt::format("--show: the program shows no value '{}'; it shows: {}", asked,
                    names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "))));
  return asked;
}

/// The processors that are asked for, or the first of a large network.
std::vector<int> ranks_to_show(std::vector<int> const& asked, int processors) {
  if (!asked.empty()) return asked;
  auto const count = static_cast<std::size_t>(processors) > most_processors_shown
                         ? static_cast<int>(processors_shown_of_many)
                         : processors;
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

/// Puts each value into the cell of the step after which it is held, in the row of its processor.
void enter_values(value_chart& chart, std::vector<shown_record> shown) {
  for (auto& one : shown) {
    auto const row = std::ranges::find(chart.rows, one.rank, &value_row::rank);
    if (one.name != chart.name || row == chart.rows.end() || one.step > chart.steps.last) continue;
    auto& cell = row->cells[static_cast<std::size_t>(std::max(one.step, chart.steps.first) -
                                                     chart.steps.first)];
    if (cell == value_row::nothing) {
      cell = chart.values.size();
      chart.values.emplace_back();
    }
    chart.values[cell] = std::move(one.value);
  }
}

/// Fills the cells between: a value lasts until the next.
void let_values_last(value_row& row) {
  for (std::size_t column = 1; column < row.cells.size(); ++column)
    if (row.cells[column] == value_row::nothing) row.cells[column] = row.cells[column - 1];
}

/// Writes what a cell shows of a value, at most as wide as a cell may be.
std::string cut_text(shown_value const& value) {
  auto const text = text_of(value, widest_cell + 1);
  return text.size() <= widest_cell ? text : text.substr(0, widest_cell - 2) + "..";
}

/// A chart as it is printed: the texts of its cells, and how wide they are.
class printed_chart {
 public:
  explicit printed_chart(value_chart const& of) : m_chart(of) {
    m_rows.reserve(of.rows.size());
    for (auto const& row : of.rows) {
      m_label = std::max(m_label, row.label.size());
      m_rows.push_back(printed(row));
      for (auto const& one : m_rows.back()) m_width = std::max(m_width, one.text.size() + 1);
    }
  }

  [[nodiscard]] std::string text() const {
    auto const columns = static_cast<std::size_t>(m_chart.steps.count());
    auto const block = std::max<std::size_t>(1, (page_width - 3 - m_label) / m_width);
    std::string text;
    for (std::size_t start = 0; start < columns; start += block) {
      if (start > 0) text += '\n';
      append_block(text, start, std::min(block, columns - start));
    }
    return text;
  }

 private:
  struct cell {
    std::string text;
    bool is_as_before;
  };

  [[nodiscard]] std::vector<cell> printed(value_row const& row) const {
    std::vector<cell> cells;
    cells.reserve(row.cells.size());
    for (std::size_t column = 0; column < row.cells.size(); ++column) {
      auto const now = row.cells[column];
      if (column > 0 && now == row.cells[column - 1])
        cells.push_back({cells.back().text, true});
      else if (now == value_row::nothing)
        cells.push_back({{}, false});
      else
        cells.push_back(changed(row, column, cells));
    }
    return cells;
  }

  /// Makes the cell of a value that was shown for its step, which may read as the one before.
  [[nodiscard]] cell changed(value_row const& row, std::size_t column,
                             std::vector<cell> const& before) const {
    auto const& now = m_chart.values[row.cells[column]];
    auto text = cut_text(now);
    bool const may_be_as_before =
        column > 0 && row.cells[column - 1] != value_row::nothing && text == before.back().text;
    bool const is_as_before =
        may_be_as_before && text_of(now) == text_of(m_chart.values[row.cells[column - 1]]);
    return {std::move(text), is_as_before};
  }

  void append_line(std::string& text, std::string_view label, std::string const& cells) const {
    auto line = fmt::format("  {:<{}} {}", label, m_label, cells);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }

  /// Appends the columns from `start` on, under their phases and steps. What is as before stands in
  /// them only once.
  void append_block(std::string& text, std::size_t start, std::size_t count) const {
    auto const first = m_chart.steps.first + start;
    for (auto const& line : phase_lines(m_chart.phases, {first, first + count - 1}, m_width))
      append_line(text, "", line);
    std::string step_numbers;
    for (std::size_t i = 0; i < count; ++i)
      step_numbers += fmt::format("{:>{}}", first + i, m_width);
    append_line(text, "processor", step_numbers);
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
      std::string cells;
      for (auto column = start; column < start + count; ++column) {
        auto const& one = m_rows[row][column];
        bool const is_dot = column > start && one.is_as_before;
        cells += fmt::format("{:>{}}", is_dot ? as_before : one.text, m_width);
      }
      append_line(text, m_chart.rows[row].label, cells);
    }
  }

  value_chart const& m_chart;
  std::vector<std::vector<cell>> m_rows;
  std::size_t m_label = std::string_view("processor").size();
  std::size_t m_width = std::max<std::size_t>(2, fmt::formatted_size("{}", m_chart.steps.last)) + 1;
};

std::string other_names(value_chart const& of) {
  std::vector<std::string> others;
  for (auto const& name : of.names)
    if (name != of.name) others.push_back("values:" + name);
  return others.empty() ? std::string()
                        : fmt::format("\nAlso shown: --show {}\n", fmt::join(others, ", "));
}

}  // namespace

void shown_log::leave_out(std::string_view why) {
  m_left_out += fmt::format("{} {}.", m_left_out.empty() ? "The chart" : " It", why);
}

std::string text_of(shown_value const& value, std::size_t most) {
  return std::visit(text_maker{most}, value);
}

value_chart values_of(shown_log log, topology const& network, value_selection const& what) {
  auto shown = log.take_values();
  value_chart chart{.names = names_in(shown),
                    .left_out = log.left_out(),
                    .steps = {what.steps.first > 1 ? what.steps.first : 0,
                              std::min(what.steps.last, what.last_step)},
                    .processors = network.size()};
  if (!chart.left_out.empty()) return chart;
  chart.name = chosen_name(what.name, chart.names);
  auto const columns = static_cast<std::size_t>(chart.steps.count());
  for (int const rank : ranks_to_show(what.ranks, network.size()))
    chart.rows.push_back({.rank = rank,
                          .label = network.label(rank),
                          .cells = std::vector<std::size_t>(columns, value_row::nothing)});
  enter_values(chart, std::move(shown));
  for (auto& row : chart.rows) let_values_last(row);
  return chart;
}

std::string as_text(value_chart const& of) {
  if (!of.left_out.empty()) return of.left_out + '\n';
  if (of.name.empty())
    return "The program shows no values: its processors do not call me.show(name, value).\n";
  std::string text =
      fmt::format("What each processor holds after each step, as \"{}\" ({} as before):\n\n",
                  of.name, as_before);
  text += printed_chart(of).text();
  if (of.rows.size() < static_cast<std::size_t>(of.processors))
    text += fmt::format("\n{} of {} processors; --processors LIST shows others.\n", of.rows.size(),
                        of.processors);
  return text + other_names(of);
}

nlohmann::ordered_json as_json(value_chart const& of) {
  nlohmann::ordered_json json{{"name", of.name},
                              {"names", of.names},
                              {"steps", {{"first", of.steps.first}, {"last", of.steps.last}}},
                              {"rows", nlohmann::ordered_json::array()}};
  for (auto const& row : of.rows) {
    auto cells = nlohmann::ordered_json::array();
    for (auto const cell : row.cells)
      cells.push_back(cell == value_row::nothing ? std::string() : text_of(of.values[cell]));
    json["rows"].push_back({{"processor", row.rank}, {"cells", std::move(cells)}});
  }
  if (!of.left_out.empty()) json["left_out"] = of.left_out;
  return json;
}

}  // namespace lockstep::cli
