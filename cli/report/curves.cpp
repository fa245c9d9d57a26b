#include "curves.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report.hpp"

namespace lockstep::cli {

namespace {

using nlohmann::ordered_json;

/// Lists the values besides x, with the kind of a network in its place where x is its processors.
ordered_json given_besides(ordered_json const& row, std::string const& x) {
  auto given = row.at("given");
  if (x != "processors") {
    given.erase(x);
  } else if (given.contains("on")) {
    auto const network = given.at("on").get<std::string>();
    given["on"] = network.substr(0, network.find(':'));
  }
  return given;
}

/// Whether all curves have the same value of that name.
bool is_shared(std::string const& name, std::vector<sweep_curve> const& curves) {
  return std::ranges::all_of(curves, [&](sweep_curve const& one) {
    return one.given.contains(name) && one.given.at(name) == curves.front().given.at(name);
  });
}

/// Names a curve by what others do not share: words as they are, numbers after their names.
std::string name_of(ordered_json const& given, std::vector<sweep_curve> const& curves) {
  std::vector<std::string> parts;
  for (auto const& [name, value] : given.items()) {
    if (is_shared(name, curves)) continue;
    auto const text = value.get<std::string>();
    parts.push_back(is_number(text) ? fmt::format("{} {}", name, text) : text);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void add_point(std::vector<plot_point>& points, double x, std::optional<double> y) {
  if (y) points.push_back({x, *y});
}

std::optional<double> value_of(std::optional<row_limit> const& limit) {
  return limit ? std::optional(limit->value) : std::nullopt;
}

/// Sorts the points, and keeps the lowest of those at one x.
void sort_points(std::vector<plot_point>& points) {
  std::ranges::sort(points, {}, [](auto const& one) { return std::pair(one.x, one.y); });
  auto const twice = std::ranges::unique(points, {}, &plot_point::x);
  points.erase(twice.begin(), twice.end());
}

/// Whether there are runs with that value of a name on a network.
bool has_runs(std::vector<sweep_curve> const& curves, std::string const& name,
              ordered_json const& value, ordered_json const& network) {
  return std::ranges::any_of(curves, [&](sweep_curve const& one) {
    return one.given.value(name, ordered_json()) == value &&
           one.given.value("on", ordered_json()) == network;
  });
}

/// Whether two curves have as many processors at each x that both have.
bool have_as_many_processors(sweep_curve const& one, sweep_curve const& other) {
  return std::ranges::all_of(one.processors, [&](auto const& at) {
    auto const there = other.processors.find(at.first);
    return there == other.processors.end() || there->second == at.second;
  });
}

/// Whether two curves differ in one of the values that both have. One that is not a size, and the network, count as
/// one, of as many processors, if neither value has runs on the other's network.
bool differ_in_one(std::vector<sweep_curve> const& curves, sweep_curve const& one,
                   sweep_curve const& other) {
  std::vector<std::string> differing;
  for (auto const& [name, value] : one.given.items())
    if (other.given.contains(name) && other.given.at(name) != value) differing.push_back(name);
  if (differing.size() != 2) return differing.size() == 1;
  auto const network = std::ranges::find(differing, "on");
  if (network == differing.end() || !have_as_many_processors(one, other)) return false;
  auto const& name = network == differing.begin() ? differing.back() : differing.front();
  if (is_number(one.given.at(name).get<std::string>())) return false;
  return !has_runs(curves, name, one.given.at(name), other.given.at("on")) &&
         !has_runs(curves, name, other.given.at(name), one.given.at("on"));
}

/// Adds the changes of the order of two curves.
void add_crossings(std::vector<sweep_curve> const& curves, std::size_t one, std::size_t other,
                   std::vector<curve_crossing>& crossings) {
  std::map<double, double> others;
  for (auto const& point : curves[other].points.measured) others.emplace(point.x, point.y);
  double before = 0;  // the last difference that was not 0
  double after = 0;   // and where it was
  for (auto const& point : curves[one].points.measured) {
    auto const at = others.find(point.x);
    if (at == others.end() || at->second == point.y) continue;
    auto const difference = point.y - at->second;
    if (before != 0 && (before < 0) != (difference < 0))
      crossings.push_back(
          {difference < 0 ? one : other, difference < 0 ? other : one, after, point.x});
    before = difference;
    after = point.x;
  }
}

}  // namespace

std::vector<sweep_curve> curves_of(sweep_report const& of, std::string const& x,
                                   std::string const& figure) {
  std::vector<sweep_curve> curves;
  std::map<std::string, std::size_t> places;
  for (auto const& row : of.rows) {
    auto const value = figure_in(row, figure);
    auto const at = x == "processors"             ? figure_in(row, x)
                    : row.at("given").contains(x) ? std::optional(given_number_in(row, x))
                                                  : std::nullopt;
    if (!value || !at) continue;
    auto given = given_besides(row, x);
    auto const [place, is_new] = places.try_emplace(given.dump(), curves.size());
    if (is_new)
      curves.push_back({std::move(given), {.name = row.at("algorithm").get<std::string>()}});
    auto& curve = curves[place->second];
    curve.processors[*at] = row.at("processors").get<double>();
    auto& points = curve.points;
    add_point(points.measured, *at, value);
    add_point(points.claimed, *at, value_of(claim_in(row, figure)));
    add_point(points.bound, *at, value_of(bound_in(row, figure)));
  }
  for (auto& one : curves)
    for (auto* const points : {&one.points.measured, &one.points.claimed, &one.points.bound})
      sort_points(*points);
  if (curves.size() > 1)
    for (auto& one : curves) one.points.name = name_of(one.given, curves);
  return curves;
}

std::vector<curve_crossing> crossings_of(std::vector<sweep_curve> const& curves) {
  std::vector<curve_crossing> crossings;
  for (std::size_t one = 0; one < curves.size(); ++one)
    for (std::size_t other = one + 1; other < curves.size(); ++other)
      if (differ_in_one(curves, curves[one], curves[other]))
        add_crossings(curves, one, other, crossings);
  return crossings;
}

std::string crossings_as_text(std::vector<curve_crossing> const& crossings,
                              std::vector<sweep_curve> const& curves, std::string const& x,
                              std::string const& figure, bool has_options) {
  std::string text;
  auto const axis = x == "processors" || !has_options ? x : "--" + x;
  for (auto const& one : crossings)
    text += fmt::format("{} {} than {} from {} {} on (changes between {} and {})\n",
                        curves[one.cheaper].points.name,
                        figure == "time" ? "is cheaper" : fmt::format("has fewer {}", figure),
                        curves[one.other].points.name, axis, exact_text(one.from),
                        exact_text(one.after), exact_text(one.from));
  return text;
}

ordered_json crossings_as_json(std::vector<curve_crossing> const& crossings,
                               std::vector<sweep_curve> const& curves, std::string const& x,
                               std::string const& figure) {
  auto json = ordered_json::array();
  for (auto const& one : crossings)
    json.push_back({{"figure", figure},
                    {"x", x},
                    {"cheaper", curves[one.cheaper].given},
                    {"than", curves[one.other].given},
                    {"from", as_json(parameter_value(one.from))},
                    {"after", as_json(parameter_value(one.after))}});
  return json;
}

}  // namespace lockstep::cli
