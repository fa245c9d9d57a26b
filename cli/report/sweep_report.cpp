#include "sweep_report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/experiments/csv_field.hpp>

#include "report.hpp"
#include "text_table.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

constexpr std::array<std::string_view, 7> counted_figures{
    "steps", "startups", "words", "volume", "messages", "hops", "contention"};

/// A column of a sweep's table.
struct sweep_column {
  std::string title;
  column_kind kind = column_kind::number;
  std::function<std::string(ordered_json const&)> cell;
  bool is_given = false;  ///< a value that varies
};

std::string figure_cell(ordered_json const& row, std::string const& name) {
  auto const value = figure_in(row, name);
  return value ? exact_text(*value) : "";
}

/// Whether the run counts local work.
bool has_work(ordered_json const& row) {
  return has_counts(row) && row.at("counts").contains("operations");
}

std::string correct_cell(ordered_json const& row) {
  if (!has_counts(row)) return row.at("status").get<std::string>();
  if (row.at("correct").is_null()) return "-";
  return row.at("correct").get<bool>() ? "yes" : "NO";
}

std::string unit_in(ordered_json const& row) {
  return row.contains("time") ? row.at("time").at("unit").get<std::string>() : "";
}

bool fits(ordered_json const& row) { return row.at("status") != "left out"; }

/// Lists the rows that fit.
std::vector<ordered_json const*> rows_of(sweep_report const& of) {
  std::vector<ordered_json const*> rows;
  for (auto const& row : of.rows)
    if (fits(row)) rows.push_back(&row);
  return rows;
}

/// Finds the unit of all times, or nothing where they differ.
std::string unit_of(std::vector<ordered_json const*> const& rows) {
  std::string unit;
  for (auto const* const row : rows) {
    auto const one = unit_in(*row);
    if (!one.empty() && !unit.empty() && one != unit) return {};
    if (!one.empty()) unit = one;
  }
  return unit;
}

sweep_column given_column(std::string const& name, std::string title) {
  return {std::move(title), column_kind::text,
          [name](ordered_json const& row) { return given_in(row, name); }, true};
}

sweep_column figure_column(std::string const& name, std::string title) {
  return {std::move(title), column_kind::number,
          [name](ordered_json const& row) { return figure_cell(row, name); }};
}

/// Columns of the claim on a figure, and of its bound; with their relations on wish.
std::vector<sweep_column> limit_columns(std::string const& figure, bool with_relation) {
  auto const text = [with_relation](std::optional<row_limit> const& one) -> std::string {
    if (!one) return "";
    auto const value = exact_text(one->value);
    return with_relation ? one->relation + ' ' + value : value;
  };
  return {{figure + " claimed", column_kind::number,
           [=](ordered_json const& row) { return text(claim_in(row, figure)); }},
          {figure + " bound", column_kind::number,
           [=](ordered_json const& row) { return text(bound_in(row, figure)); }}};
}

/// Lists all columns.
std::vector<sweep_column> columns_of(sweep_report const& of, bool with_relations) {
  std::vector<sweep_column> columns;
  for (std::string const name : {"algorithm", "on"})
    columns.push_back({name, column_kind::text, [name](ordered_json const& row) {
                         auto const given = given_in(row, name);
                         auto const* const field = name == "on" ? "topology" : "algorithm";
                         return given.empty() ? row.at(field).get<std::string>() : given;
                       }});
  columns.push_back(figure_column("processors", "processors"));
  for (auto const& name : of.varied)
    if (name != "algorithm" && name != "on")
      columns.push_back(given_column(name, (of.has_options ? "--" : "") + name));
  for (auto const name : counted_figures)
    columns.push_back(figure_column(std::string(name), std::string(name)));
  for (std::string const name : {"work", "operations", "span", "makespan"})
    columns.push_back({name, column_kind::number, [name](ordered_json const& row) {
                         return has_work(row) ? figure_cell(row, name) : "";
                       }});
  columns.push_back(figure_column("time", "time"));
  columns.push_back({"unit", column_kind::text, unit_in});
  if (of.has_efficiency)
    for (std::string const name : {"speedup", "efficiency"})
      columns.push_back({name, column_kind::number, [name](ordered_json const& row) {
                           auto const value = figure_in(row, name);
                           return value ? fmt::format("{:.4g}", *value) : "";
                         }});
  for (auto const* const figure : {"steps", "words", "time"})
    for (auto& one : limit_columns(figure, with_relations)) columns.push_back(std::move(one));
  columns.push_back({"correct", column_kind::text, correct_cell});
  return columns;
}

bool is_empty(sweep_column const& column, std::vector<ordered_json const*> const& rows) {
  return std::ranges::all_of(rows, [&](auto const* row) { return column.cell(*row).empty(); });
}

bool are_numbers(sweep_column const& column, std::vector<ordered_json const*> const& rows) {
  return std::ranges::all_of(rows, [&](auto const* row) {
    return column.cell(*row).find_first_not_of("0123456789.-") == std::string::npos;
  });
}

/// Columns for people: neither empty ones nor the algorithm or network of all rows.
std::vector<sweep_column> shown_columns(sweep_report const& of,
                                        std::vector<ordered_json const*> const& rows) {
  auto columns = columns_of(of, true);
  auto const unit = unit_of(rows);
  auto const varies = [&](std::string const& name) {
    return std::ranges::find(of.varied, name) != of.varied.end();
  };
  std::erase_if(columns, [&](sweep_column const& one) {
    if (one.title == "algorithm" || one.title == "on") return !varies(one.title);
    if (one.title == "processors") return !varies("on");
    if (one.title == "unit" && !unit.empty()) return true;
    return is_empty(one, rows);
  });
  for (auto& one : columns) {
    if (one.title == "time" && !unit.empty()) one.title = fmt::format("time ({})", unit);
    if (one.is_given && are_numbers(one, rows)) one.kind = column_kind::number;
  }
  return columns;
}

std::string shared_cell(std::vector<sweep_column> const& columns, std::string_view title,
                        ordered_json const& row) {
  return std::ranges::find(columns, title, &sweep_column::title)->cell(row);
}

/// Says what was run: "all-reduce on torus:4x4: 12 runs, 2 combinations left out".
std::string headline_of(sweep_report const& of, std::vector<ordered_json const*> const& rows) {
  auto const columns = columns_of(of, false);
  std::string what = "sweep";
  for (std::string const name : {"algorithm", "on"})
    if (!rows.empty() && std::ranges::find(of.varied, name) == of.varied.end())
      what += fmt::format(" {} {}", name == "on" ? "on" : "of",
                          shared_cell(columns, name, *rows.front()));
  auto text = fmt::format("{}: {}", what, counted(rows.size(), "run"));
  if (auto const left = of.rows.size() - rows.size(); left > 0)
    text += fmt::format(", {} left out", counted(left, "combination"));
  return text;
}

/// Lines on runs that are wrong or failed.
std::string mistakes_of(std::vector<ordered_json const*> const& rows) {
  std::string text;
  for (auto const* const row : rows) {
    if (row->at("status") == "right") continue;
    std::vector<std::string> given;
    for (auto const& [name, value] : row->at("given").items())
      given.push_back(fmt::format("{} {}", name, value.get<std::string>()));
    std::string what = "a claim or a bound unexpectedly does not hold";
    if (row->contains("error")) {
      what = row->at("error").at("message").get<std::string>();
      what.resize(std::min(what.find('\n'), what.size()));
    } else if (row->at("correct") == false) {
      what = "the result differs from a sequential computation";
    }
    if (given.empty()) given.push_back(row->at("algorithm").get<std::string>());
    text += fmt::format("{}: {}\n", fmt::join(given, ", "), what);
  }
  return text.empty() ? "" : "\nWRONG\n" + text;
}

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
    else if (one == '<' || one == '>')
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
  return latex_text(text);
}

/// Looks up a value at a path of keys, where it is a number.
std::optional<double> number_at(ordered_json const& row, char const* group,
                                std::string const& name) {
  if (!row.contains(group) || !row.at(group).contains(name)) return std::nullopt;
  auto const& value = row.at(group).at(name);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

}  // namespace

std::string exact_text(double value) {
  auto const json = as_json(parameter_value(value));
  return json.is_number_integer() ? json.dump() : fmt::format("{:.10g}", value);
}

bool has_counts(ordered_json const& row) { return row.contains("counts"); }

std::optional<double> figure_in(ordered_json const& row, std::string const& name) {
  if (name == "processors" && row.contains(name)) return row.at(name).get<double>();
  if (name == "time") return number_at(row, "time", "value");
  if (has_counts(row) && (name == "makespan" || name == "span")) {
    // A makespan of its own is written if it is more than the rounds, a span if work is counted.
    if (row.contains(name)) return row.at(name).get<double>();
    return name == "makespan" ? number_at(row, "counts", "rounds") : std::nullopt;
  }
  auto const count = number_at(row, "counts", name);
  return count ? count : number_at(row, "figures", name);
}

std::optional<row_limit> claim_in(ordered_json const& row, std::string const& figure) {
  if (figure == "time") {
    auto const price = number_at(row, "time", "claimed");
    return price ? std::optional(row_limit{"=", *price}) : std::nullopt;
  }
  std::optional<row_limit> found;
  if (!row.contains("claims")) return found;
  for (auto const& one : row.at("claims")) {
    auto const relation = one.at("relation").get<std::string>();
    bool const is_meant = one.at("verdict") != "outside the claim" && !one.contains("about");
    if (one.at("figure") != figure || !is_meant || (relation != "=" && relation != "<=")) continue;
    if (!found || (found->relation != "=" && relation == "="))
      found = row_limit{relation, one.at("value").get<double>()};
  }
  // Steps without messages are rounds, too.
  bool const are_rounds = figure == "steps" && figure_in(row, "steps") == figure_in(row, "rounds");
  return !found && are_rounds ? claim_in(row, "rounds") : found;
}

std::optional<row_limit> bound_in(ordered_json const& row, std::string const& figure) {
  if (figure == "time") {
    auto const price = number_at(row, "time", "bound");
    return price ? std::optional(row_limit{">=", *price}) : std::nullopt;
  }
  std::optional<row_limit> found;
  if (!row.contains("bounds")) return found;
  for (auto const& one : row.at("bounds")) {
    auto const value = one.at("value").get<double>();
    if (one.at("figure") == figure && (!found || value > found->value)) found = {">=", value};
  }
  return found;
}

std::set<std::string> units_of(sweep_report const& of) {
  std::set<std::string> units;
  for (auto const& row : of.rows)
    if (auto unit = unit_in(row); !unit.empty()) units.insert(std::move(unit));
  return units;
}

std::string given_in(ordered_json const& row, std::string const& name) {
  auto const& given = row.at("given");
  return given.contains(name) ? given.at(name).get<std::string>() : "";
}

double given_number_in(ordered_json const& row, std::string const& name) {
  auto const text = given_in(row, name);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string sweep_as_text(sweep_report const& of) {
  auto const rows = rows_of(of);
  auto const columns = shown_columns(of, rows);
  std::vector<text_table::column> titles;
  for (auto const& one : columns) titles.push_back({one.title, one.kind});
  text_table table(std::move(titles));
  for (auto const* const row : rows) {
    std::vector<std::string> cells;
    for (auto const& one : columns) cells.push_back(one.cell(*row));
    table.add(std::move(cells));
  }
  return fmt::format("{}\n\n{}{}", headline_of(of, rows), table.str(), mistakes_of(rows));
}

std::string sweep_as_csv(sweep_report const& of) {
  auto const columns = columns_of(of, false);
  std::string text;
  for (auto const& one : columns) {
    auto title = one.title;
    std::ranges::replace(title, ' ', '_');
    text += (text.empty() ? "" : ",") + csv_field(title);
  }
  text += '\n';
  for (auto const* const row : rows_of(of)) {
    std::vector<std::string> cells;
    for (auto const& one : columns) cells.push_back(csv_field(one.cell(*row)));
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

std::string sweep_as_latex(sweep_report const& of) {
  auto const rows = rows_of(of);
  auto const columns = shown_columns(of, rows);
  std::string kinds;
  std::vector<std::string> titles;
  for (auto const& one : columns) {
    kinds += one.kind == column_kind::number ? 'r' : 'l';
    titles.push_back(latex_cell(one.title));
  }
  auto text = fmt::format(
      "% {}\n% lockstep {}: {}\n\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n"
      "\\midrule\n",
      headline_of(of, rows), of.version, of.command, kinds, fmt::join(titles, " & "));
  for (auto const* const row : rows) {
    std::vector<std::string> cells;
    for (auto const& one : columns) cells.push_back(latex_cell(one.cell(*row)));
    text += fmt::format("{} \\\\\n", fmt::join(cells, " & "));
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace lockstep::cli
