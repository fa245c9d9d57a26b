#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands.hpp"
#include "measured_run.hpp"
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

/// Sets two runs beside each other. Result: whether their counts are equal.
bool print_runs(ordered_json const& one, ordered_json const& other, std::ostream& out) {
  text_table table({{"figure", column_kind::text},
                    {"A", column_kind::number},
                    {"B", column_kind::number},
                    {"B/A", column_kind::number}});
  for (auto const& name : figures_of_both(one, other)) {
    auto const a = figure_in(one, name);
    auto const b = figure_in(other, name);
    if (a || b) table.add({name, cell_of(a), cell_of(b), ratio_of(a, b)});
  }
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

}  // namespace

exit_status execute(compare_command const& asked, std::ostream& out) {
  auto const one = runs_of(asked.one);
  auto const other = runs_of(asked.other);
  if (one.is_sweep != other.is_sweep)
    throw usage_error(
        fmt::format("one of {} and {} is a sweep, and the other a run; name two of a "
                    "kind",
                    asked.one.name, asked.other.name));
  out << fmt::format("A  {}\nB  {}\n\n", asked.one.name, asked.other.name);
  bool const are_equal = one.is_sweep ? print_sweeps(one, other, out)
                                      : print_runs(one.rows.front(), other.rows.front(), out);
  return asked.has_to_be_equal && !are_equal ? exit_status::wrong : exit_status::all_right;
}

}  // namespace lockstep::cli
