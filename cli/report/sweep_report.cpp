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

#include "misfits.hpp"
#include "report.hpp"
#include "sweep_columns.hpp"
#include "text_table.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

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

namespace {

std::optional<row_limit> limit_of_time(ordered_json const& row, std::string const& field,
                                       std::string const& relation) {
  auto const price = number_at(row, "time", field);
  return price ? std::optional(row_limit{relation, *price}) : std::nullopt;
}

}  // namespace

std::optional<row_limit> claim_in(ordered_json const& row, std::string const& figure) {
  if (figure == "time") return limit_of_time(row, "claimed", "=");
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
  if (figure == "time") return limit_of_time(row, "bound", ">=");
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

std::string unit_in(ordered_json const& row) {
  return row.contains("time") ? row.at("time").at("unit").get<std::string>() : "";
}

bool is_number(std::string const& text) {
  return text.find_first_not_of("0123456789.-") == std::string::npos;
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
  auto const rows = rows_that_fit(of);
  auto const columns = shown_columns(of, rows);
  std::vector<text_table::column> titles;
  for (auto const& one : columns) titles.push_back({one.title, one.kind});
  text_table table(std::move(titles));
  for (auto const* const row : rows) {
    std::vector<std::string> cells;
    for (auto const& one : columns) cells.push_back(one.cell(*row));
    table.add(std::move(cells));
  }
  return fmt::format("{}\n\n{}{}{}", headline_of(of, rows), table.str(), mistakes_of(rows),
                     misfits(of).without_runs_as_text());
}

std::string sweep_as_csv(sweep_report const& of) {
  auto const columns = csv_columns(of);
  std::vector<std::string> titles;
  for (auto const& one : columns) titles.push_back(csv_field(one.name()));
  auto text = fmt::format("{}\n", fmt::join(titles, ","));
  for (auto const* const row : rows_that_fit(of)) {
    std::vector<std::string> cells;
    for (auto const& one : columns) cells.push_back(csv_field(one.cell(*row)));
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

}  // namespace lockstep::cli
