#include "plot_style.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lockstep::cli {

namespace {

constexpr std::size_t kinds_of_dashes = 4;

/// Colours for the colour-blind, too (Okabe and Ito).
constexpr std::array<std::string_view, 7> curve_colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                        "#56b4e9", "#e69f00", "#000000"};

/// How often the colours have been taken by earlier series, up to the number of kinds of dashes.
std::size_t turn_of(std::size_t series) { return series / curve_colours.size() % kinds_of_dashes; }

bool is_on(plot_axis const& axis, double number) {
  constexpr double close = 1e-9;
  return axis.has_place(number) && axis.place(number) >= -close && axis.place(number) <= 1 + close;
}

/// Widens the gaps of a curve so that those of as many others below it are seen. The line is divided into rooms
/// for a dash. The first curves leave out each other dash of the one below; those that follow have one of 64
/// rooms, of the odd ones, where otherwise the lowest curve is seen.
std::vector<double> with_gaps(std::vector<double> const& dashes, std::size_t others) {
  if (others == 0) return dashes;
  constexpr std::size_t halved = 6;
  auto const dash = dashes.empty() ? 7 : dashes[0];
  auto const room = dashes.empty() ? dash : dashes[0] + dashes[1];
  if (others <= halved) return {dash, room * static_cast<double>(std::size_t{1} << others) - dash};
  auto const before = room * static_cast<double>(2 * ((others - halved - 1) % 31) + 1);
  return {0, before, dash, room * 64 - before - dash};
}

}  // namespace

std::string lighter(std::string_view colour) {
  std::string mixed = "#";
  for (std::size_t at = 1; at < 7; at += 2) {
    auto const part = std::stoi(std::string(colour.substr(at, 2)), nullptr, 16);
    mixed += fmt::format("{:02x}", (part + 255) / 2);
  }
  return mixed;
}

std::string_view plot_style::colour_of(std::size_t series) {
  return curve_colours.at(series % curve_colours.size());
}

std::vector<double> plot_style::dashes_of(std::size_t series) const {
  static std::array<std::vector<double>, kinds_of_dashes> const measured{
      {{}, {9, 4}, {3, 3}, {16, 3, 3, 3}}};
  static std::array<std::vector<double>, kinds_of_dashes> const computed{
      {{6, 4}, {2, 2.5}, {14, 4}, {10, 3, 2, 3}}};
  auto const turn = turn_of(series);
  return m_plot.series[series].is_computed ? computed.at(turn) : measured.at(turn);
}

std::vector<double> plot_style::dashes_among(std::size_t series, std::size_t others) const {
  if (others == 0) return dashes_of(series);
  return with_gaps(
      m_plot.series[series].is_computed ? std::vector<double>{6, 4} : std::vector<double>{},
      others);
}

std::vector<double> plot_style::dashes_of_claim(std::size_t series, std::size_t others) {
  static std::array<std::vector<double>, kinds_of_dashes> const kinds{
      {{8, 5}, {3, 3}, {16, 5}, {8, 3, 2, 3}}};
  return others == 0 ? kinds.at(turn_of(series)) : with_gaps(kinds.front(), others);
}

std::vector<double> plot_style::dots(std::size_t series, std::size_t which, std::size_t of) const {
  static std::array<std::vector<double>, kinds_of_dashes> const kinds{
      {{1.5}, {4}, {1.5, 1.5, 1.5}, {4, 1.5, 1.5}}};
  bool const are_of_one_kind = m_plot.series.size() <= curve_colours.size() || has_one_bound();
  double const room = are_of_one_kind ? 6.5 : 10;
  auto const& dot = kinds.at(turn_of(series));
  auto const before = room * static_cast<double>(which);
  auto pattern = which == 0 ? std::vector<double>{} : std::vector{0.0, before};
  pattern.insert(pattern.end(), dot.begin(), dot.end());
  pattern.push_back(room * static_cast<double>(of) - before -
                    std::accumulate(dot.begin(), dot.end(), 0.0));
  return pattern;
}

bool plot_style::has_any(points_of_series points) const {
  return std::ranges::any_of(m_plot.series,
                             [&](auto const& one) { return !(one.*points).empty(); });
}

bool plot_style::has_one_bound() const {
  return has_any(&plot_series::bound) && std::ranges::all_of(m_plot.series, [&](auto const& one) {
           return one.bound == m_plot.series.front().bound;
         });
}

/// The first series that has the same points as that one: itself, where no earlier one has.
std::size_t plot_style::first_with(points_of_series points, std::size_t series) const {
  auto const& all = m_plot.series;
  return static_cast<std::size_t>(std::ranges::find(all, all[series].*points, points) -
                                  all.begin());
}

/// Says which earlier series a series has all points of, if it does.
std::string plot_style::sameness_of(std::size_t series) const {
  auto const first = first_with(&plot_series::measured, series);
  if (first == series || m_plot.series[series].measured.empty()) return {};
  return "the same as " + m_plot.series[first].name;
}

/// Whether some of the points lie on the axis of y.
bool plot_style::is_some_on(plot_axis const& y, points_of_series points) const {
  return std::ranges::any_of(m_plot.series, [&](auto const& one) {
    return std::ranges::any_of(one.*points, [&](auto const& point) { return is_on(y, point.y); });
  });
}

/// Says where numbers are that lie beyond the axis of y; empty where none does.
std::vector<std::string> plot_style::remarks_beyond(plot_axis const& y,
                                                    points_of_series points) const {
  std::vector<double> below;
  std::vector<double> above;
  for (auto const& one : m_plot.series)
    for (auto const& point : one.*points) {
      if (is_on(y, point.y)) continue;
      bool const is_above = y.has_place(point.y) && y.place(point.y) > 1;
      (is_above ? above : below).push_back(point.y);
    }
  std::vector<std::string> remarks;
  for (auto const& [numbers, where] : {std::pair(&below, "below"), std::pair(&above, "above")}) {
    if (numbers->empty()) continue;
    auto const [least, most] = std::ranges::minmax(*numbers);
    auto const some = is_some_on(y, points) ? "some " : "";
    remarks.push_back(least == most
                          ? fmt::format("{}at {}, {} the axis", some, rounded_text(least), where)
                          : fmt::format("{}at {} to {}, {} the axis", some, rounded_text(least),
                                        rounded_text(most), where));
  }
  return remarks;
}

/// Names the series that have claims or bounds and take one kind of dashes: "curves 1 to 7".
std::string plot_style::curves_with(points_of_series points, std::size_t turn) const {
  std::vector<std::string> ranges;
  bool has_points = false;
  auto const of_a_turn = curve_colours.size();
  for (auto first = turn * of_a_turn; first < m_plot.series.size();
       first += of_a_turn * kinds_of_dashes) {
    auto const last = std::min(first + of_a_turn, m_plot.series.size());
    for (auto i = first; i < last; ++i) has_points |= !(m_plot.series[i].*points).empty();
    ranges.push_back(last - first == 1 ? fmt::format("curve {}", last)
                                       : fmt::format("curves {} to {}", first + 1, last));
  }
  return has_points ? fmt::format("{}", fmt::join(ranges, ", ")) : std::string();
}

/// Makes entries of claims or bounds: one for each kind of dashes.
template <class Dashes>
std::vector<legend_entry> plot_style::one_for_each_turn(plot_axis const& y,
                                                        legend_entry const& entry,
                                                        points_of_series points,
                                                        Dashes const& dashes_of_series) const {
  std::vector<legend_entry> entries;
  // Without any on the axis there are no dashes to tell apart.
  if (has_any(points) && !is_some_on(y, points)) {
    entries.push_back(entry);
    entries.back().dashes = dashes_of_series(0);
    return entries;
  }
  bool const has_one_turn = m_plot.series.size() <= curve_colours.size();
  for (std::size_t turn = 0; turn < kinds_of_dashes; ++turn) {
    auto const curves = curves_with(points, turn);
    if (curves.empty()) continue;
    auto one = entry;
    if (!has_one_turn) one.name += ", " + curves;
    one.dashes = dashes_of_series(turn * curve_colours.size());
    entries.push_back(std::move(one));
  }
  return entries;
}

std::vector<legend_entry> plot_style::claims(plot_axis const& y) const {
  auto entries = one_for_each_turn(y, {.name = "claimed", .colour = lighter(plot_grey), .width = 4},
                                   &plot_series::claimed,
                                   [](std::size_t series) { return dashes_of_claim(series); });
  if (!entries.empty()) entries.back().remarks = remarks_beyond(y, &plot_series::claimed);
  return entries;
}

std::vector<legend_entry> plot_style::bounds(plot_axis const& y) const {
  auto const beyond = remarks_beyond(y, &plot_series::bound);
  if (has_one_bound())
    return {{.name = "lower bound",
             .colour = std::string(bound_colour),
             .width = 3,
             .dashes = dots(0, 0, 1),
             .remarks = beyond}};
  auto entries = one_for_each_turn(
      y, {.name = "lower bound", .colour = std::string(plot_grey), .width = 3}, &plot_series::bound,
      [&](std::size_t series) { return dots(series, 0, 1); });
  if (entries.empty()) return entries;
  if (is_some_on(y, &plot_series::bound))
    entries.front().remarks.emplace_back("in their curves' colours");
  auto& last = entries.back().remarks;
  last.insert(last.end(), beyond.begin(), beyond.end());
  return entries;
}

std::vector<legend_entry> plot_style::legend(plot_axis const& y) const {
  std::vector<legend_entry> entries;
  for (std::size_t i = 0; i < m_plot.series.size(); ++i) {
    auto const& one = m_plot.series[i];
    entries.push_back({one.name, std::string(colour_of(i)), 1.3, dashes_of(i)});
    if (!one.is_computed) entries.back().mark = i;
    if (auto same = sameness_of(i); !same.empty()) entries.back().remarks.push_back(same);
  }
  for (auto const& limits : {claims(y), bounds(y)})
    entries.insert(entries.end(), limits.begin(), limits.end());
  return entries;
}

}  // namespace lockstep::cli
