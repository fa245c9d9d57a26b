#include "isoefficiency.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text_table.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

/// The runs on a number of processors that differ in their size alone: efficiencies by size.
struct sized_runs {
  ordered_json given;
  double processors = 0;
  std::map<double, double> efficiencies{};
};

/// Lists the values without the size, with the kind of a network in its place.
ordered_json given_without(ordered_json const& row, std::string const& size) {
  auto given = row.at("given");
  given.erase(size);
  if (!given.contains("on")) return given;
  auto const network = given.at("on").get<std::string>();
  given["on"] = network.substr(0, network.find(':'));
  return given;
}

/// Collects the runs that have an efficiency, by the other values and the processors.
std::vector<sized_runs> runs_by_processors(sweep_report const& of, std::string const& size) {
  std::map<std::pair<std::string, double>, sized_runs> found;
  for (auto const& row : of.rows) {
    auto const efficiency = figure_in(row, "efficiency");
    auto const processors = figure_in(row, "processors");
    if (!efficiency || !processors || given_in(row, size).empty()) continue;
    auto given = given_without(row, size);
    auto& runs = found.try_emplace({given.dump(), *processors}, sized_runs{given, *processors})
                     .first->second;
    auto const [place, is_new] =
        runs.efficiencies.try_emplace(given_number_in(row, size), *efficiency);
    if (!is_new) place->second = std::max(place->second, *efficiency);
  }
  std::vector<sized_runs> all;
  for (auto& [key, runs] : found) all.push_back(std::move(runs));
  return all;
}

/// "ring, seed 2", or nothing where nothing else varies.
std::string others_of(ordered_json const& given) {
  std::vector<std::string> parts;
  for (auto const& [name, value] : given.items()) {
    auto const text = value.get<std::string>();
    bool const is_word = name == "on" || name == "algorithm" || name == "scheme";
    parts.push_back(is_word ? text : fmt::format("{} {}", name, text));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::vector<isoefficient_size> isoefficient_sizes(sweep_report const& of, std::string const& size,
                                                  double efficiency) {
  std::vector<isoefficient_size> sizes;
  for (auto const& runs : runs_by_processors(of, size)) {
    isoefficient_size found{.given = runs.given, .processors = runs.processors};
    for (auto const& [value, reached] : runs.efficiencies)
      found.efficiency = std::max(found.efficiency, reached);
    for (auto at = runs.efficiencies.rbegin();
         at != runs.efficiencies.rend() && at->second >= efficiency; ++at) {
      found.size = at->first;
      found.efficiency = at->second;
    }
    sizes.push_back(std::move(found));
  }
  return sizes;
}

std::vector<sweep_curve> curves_of(std::vector<isoefficient_size> const& sizes) {
  std::vector<sweep_curve> curves;
  for (auto const& one : sizes) {
    if (!one.size) continue;
    if (curves.empty() || curves.back().given != one.given)
      curves.push_back({one.given, {.name = others_of(one.given)}});
    curves.back().points.measured.push_back({one.processors, *one.size});
  }
  return curves;
}

std::string isoefficiency_as_text(std::vector<isoefficient_size> const& sizes,
                                  std::string const& size, double efficiency) {
  bool const has_others =
      std::ranges::any_of(sizes, [](auto const& one) { return !others_of(one.given).empty(); });
  std::vector<text_table::column> columns;
  if (has_others) columns.push_back({"runs", column_kind::text});
  for (auto const& title : {std::string("processors"), "least " + size, std::string("efficiency")})
    columns.push_back({title, column_kind::number});
  text_table table(std::move(columns));
  for (auto const& one : sizes) {
    std::vector<std::string> cells;
    if (has_others) cells.push_back(others_of(one.given));
    cells.push_back(exact_text(one.processors));
    cells.push_back(one.size ? exact_text(*one.size) : "not reached");
    cells.push_back(fmt::format("{:.4g}", one.efficiency));
    table.add(std::move(cells));
  }
  return fmt::format("isoefficiency, at least {:g}\n\n{}", efficiency, table.str());
}

ordered_json isoefficiency_as_json(std::vector<isoefficient_size> const& sizes,
                                   std::string const& size) {
  auto list = ordered_json::array();
  for (auto const& one : sizes) {
    auto object = one.given;
    object["processors"] = one.processors;
    object[size] = one.size ? ordered_json(*one.size) : ordered_json(nullptr);
    object["efficiency"] = one.efficiency;
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace lockstep::cli
