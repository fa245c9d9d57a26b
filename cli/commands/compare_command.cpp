#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/output_file.hpp>

#include "commands.hpp"
#include "measured_run.hpp"
#include "report/comparison_picture.hpp"
#include "report/curves.hpp"
#include "report/plot.hpp"
#include "report/report.hpp"
#include "report/sweep_report.hpp"
#include "report/text_table.hpp"
#include "usage_error.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

/// The runs of one side.
struct compared_runs {
  std::vector<ordered_json> rows;
  bool is_sweep = false;
};

/// Reads what `run --json` or `sweep --json` has printed. Errors: usage_error.
compared_runs read_file_of_runs(std::string const& name) {
  auto const refused = [&](char const* why) {
    return usage_error(
        fmt::format("{}: {}; name a file that `run --json` or `sweep --json` has "
                    "printed",
                    name, why));
  };
  std::error_code unknown;
  if (std::filesystem::is_directory(name, unknown)) throw refused("this is a folder");
  std::ifstream stream(name, std::ios::binary);
  if (!stream) throw refused("it cannot be read");
  auto json = ordered_json::parse(stream, nullptr, false);
  if (json.is_discarded()) throw refused("this is not JSON");
  if (json.is_object() && json.contains("sweep")) {
    if (json["sweep"] != 1 || !json.contains("rows") || !json["rows"].is_array())
      throw refused("it is of a version of `sweep` that is not known");
    return {json["rows"].get<std::vector<ordered_json>>(), true};
  }
  if (!json.is_object() || !json.contains("algorithm")) throw refused("this is not of lockstep");
  return {{std::move(json)}, false};
}

compared_runs runs_of(compared_side const& side) {
  if (!side.run) return read_file_of_runs(side.name);
  return {{as_json(quietly_measured(*side.run, model_of(*side.run)))}, false};
}

/// All figures of a row that are numbers, in the order of its JSON; then the span and the makespan, where the
/// counts do not tell them, and its time.
std::vector<std::string> figures_of(ordered_json const& row) {
  std::vector<std::string> names{"processors"};
  for (auto const* const group : {"counts", "figures"})
    if (row.contains(group))
      for (auto const& [name, value] : row.at(group).items())
        if (value.is_number()) names.push_back(name);
  for (auto const* const name : {"span", "makespan"})
    if (row.contains(name)) names.emplace_back(name);
  names.emplace_back("time");
  return names;
}

std::string cell_of(std::optional<double> value) { return value ? exact_text(*value) : "-"; }

std::string ratio_of(std::optional<double> one, std::optional<double> other) {
  if (!one || !other || *one == 0) return one && other && *other == 0 ? "1" : "-";
  return fmt::format("{:.4g}", *other / *one);
}

/// The figures of one side, then those that only the other has.
std::vector<std::string> figures_of_both(ordered_json const& one, ordered_json const& other) {
  auto names = figures_of(one);
  for (auto& name : figures_of(other))
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  return names;
}

bool have_equal_counts(ordered_json const& one, ordered_json const& other) {
  auto const counts = [](ordered_json const& row) {
    return row.contains("counts") ? row.at("counts") : ordered_json();
  };
  return counts(one) == counts(other);
}

/// The figures that one of two runs has.
std::vector<compared_figure> compared_figures(ordered_json const& one, ordered_json const& other) {
  std::vector<compared_figure> figures;
  for (auto const& name : figures_of_both(one, other)) {
    compared_figure const found{name, figure_in(one, name), figure_in(other, name)};
    if (found.one || found.other) figures.push_back(found);
  }
  return figures;
}

/// Sets two runs beside each other. Result: whether their counts are equal.
bool print_runs(ordered_json const& one, ordered_json const& other, std::ostream& out) {
  text_table table({{"figure", column_kind::text},
                    {"A", column_kind::number},
                    {"B", column_kind::number},
                    {"B/A", column_kind::number}});
  for (auto const& [name, a, b] : compared_figures(one, other))
    table.add({name, cell_of(a), cell_of(b), ratio_of(a, b)});
  out << table.str();
  return have_equal_counts(one, other);
}

/// Names a row of a sweep by its values: "scheme ring, words 16".
std::string given_text(ordered_json const& row) {
  std::string text;
  if (row.contains("given"))
    for (auto const& [name, value] : row.at("given").items())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                          value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

/// Sets the rows of two sweeps beside each other, by what was given. Result: whether all counts are equal.
bool print_sweeps(compared_runs const& one, compared_runs const& other, std::ostream& out) {
  std::map<std::string, ordered_json const*> rows_of_other;
  for (auto const& row : other.rows) rows_of_other.emplace(given_text(row), &row);
  text_table table({{"given", column_kind::prose},
                    {"figure", column_kind::text},
                    {"A", column_kind::number},
                    {"B", column_kind::number},
                    {"B/A", column_kind::number}});
  std::size_t equal = 0;
  std::size_t beside = 0;
  for (auto const& row : one.rows) {
    auto const found = rows_of_other.find(given_text(row));
    if (found == rows_of_other.end()) continue;
    ++beside;
    if (have_equal_counts(row, *found->second)) ++equal;
    for (auto const& name : figures_of_both(row, *found->second)) {
      auto const a = figure_in(row, name);
      auto const b = figure_in(*found->second, name);
      if (a != b) table.add({found->first, name, cell_of(a), cell_of(b), ratio_of(a, b)});
    }
  }
  out << table.str()
      << fmt::format("\n{} beside each other, {} with equal counts; {} in A alone, {} in B alone\n",
                     counted(beside, "row"), equal, one.rows.size() - beside,
                     other.rows.size() - beside);
  return equal == one.rows.size() && equal == other.rows.size();
}

std::string caption_of(compare_command const& asked) {
  return fmt::format("lockstep {}: {}", LOCKSTEP_VERSION, asked.command);
}

/// The unit of a run's time; empty without one.
std::string unit_in(ordered_json const& row) {
  return row.contains("time") ? row.at("time").value("unit", "") : "";
}

/// Draws bars for the figures of two runs, but for times in two units, whose lengths say nothing.
drawing picture_of_runs(compare_command const& asked, ordered_json const& one,
                        ordered_json const& other) {
  run_comparison picture{asked.one.name, asked.other.name, caption_of(asked),
                         compared_figures(one, other)};
  auto const units = std::pair(unit_in(one), unit_in(other));
  bool const has_two_units =
      !units.first.empty() && !units.second.empty() && units.first != units.second;
  if (has_two_units)
    throw usage_error(
        fmt::format("--plot: times in {} and in {} have no axis together; give both runs models of "
                    "one unit, or none",
                    units.first, units.second));
  for (auto& figure : picture.figures)
    if (figure.name == "time")
      figure.name = fmt::format("time ({})", units.first.empty() ? units.second : units.first);
  return drawn(picture);
}

/// The rows of both sweeps, each with its side as one more value that varies.
sweep_report rows_of_both(compare_command const& asked, compared_runs const& one,
                          compared_runs const& other) {
  sweep_report both{
      .version = LOCKSTEP_VERSION, .command = asked.command, .varied = {"side"}, .rows = {}};
  auto const add = [&both](compared_runs const& side, char const* letter) {
    for (auto row : side.rows) {
      ordered_json given{{"side", letter}};
      if (row.contains("given")) given.update(row.at("given"));
      row["given"] = std::move(given);
      both.rows.push_back(std::move(row));
    }
  };
  add(one, "A");
  add(other, "B");
  return both;
}

/// The name of the first numbers that rows are given, along which they are drawn; "processors" without such.
std::string x_axis_of(sweep_report const& of) {
  auto const is_number = [](ordered_json const& value) {
    auto const text = value.get<std::string>();
    return !text.empty() && text.find_first_not_of("0123456789.-") == std::string::npos;
  };
  for (auto const& row : of.rows)
    for (auto const& [name, value] : row.at("given").items())
      if (is_number(value)) return name;
  return "processors";
}

/// Draws the times of two sweeps where all have them in one unit, and else their steps.
drawing picture_of_sweeps(compare_command const& asked, compared_runs const& one,
                          compared_runs const& other) {
  auto const both = rows_of_both(asked, one, other);
  std::set<std::string> units;
  for (auto const& row : both.rows)
    if (has_counts(row)) units.insert(unit_in(row));
  bool const are_priced = units.size() == 1 && !units.begin()->empty();
  auto const x = x_axis_of(both);
  plot made{.x = x,
            .y = are_priced ? fmt::format("time ({})", *units.begin()) : "steps",
            .title = fmt::format("A: {}   B: {}", asked.one.name, asked.other.name),
            .caption = caption_of(asked)};
  for (auto& curve : curves_of(both, x, are_priced ? "time" : "steps"))
    made.series.push_back(std::move(curve.points));
  if (made.series.empty())
    throw usage_error(fmt::format("--plot: no run of {} and {} has counts to be drawn",
                                  asked.one.name, asked.other.name));
  return drawn(made);
}

void write_picture(output_file& file, drawing const& picture) {
  file.stream() << (file.path().extension() == ".pdf" ? as_pdf(picture) : as_svg(picture));
  file.complete();
}

}  // namespace

exit_status execute(compare_command const& asked, std::ostream& out) {
  std::optional<output_file> file;
  if (asked.plot) file.emplace(*asked.plot);
  auto const one = runs_of(asked.one);
  auto const other = runs_of(asked.other);
  if (one.is_sweep != other.is_sweep)
    throw usage_error(
        fmt::format("one of {} and {} is a sweep, and the other a run; name two of a "
                    "kind",
                    asked.one.name, asked.other.name));
  std::optional<drawing> picture;
  if (file)
    picture = one.is_sweep ? picture_of_sweeps(asked, one, other)
                           : picture_of_runs(asked, one.rows.front(), other.rows.front());
  out << fmt::format("A  {}\nB  {}\n\n", asked.one.name, asked.other.name);
  bool const are_equal = one.is_sweep ? print_sweeps(one, other, out)
                                      : print_runs(one.rows.front(), other.rows.front(), out);
  if (file) write_picture(*file, *picture);
  return asked.has_to_be_equal && !are_equal ? exit_status::wrong : exit_status::all_right;
}

}  // namespace lockstep::cli
