#include "report/sweep_columns.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;
using row_list = std::vector<ordered_json const*>;
using column_list = std::vector<sweep_column>;

constexpr std::array<std::string_view, 7> counted_figures{
    "steps", "startups", "words", "volume", "messages", "hops", "contention"};
constexpr std::array<std::string_view, 3> limited_figures{"steps", "words", "time"};
/// The limits of a figure, each by the name that stands for those of all that are chosen.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> limit_groups{
    {{"claim", "claimed"}, {"bound", "bound"}}};

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

/// Finds the unit of all times, or nothing where they differ.
std::string unit_of(row_list const& rows) {
  std::string unit;
  for (auto const* const row : rows) {
    auto const one = unit_in(*row);
    if (!one.empty() && !unit.empty() && one != unit) return {};
    if (!one.empty()) unit = one;
  }
  return unit;
}

sweep_column figure_column(std::string const& name) {
  return {name, column_kind::number,
          [name](ordered_json const& row) { return figure_cell(row, name); }};
}

/// Makes the column of the claim on a figure, or of its bound, with the relation or without.
sweep_column limit_column(std::string const& figure, std::string_view which, bool with_relation) {
  bool const is_claim = which == "claimed";
  return {fmt::format("{} {}", figure, which), column_kind::number,
          [=](ordered_json const& row) -> std::string {
            auto const one = is_claim ? claim_in(row, figure) : bound_in(row, figure);
            if (!one) return "";
            auto const value = exact_text(one->value);
            return with_relation ? one->relation + ' ' + value : value;
          }};
}

bool is_varied(sweep_report const& of, std::string const& name) {
  return std::ranges::find(of.varied, name) != of.varied.end();
}

/// The name of an algorithm or a network, as it is given where it is.
std::string subject_cell(ordered_json const& row, std::string const& name,
                         std::string const& network) {
  if (auto given = given_in(row, name); !given.empty()) return given;
  if (name == "on" && !network.empty()) return network;
  return row.at(name == "on" ? "topology" : "algorithm").get<std::string>();
}

/// Lists all columns.
column_list columns_of(sweep_report const& of, bool with_relations) {
  column_list columns;
  for (std::string const name : {"algorithm", "on"})
    columns.push_back({.title = name,
                       .kind = column_kind::text,
                       .cell = [name, network = of.network](
                                   auto const& row) { return subject_cell(row, name, network); },
                       .varies = is_varied(of, name)});
  columns.push_back(figure_column("processors"));
  for (auto const& name : of.varied)
    if (name != "algorithm" && name != "on")
      columns.push_back({(of.has_options ? "--" : "") + name, column_kind::text,
                         [name](auto const& row) { return given_in(row, name); }, true, true});
  for (auto const name : counted_figures) columns.push_back(figure_column(std::string(name)));
  for (std::string const name : {"work", "operations", "span", "makespan"})
    columns.push_back({name, column_kind::number, [name](ordered_json const& row) {
                         return has_work(row) ? figure_cell(row, name) : "";
                       }});
  columns.push_back(figure_column("time"));
  columns.push_back({"unit", column_kind::text, unit_in});
  if (of.has_efficiency)
    for (std::string const name : {"speedup", "efficiency"})
      columns.push_back({name, column_kind::number, [name](ordered_json const& row) {
                           auto const value = figure_in(row, name);
                           return value ? fmt::format("{:.4g}", *value) : "";
                         }});
  for (auto const figure : limited_figures)
    for (auto const& [group, which] : limit_groups)
      columns.push_back(limit_column(std::string(figure), which, with_relations));
  columns.push_back({"correct", column_kind::text, correct_cell});
  return columns;
}

bool says_nothing(sweep_column const& column, row_list const& rows) {
  return std::ranges::all_of(rows, [&](auto const* row) { return column.cell(*row).empty(); });
}

bool are_numbers(sweep_column const& column, row_list const& rows) {
  return std::ranges::all_of(rows, [&](auto const* row) { return is_number(column.cell(*row)); });
}

/// Finds a column by its name: with dashes that of an option, else of a figure, and of an option where no figure has
/// the name.
sweep_column const* column_named(std::string_view name, column_list const& columns) {
  bool const has_dashes = name.starts_with("--");
  auto const plain = has_dashes ? name.substr(2) : name;
  sweep_column const* found = nullptr;
  for (auto const& one : columns) {
    auto const own = one.name();
    auto const of_column = std::string_view(own).substr(own.starts_with("--") ? 2 : 0);
    if ((of_column != plain && one.title != plain) || (has_dashes && !one.is_given)) continue;
    if (found == nullptr || (found->is_given && !has_dashes)) found = &one;
  }
  return found;
}

/// Lists the limits of the figures that are chosen, or of all where none is: "claimed" or "bound" ones.
column_list limits_of(std::vector<std::string> const& chosen, std::string_view which,
                      column_list const& columns) {
  auto const is_chosen = [&](std::string_view figure) {
    return std::ranges::find(chosen, figure) != chosen.end();
  };
  bool const are_all = std::ranges::none_of(limited_figures, is_chosen);
  column_list found;
  for (auto const figure : limited_figures)
    if (are_all || is_chosen(figure))
      found.push_back(*column_named(fmt::format("{} {}", figure, which), columns));
  return found;
}

std::string_view group_named(std::string_view name) {
  for (auto const& [group, which] : limit_groups)
    if (name == group) return which;
  return {};
}

/// Lists the columns that are chosen, what varies before them where none of it is named. Limits that no row has are
/// left out where `rows` are shown to people.
column_list chosen_columns(sweep_report const& of, column_list const& all,
                           row_list const* shown_rows) {
  column_list chosen;
  for (auto const& name : of.columns) {
    auto const which = group_named(name);
    if (which.empty()) {
      chosen.push_back(*column_named(name, all));
      continue;
    }
    for (auto& one : limits_of(of.columns, which, all))
      if (shown_rows == nullptr || !says_nothing(one, *shown_rows))
        chosen.push_back(std::move(one));
  }
  if (std::ranges::any_of(chosen, &sweep_column::varies)) return chosen;
  column_list columns;
  std::ranges::copy_if(all, std::back_inserter(columns), &sweep_column::varies);
  std::ranges::move(chosen, std::back_inserter(columns));
  return columns;
}

/// Leaves out empty columns and those that the headline has.
column_list columns_that_say_something(sweep_report const& of, column_list all,
                                       row_list const& rows) {
  bool const has_a_unit = !unit_of(rows).empty();
  std::erase_if(all, [&](sweep_column const& one) {
    if (one.title == "algorithm" || one.title == "on") return !one.varies;
    if (one.title == "processors") return !is_varied(of, "on") || says_nothing(one, rows);
    if (one.title == "unit" && has_a_unit) return true;
    return says_nothing(one, rows);
  });
  return all;
}

}  // namespace

std::string sweep_column::name() const {
  auto text = title;
  std::ranges::replace(text, ' ', '_');
  return text;
}

std::vector<ordered_json const*> rows_that_fit(sweep_report const& of) {
  row_list rows;
  for (auto const& row : of.rows)
    if (row.at("status") != "left out") rows.push_back(&row);
  return rows;
}

std::vector<sweep_column> shown_columns(sweep_report const& of, row_list const& rows) {
  auto all = columns_of(of, true);
  auto columns = of.columns.empty() ? columns_that_say_something(of, std::move(all), rows)
                                    : chosen_columns(of, all, &rows);
  auto const unit = unit_of(rows);
  for (auto& one : columns) {
    if (one.title == "time" && !unit.empty()) one.title = fmt::format("time ({})", unit);
    if (one.is_given && are_numbers(one, rows)) one.kind = column_kind::number;
  }
  return columns;
}

std::vector<sweep_column> csv_columns(sweep_report const& of) {
  auto all = columns_of(of, false);
  return of.columns.empty() ? all : chosen_columns(of, all, nullptr);
}

std::string headline_of(sweep_report const& of, row_list const& rows) {
  std::string what = "sweep";
  for (std::string const name : {"algorithm", "on"})
    if (!rows.empty() && !is_varied(of, name))
      what += fmt::format(" {} {}", name == "on" ? "on" : "of",
                          subject_cell(*rows.front(), name, of.network));
  auto text = fmt::format("{}: {}", what, counted(rows.size(), "run"));
  if (auto const left = of.rows.size() - rows.size(); left > 0)
    text += fmt::format(", {} left out", counted(left, "combination"));
  return text;
}

std::string problem_with_columns(sweep_report const& of) {
  auto const all = columns_of(of, false);
  std::set<std::pair<std::string, bool>> columns;  // a parameter may have the name of a figure
  for (auto const& name : of.columns) {
    auto const* const found = column_named(name, all);
    if (found == nullptr && group_named(name).empty()) {
      std::vector<std::string> known;
      for (auto const& one : all) known.push_back(one.name());
      return fmt::format(
          "there is no column '{}'; there are {}, claim (those of the figures) and bound", name,
          fmt::join(known, ", "));
    }
    auto const named =
        found != nullptr ? column_list{*found} : limits_of(of.columns, group_named(name), all);
    for (auto const& one : named)
      if (!columns.emplace(one.title, one.is_given).second)
        return fmt::format("'{}' is named twice", found != nullptr ? name : one.name());
  }
  return {};
}

}  // namespace lockstep::cli
