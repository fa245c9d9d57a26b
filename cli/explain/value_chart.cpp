#include "value_chart.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
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

/// Elements with a space in between, and ";" between the rows of a matrix.
template <class Element>
std::string text_of_range(std::vector<Element> const& elements, std::size_t columns = 0) {
  std::string text;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) text += columns > 0 && i % columns == 0 ? ';' : ' ';
    text += short_text(elements[i]);
  }
  return text;
}

struct text_maker {
  std::string operator()(shown_number const& number) const {
    return std::visit([](auto const& one) { return short_text(one); }, number);
  }
  std::string operator()(shown_numbers const& shown) const {
    return std::visit([](auto const& all) { return text_of_range(all); }, shown);
  }
  std::string operator()(shown_matrix const& matrix) const {
    return std::visit([&](auto const& all) { return text_of_range(all, matrix.columns); },
                      matrix.numbers);
  }
  std::string operator()(std::string const& text) const { return text; }
  template <class Element>
  std::string operator()(std::vector<Element> const& elements) const {
    return text_of_range(elements);
  }
};

std::vector<std::string> names_in(shown_log const& log) {
  std::vector<std::string> names;
  for (auto const& one : log.values())
    if (std::ranges::find(names, one.name) == names.end()) names.push_back(one.name);
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

/// Fills a row's cells from its first value on; each lasts until the next.
void enter(value_row& row, step_range steps, shown_record const& one) {
  if (one.step > steps.last) return;
  auto const column = static_cast<std::size_t>(std::max(one.step, steps.first) - steps.first);
  std::fill(row.cells.begin() + static_cast<std::ptrdiff_t>(column), row.cells.end(),
            text_of(one.value));
}

/// At most as wide as a cell may be.
std::string cut(std::string const& text) {
  return text.size() <= widest_cell ? text : text.substr(0, widest_cell - 2) + "..";
}

std::size_t width_of(value_chart const& of) {
  auto width = std::max<std::size_t>(2, fmt::formatted_size("{}", of.steps.last));
  for (auto const& row : of.rows)
    for (auto const& cell : row.cells) width = std::max(width, cut(cell).size());
  return width + 1;
}

/// A cell of a block that begins at column `start`: what is as before stands there only once.
std::string cell_of(value_row const& row, std::size_t column, std::size_t start) {
  bool const is_as_before = column > start && row.cells[column] == row.cells[column - 1];
  return is_as_before ? std::string(as_before) : cut(row.cells[column]);
}

void append_line(std::string& text, std::string_view label, std::size_t width,
                 std::string const& cells) {
  auto line = fmt::format("  {:<{}} {}", label, width, cells);
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + '\n';
}

/// The columns from `start` on, under their phases and steps.
void append_block(std::string& text, value_chart const& of, std::size_t start, std::size_t count) {
  auto const width = width_of(of);
  std::size_t label = std::string_view("processor").size();
  for (auto const& row : of.rows) label = std::max(label, row.label.size());
  auto const first = of.steps.first + start;
  for (auto const& line : phase_lines(of.phases, {first, first + count - 1}, width))
    append_line(text, "", label, line);
  std::string step_numbers;
  for (std::size_t i = 0; i < count; ++i) step_numbers += fmt::format("{:>{}}", first + i, width);
  append_line(text, "processor", label, step_numbers);
  for (auto const& row : of.rows) {
    std::string cells;
    for (auto column = start; column < start + count; ++column)
      cells += fmt::format("{:>{}}", cell_of(row, column, start), width);
    append_line(text, row.label, label, cells);
  }
}

std::string other_names(value_chart const& of) {
  std::vector<std::string> others;
  for (auto const& name : of.names)
    if (name != of.name) others.push_back("values:" + name);
  return others.empty() ? std::string()
                        : fmt::format("\nAlso shown: --show {}\n", fmt::join(others, ", "));
}

}  // namespace

std::string text_of(shown_value const& value) { return std::visit(text_maker(), value); }

value_chart values_of(shown_log const& log, topology const& network, value_selection const& what) {
  value_chart chart{.names = names_in(log),
                    .left_out = log.left_out(),
                    .steps = {what.steps.first > 1 ? what.steps.first : 0,
                              std::min(what.steps.last, what.last_step)},
                    .processors = network.size()};
  if (!chart.left_out.empty()) return chart;
  chart.name = chosen_name(what.name, chart.names);
  auto const columns = static_cast<std::size_t>(chart.steps.count());
  for (int const rank : ranks_to_show(what.ranks, network.size()))
    chart.rows.push_back(
        {.rank = rank, .label = network.label(rank), .cells = std::vector<std::string>(columns)});
  for (auto const& one : log.values()) {
    auto const row = std::ranges::find(chart.rows, one.rank, &value_row::rank);
    if (one.name == chart.name && row != chart.rows.end()) enter(*row, chart.steps, one);
  }
  return chart;
}

std::string as_text(value_chart const& of) {
  if (!of.left_out.empty()) return of.left_out + '\n';
  if (of.name.empty())
    return "The program shows no values: its processors do not call me.show(name, value).\n";
  std::string text =
      fmt::format("What each processor holds after each step, as \"{}\" ({} as before):\n\n",
                  of.name, as_before);
  auto const columns = static_cast<std::size_t>(of.steps.count());
  std::size_t label = std::string_view("processor").size();
  for (auto const& row : of.rows) label = std::max(label, row.label.size());
  auto const block = std::max<std::size_t>(1, (page_width - 3 - label) / width_of(of));
  for (std::size_t start = 0; start < columns; start += block) {
    if (start > 0) text += '\n';
    append_block(text, of, start, std::min(block, columns - start));
  }
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
  for (auto const& row : of.rows)
    json["rows"].push_back({{"processor", row.rank}, {"cells", row.cells}});
  return json;
}

}  // namespace lockstep::cli
