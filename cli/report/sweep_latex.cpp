#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/misfits.hpp"
#include "report/sweep_columns.hpp"
#include "report/sweep_report.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;
using row_list = std::vector<ordered_json const*>;
using text_list = std::vector<std::string>;

/// Rows of a page of LaTeX's article, letters of 10 points.
constexpr std::size_t rows_of_a_page = 40;
/// Width of its lines in points, without the indentation of a paragraph and the blank behind a table.
constexpr double width_of_a_page = 345 - 15 - 3.4;
constexpr double between_columns = 12;

/// Widths of the characters from the blank to ~ in Computer Modern of 10 points, in hundredths of a point; the signs
/// of relations as in formulas.
constexpr std::array<int, 95> letter_widths{
    334, 278, 500, 834, 500, 834, 778, 278, 389, 389, 500, 778, 278, 334, 278, 500, 500, 500,  500,
    500, 500, 500, 500, 500, 500, 500, 278, 278, 778, 778, 778, 473, 778, 750, 709, 723, 764,  681,
    653, 785, 750, 362, 514, 778, 625, 917, 750, 778, 681, 778, 737, 556, 723, 750, 750, 1028, 750,
    750, 612, 278, 500, 278, 500, 360, 278, 500, 556, 445, 556, 445, 306, 500, 556, 278, 306,  528,
    278, 834, 556, 500, 556, 528, 392, 395, 389, 556, 528, 723, 528, 528, 445, 500, 278, 500,  500};

double latex_width(std::string_view text) {
  double width = 0;
  // "<=" and ">=" are one sign.
  if (text.starts_with("<= ") || text.starts_with(">= ")) text.remove_prefix(1);
  for (char const one : text)
    width +=
        one >= ' ' && one <= '~' ? letter_widths.at(static_cast<std::size_t>(one - ' ')) : 1000;
  return width / 100;
}

/// A column with its cells.
struct filled_column {
  sweep_column what;
  text_list cells{};

  [[nodiscard]] std::string name() const {
    return what.title.starts_with("time (") ? "time" : what.name();
  }
  [[nodiscard]] double width() const {
    auto widest = latex_width(what.title);
    for (auto const& one : cells) widest = std::max(widest, latex_width(one));
    return widest + between_columns;
  }
  [[nodiscard]] bool is_the_same_in_all() const {
    return std::ranges::all_of(cells, [&](auto const& one) { return one == cells.front(); });
  }
};

/// The columns of a table as wide as a page, and remarks on those that it lacks.
class page_table {
 public:
  page_table(std::vector<sweep_column> columns, row_list const& rows) {
    for (auto& one : columns) {
      filled_column filled{std::move(one)};
      for (auto const* const row : rows) filled.cells.push_back(filled.what.cell(*row));
      m_columns.push_back(std::move(filled));
    }
  }

  /// Leaves out the columns that are the same in all rows, and the least important ones without room.
  void fit(bool has_options) {
    if (m_columns.empty()) return;
    leave_out_what_is_the_same();
    text_list as_claimed;
    std::map<std::string, text_list> same;
    text_list left;
    while (width() > width_of_a_page) {
      auto const least = least_important();
      if (least == m_columns.end()) break;
      auto const name = least->name();
      if (auto const figure = figure_claimed_by(*least); !figure.empty())
        as_claimed.insert(as_claimed.begin(), figure);
      else if (auto const other = one_with_cells_of(*least); !other.empty())
        same[other].insert(same[other].begin(), name);
      else
        left.insert(left.begin(), name);
      m_columns.erase(least);
    }
    // What repeats a column that had to go as well is left out like it.
    auto const has = [&](std::string const& name) {
      return std::ranges::find(m_columns, name, &filled_column::name) != m_columns.end();
    };
    std::erase_if(as_claimed, [&](std::string const& figure) {
      if (!has(figure)) left.push_back(figure + "_claimed");
      return !has(figure);
    });
    std::erase_if(same, [&](auto const& one) {
      if (!has(one.first)) left.insert(left.end(), one.second.begin(), one.second.end());
      return !has(one.first);
    });
    for (auto const& [name, others] : same)
      m_remarks.push_back(
          fmt::format("the same as {} in all runs: {}", name, fmt::join(others, ", ")));
    if (!as_claimed.empty())
      m_remarks.push_back(fmt::format("as claimed in all runs: {}", fmt::join(as_claimed, ", ")));
    if (!left.empty())
      m_remarks.push_back(fmt::format("left out, since a page has no room: {}; {} chooses",
                                      fmt::join(left, ", "),
                                      has_options ? "--columns" : "columns()"));
    if (width() > width_of_a_page)
      m_remarks.push_back(fmt::format("wider than the lines of an article, by some {:.0f} pt",
                                      std::ceil(width() - width_of_a_page)));
  }

  [[nodiscard]] std::vector<filled_column> const& columns() const { return m_columns; }
  [[nodiscard]] text_list const& remarks() const { return m_remarks; }

 private:
  using column_place = std::vector<filled_column>::iterator;

  [[nodiscard]] double width() const {
    double all = 0;
    for (auto const& one : m_columns) all += one.width();
    return all;
  }

  void leave_out_what_is_the_same() {
    if (m_columns.front().cells.size() < 2) return;
    text_list same;
    auto const figure = first_figure();
    bool const has_another = std::ranges::any_of(
        m_columns, [](auto const& one) { return is_figure(one) && !one.is_the_same_in_all(); });
    std::erase_if(m_columns, [&](filled_column const& one) {
      if (one.what.varies || !one.is_the_same_in_all()) return false;
      if (!has_another && one.name() == figure) return false;  // a table has one figure at least
      auto const& cell = one.cells.front();
      bool const is_known = cell != "-";
      // Runs that fail, or are wrong, say so.
      if (one.what.title == "correct" && is_known && cell != "yes") return false;
      if (is_known) same.push_back(fmt::format("{} {}", one.what.title, cell));
      return true;
    });
    if (!same.empty())
      m_remarks.push_back(fmt::format("the same in all runs: {}", fmt::join(same, ", ")));
  }

  /// The columns by their importance for a reader: of runs that are priced the time is first.
  static constexpr std::array<std::string_view, 23> by_importance{
      "time",       "steps",         "words",         "efficiency",   "speedup",     "correct",
      "processors", "steps_claimed", "words_claimed", "time_claimed", "steps_bound", "words_bound",
      "time_bound", "startups",      "makespan",      "hops",         "volume",      "messages",
      "contention", "work",          "operations",    "span",         "unit"};

  [[nodiscard]] static bool is_figure(filled_column const& of) {
    return !of.what.varies && of.name() != "processors" && of.name() != "correct" &&
           of.name() != "unit";
  }
  /// Names the most important figure that the table has.
  [[nodiscard]] std::string first_figure() const {
    for (auto const name : by_importance)
      for (auto const& one : m_columns)
        if (is_figure(one) && one.name() == name) return std::string(name);
    return {};
  }

  /// Finds the column without which a reader misses least: first those that repeat others. What varies stays, and
  /// the most important figure.
  [[nodiscard]] column_place least_important() {
    auto const stays = first_figure();
    for (bool const is_of_those_that_repeat : {true, false})
      for (auto const name : std::views::reverse(by_importance)) {
        auto const found = std::ranges::find_if(
            m_columns, [&](auto const& one) { return !one.what.varies && one.name() == name; });
        if (name == stays) continue;
        if (found != m_columns.end() && (!is_of_those_that_repeat || repeats(*found))) return found;
      }
    return m_columns.end();
  }

  [[nodiscard]] bool repeats(filled_column const& of) const {
    return !figure_claimed_by(of).empty() || !one_with_cells_of(of).empty();
  }

  /// The figure that is as the column claims in all rows, if it is a claim.
  [[nodiscard]] std::string figure_claimed_by(filled_column const& of) const {
    auto const name = of.name();
    auto const end = name.find("_claimed");
    if (end == std::string::npos) return {};
    auto figure = name.substr(0, end);
    auto const found = std::ranges::find(m_columns, figure, &filled_column::name);
    if (found == m_columns.end()) return {};
    for (std::size_t i = 0; i < of.cells.size(); ++i)
      if (of.cells[i] != "= " + found->cells[i]) return {};
    return figure;
  }

  /// The first other figure with these cells.
  [[nodiscard]] std::string one_with_cells_of(filled_column const& of) const {
    for (auto const& one : m_columns)
      if (&one != &of && !one.what.varies && one.cells == of.cells &&
          is_before(one.name(), of.name()))
        return one.name();
    return {};
  }

  /// Whether a figure is the one by which another is told: steps before hops.
  [[nodiscard]] static bool is_before(std::string_view one, std::string_view other) {
    constexpr std::array<std::string_view, 12> order{
        "steps", "words",      "processors", "startups",   "volume", "messages",
        "hops",  "contention", "work",       "operations", "span",   "makespan"};
    auto const place = std::ranges::find(order, one);
    return place != order.end() && std::find(place + 1, order.end(), other) != order.end();
  }

  std::vector<filled_column> m_columns;
  text_list m_remarks;
};

std::string latex_text(std::string_view text) {
  std::string written;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char const one = text[at];
    if (std::string_view("&%$#_{}").find(one) != std::string_view::npos)
      written += std::string("\\") + one;
    else if (one == '\\')
      written += "\\textbackslash{}";
    else if (one == '~' || one == '^')
      written += std::string("\\") + one + "{}";
    else if (one == '<' || one == '>' || one == '|')
      written += std::string("$") + one + '$';
    else if (text.substr(at, 2) == "--")
      written += "-{}";  // no dash of two
    else
      written += one;
  }
  return written;
}

/// "<= 8" with the sign of mathematics.
std::string latex_cell(std::string_view text) {
  if (text.starts_with("<= ")) return fmt::format("$\\le$ {}", latex_text(text.substr(3)));
  if (text.starts_with(">= ")) return fmt::format("$\\ge$ {}", latex_text(text.substr(3)));
  // After the end of a row these would belong to it.
  bool const is_taken = text.starts_with('[') || text.starts_with('*');
  return (is_taken ? "{}" : "") + latex_text(text);
}

/// Writes some of the rows as a table of their own.
std::string tabular(std::vector<filled_column> const& columns, std::size_t first,
                    std::size_t last) {
  std::string kinds;
  text_list titles;
  for (auto const& one : columns) {
    kinds += one.what.kind == column_kind::number ? 'r' : 'l';
    titles.push_back(latex_cell(one.what.title));
  }
  auto text = fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n\\midrule\n", kinds,
                          fmt::join(titles, " & "));
  for (auto row = first; row < last; ++row) {
    text_list cells;
    for (auto const& one : columns) cells.push_back(latex_cell(one.cells[row]));
    text += fmt::format("{} \\\\\n", fmt::join(cells, " & "));
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

/// Lines of comments: what was run, and what the table does not have.
std::string comments(sweep_report const& of, row_list const& rows, text_list const& remarks) {
  auto text = fmt::format("% {}\n", headline_of(of, rows));
  for (auto const& one : misfits(of).without_runs())
    text += fmt::format("% no run of {}\n", one.name);
  for (auto const& one : remarks) text += fmt::format("% {}\n", one);
  return text + fmt::format("% lockstep {}: {}\n", of.version, of.command);
}

}  // namespace

std::string sweep_as_latex(sweep_report const& of) {
  auto const rows = rows_that_fit(of);
  page_table table(shown_columns(of, rows), rows);
  if (of.columns.empty()) table.fit(of.has_options);
  auto text = comments(of, rows, table.remarks());
  for (std::size_t first = 0; first == 0 || first < rows.size(); first += rows_of_a_page) {
    if (first > 0) text += '\n';
    text += tabular(table.columns(), first, std::min(first + rows_of_a_page, rows.size()));
  }
  return text;
}

}  // namespace lockstep::cli
