#include "plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "text_table.hpp"

namespace lockstep::cli {

namespace {

constexpr double text_size = 11;
constexpr double small_size = 8;
constexpr double margin = 14;
constexpr double curves_width = 470;
constexpr double least_curves_height = 320;
constexpr double legend_line = 17;
constexpr double legend_sample = 28;
constexpr double caption_line = 11;
constexpr double logarithmic_from = 20;  ///< times the smallest number
constexpr std::size_t most_rings = 3;    ///< of marks around others
constexpr double wider_font = 1.18;      ///< than Helvetica, where that is not installed
constexpr std::string_view grey = "#707070";
constexpr std::string_view bound_colour = "#202020";  ///< of a bound that all curves have
constexpr std::string_view colours_of_bounds = "in their curves' colours";

/// Colours for the colour-blind, too (Okabe and Ito).
constexpr std::array<std::string_view, 7> curve_colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                        "#56b4e9", "#e69f00", "#000000"};

/// Mixes a colour with white.
std::string lighter(std::string_view colour) {
  std::string mixed = "#";
  for (std::size_t at = 1; at < 7; at += 2) {
    auto const part = std::stoi(std::string(colour.substr(at, 2)), nullptr, 16);
    mixed += fmt::format("{:02x}", (part + 255) / 2);
  }
  return mixed;
}

std::string number_text(double value) {
  auto const size = std::abs(value);
  if (size != 0 && (size >= 1e6 || size < 1e-3)) {
    auto const exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    return fmt::format("{:.4g}e{}", value / std::pow(10, exponent), exponent);
  }
  if (value >= 0 && std::trunc(value) == value) return grouped(static_cast<std::uint64_t>(value));
  return fmt::format("{:.6g}", value);
}

/// Writes a number with a binary prefix where that is shorter: 128Ki.
std::string binary_text(double value) {
  constexpr std::array<std::string_view, 4> prefixes{"", "Ki", "Mi", "Gi"};
  std::size_t prefix = 0;
  for (; prefix + 1 < prefixes.size() && value >= 1024 && std::fmod(value, 1024) == 0; ++prefix)
    value /= 1024;
  return number_text(value) + std::string(prefixes.at(prefix));
}

/// The numbers along an axis, and where they stand on it.
class scale {
 public:
  scale(std::vector<double> numbers, std::optional<bool> is_logarithmic, bool begins_at_0) {
    std::ranges::sort(numbers);
    auto const positive =
        std::ranges::find_if(numbers, [](double one) { return one > 0; }) - numbers.begin();
    bool const by_range = !numbers.empty() && numbers.front() > 0 &&
                          numbers.back() > logarithmic_from * numbers.front();
    m_is_logarithmic =
        is_logarithmic.value_or(by_range) && positive < static_cast<std::ptrdiff_t>(numbers.size());
    if (m_is_logarithmic) numbers.erase(numbers.begin(), numbers.begin() + positive);
    if (!numbers.empty()) {
      m_least = numbers.front();
      m_most = numbers.back();
    }
    widen(begins_at_0);
    auto const twice = std::ranges::unique(numbers);
    numbers.erase(twice.begin(), twice.end());
    m_numbers = std::move(numbers);
  }

  [[nodiscard]] bool has_place(double number) const { return !m_is_logarithmic || number > 0; }
  /// From 0 to 1 along the axis.
  [[nodiscard]] double place(double number) const {
    return (bent(number) - bent(m_least)) / (bent(m_most) - bent(m_least));
  }
  /// The numbers that it is given, where they are no more than that.
  [[nodiscard]] std::vector<double> own_numbers(std::size_t most) const {
    return m_numbers.size() <= most ? m_numbers : std::vector<double>();
  }
  [[nodiscard]] std::vector<double> round_numbers() const {
    return m_is_logarithmic ? powers() : steps();
  }

 private:
  [[nodiscard]] double bent(double number) const {
    return m_is_logarithmic ? std::log10(number) : number;
  }

  /// Leaves room at both ends; a linear one may begin at 0.
  void widen(bool begins_at_0) {
    if (m_is_logarithmic) {
      auto const room = std::max(0.04 * std::log10(m_most / m_least), 0.05);
      m_least /= std::pow(10, room);
      m_most *= std::pow(10, room);
      return;
    }
    if (begins_at_0) m_least = std::min(m_least, 0.0);
    if (m_most == m_least) m_most += std::max(1.0, 1e-6 * std::abs(m_least));
    auto const room = 0.04 * (m_most - m_least);
    m_most += room;
    if (!begins_at_0 || m_least < 0) m_least -= room;
  }

  /// 1, 2, 5, 10, ... over few decades, else powers of ten, at most about eight.
  [[nodiscard]] std::vector<double> powers() const {
    auto const first = static_cast<int>(std::floor(std::log10(m_least)));
    auto const last = static_cast<int>(std::ceil(std::log10(m_most)));
    bool const are_few = std::log10(m_most / m_least) < 3;
    std::vector<double> numbers;
    for (int power = first; power <= last; power += are_few ? 1 : 1 + (last - first) / 9)
      for (double const factor : {1.0, 2.0, 5.0}) {
        auto const number = factor * std::pow(10, power);
        if ((factor > 1 && !are_few) || number < m_least || number > m_most) continue;
        numbers.push_back(number);
      }
    return numbers;
  }

  /// About six round numbers at equal distances.
  [[nodiscard]] std::vector<double> steps() const {
    auto const rough = (m_most - m_least) / 6;
    auto const power = std::pow(10, std::floor(std::log10(rough)));
    auto const factor = rough / power;
    auto const step = power * (factor <= 1.5 ? 1 : factor <= 3 ? 2 : factor <= 7 ? 5 : 10);
    std::vector<double> numbers;
    for (auto at = std::ceil(m_least / step); at * step <= m_most; ++at)
      numbers.push_back(at * step);
    return numbers;
  }

  bool m_is_logarithmic = false;
  double m_least = 0;
  double m_most = 1;
  std::vector<double> m_numbers;
};

template <double plot_point::*Coordinate>
std::vector<double> numbers_of(plot const& of) {
  std::vector<double> numbers;
  for (auto const& series : of.series)
    for (auto const* const points : {&series.measured, &series.claimed, &series.bound})
      for (auto const& point : *points) numbers.push_back(point.*Coordinate);
  return numbers;
}

std::optional<bool> chosen_scale(plot_scales scales, plot_scales of_axis) {
  if (scales == plot_scales::by_range) return std::nullopt;
  return scales == of_axis || scales == plot_scales::log_xy;
}

/// A point of a curve, or of the straight line between two of them.
struct curve_point {
  page_point at;
  bool is_own = true;
};

/// The curves that are drawn so far.
class curves_so_far {
 public:
  /// `places`: the points of all curves, those that are to come included.
  explicit curves_so_far(std::vector<std::vector<page_point>> const& places) {
    for (auto const& points : places)
      for (auto const& one : points) m_across.push_back(one.x);
    std::ranges::sort(m_across);
    auto const twice = std::ranges::unique(m_across);
    m_across.erase(twice.begin(), twice.end());
  }

  /// Divides a curve wherever any of them has a point, so that those that lie on each other have the same pieces.
  [[nodiscard]] std::vector<curve_point> divided(std::vector<page_point> const& points) const {
    std::vector<curve_point> all;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i > 0) {
        auto const& from = points[i - 1];
        auto const slope = (points[i].y - from.y) / (points[i].x - from.x);
        for (auto x = std::ranges::upper_bound(m_across, from.x);
             x != m_across.end() && *x < points[i].x; ++x)
          all.push_back({{*x, from.y + slope * (*x - from.x)}, false});
      }
      all.push_back({points[i]});
    }
    return all;
  }
  void add(std::vector<curve_point> const& points) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      auto const& at = points[i].at;
      if (points[i].is_own) m_points[at.x].push_back(at.y);
      if (i == 0) continue;
      auto const& from = points[i - 1].at;
      m_pieces[{from.x, at.x}].emplace_back(from.y, at.y);
    }
  }
  /// Counts those with a point there.
  [[nodiscard]] std::size_t at(page_point point) const {
    auto const found = m_points.find(point.x);
    if (found == m_points.end()) return 0;
    return static_cast<std::size_t>(
        std::ranges::count_if(found->second, [&](double y) { return is_seen_as(y, point.y); }));
  }
  /// Counts those that go straight from the one point to the other.
  [[nodiscard]] std::size_t along(page_point from, page_point to) const {
    auto const found = m_pieces.find({from.x, to.x});
    if (found == m_pieces.end()) return 0;
    return static_cast<std::size_t>(std::ranges::count_if(found->second, [&](auto const& piece) {
      return is_seen_as(piece.first, from.y) && is_seen_as(piece.second, to.y);
    }));
  }

 private:
  [[nodiscard]] static bool is_seen_as(double y, double other) { return std::abs(y - other) < 0.3; }

  std::vector<double> m_across;
  std::map<double, std::vector<double>> m_points;
  std::map<std::pair<double, double>, std::vector<std::pair<double, double>>> m_pieces;
};

/// Draws a plot piece by piece.
class plotter {
 public:
  explicit plotter(plot const& of)
      : m_plot(of),
        m_x(numbers_of<&plot_point::x>(of), chosen_scale(of.scales, plot_scales::log_x), false),
        m_y(numbers_of<&plot_point::y>(of), chosen_scale(of.scales, plot_scales::log_y), true) {
    double widest = 0;
    for (auto const one : m_y.round_numbers())
      widest = std::max(widest, text_width(number_text(one), text_size));
    m_left = margin + text_size + 12 + widest + 8;
    m_top = margin + (of.title.empty() ? 0 : text_size + 12);
    m_height = std::max(least_curves_height, legend_line * static_cast<double>(legend_lines()));
  }

  [[nodiscard]] drawing made() {
    m_drawing.width = m_left + curves_width + legend_width() + margin;
    auto const caption = caption_lines();
    auto const below = m_top + m_height + 52;
    m_drawing.height = below + caption_line * static_cast<double>(caption.size()) + margin - 6;
    m_drawing.title = m_plot.title.empty() ? m_plot.y + " over " + m_plot.x : m_plot.title;
    m_drawing.description = m_plot.caption;
    if (!m_plot.title.empty())
      write({m_left, margin + text_size}, m_plot.title, text_size + 1, text_anchor::start);
    draw_x_axis();
    draw_y_axis();
    frame();
    draw_curves();
    draw_legend();
    for (std::size_t i = 0; i < caption.size(); ++i)
      write({margin, below + caption_line * static_cast<double>(i + 1) - 6}, caption[i], small_size,
            text_anchor::start, grey);
    return std::move(m_drawing);
  }

 private:
  [[nodiscard]] page_point on_page(plot_point const& of) const {
    return {m_left + curves_width * m_x.place(of.x), m_top + m_height * (1 - m_y.place(of.y))};
  }

  void write(page_point at, std::string text, double size, text_anchor anchor,
             std::string_view colour = "#000000", bool is_upright = false) {
    m_drawing.shapes.emplace_back(
        drawn_text{at, std::move(text), size, anchor, is_upright, std::string(colour)});
  }
  void line(std::vector<page_point> points, std::string_view colour, double width,
            std::vector<double> dashes = {}, std::string name = {}) {
    m_drawing.shapes.emplace_back(drawn_path{std::move(points), std::string(colour), width,
                                             std::move(dashes), std::move(name)});
  }

  void frame() {
    auto const right = m_left + curves_width;
    auto const bottom = m_top + m_height;
    line({{m_left, m_top}, {right, m_top}, {right, bottom}, {m_left, bottom}, {m_left, m_top}},
         "#000000", 0.8);
  }

  [[nodiscard]] std::string x_text(double number) const {
    return m_plot.has_binary_prefixes ? binary_text(number) : number_text(number);
  }

  /// Chooses numbers that have room for their texts beside each other.
  [[nodiscard]] std::vector<double> x_numbers() const {
    auto numbers = m_x.own_numbers(m_plot.has_binary_prefixes ? 100 : 12);
    if (numbers.empty()) numbers = m_x.round_numbers();
    std::vector<double> with_room;
    double free_from = m_left - margin;
    for (auto const one : numbers) {
      auto const half = text_width(x_text(one), text_size) / 2;
      auto const at = m_left + curves_width * m_x.place(one);
      if (at - half < free_from) continue;
      with_room.push_back(one);
      free_from = at + half + 7;
    }
    return with_room;
  }

  void draw_x_axis() {
    auto const bottom = m_top + m_height;
    for (auto const one : x_numbers()) {
      auto const at = m_left + curves_width * m_x.place(one);
      line({{at, m_top}, {at, bottom}}, "#e4e4e4", 0.6);
      line({{at, bottom}, {at, bottom + 4}}, "#000000", 0.8);
      write({at, bottom + 17}, x_text(one), text_size, text_anchor::middle);
    }
    write({m_left + curves_width / 2, bottom + 36}, m_plot.x, text_size, text_anchor::middle);
  }

  void draw_y_axis() {
    for (auto const one : m_y.round_numbers()) {
      auto const at = m_top + m_height * (1 - m_y.place(one));
      line({{m_left, at}, {m_left + curves_width, at}}, "#e4e4e4", 0.6);
      line({{m_left - 4, at}, {m_left, at}}, "#000000", 0.8);
      write({m_left - 7, at + 4}, number_text(one), text_size, text_anchor::end);
    }
    write({margin + text_size, m_top + m_height / 2}, m_plot.y, text_size, text_anchor::middle,
          "#000000", true);
  }

  [[nodiscard]] std::vector<page_point> places(std::vector<plot_point> const& points) const {
    std::vector<page_point> on_it;
    for (auto const& one : points)
      if (m_x.has_place(one.x) && m_y.has_place(one.y)) on_it.push_back(on_page(one));
    return on_it;
  }

  /// A mark of six kinds, around as many others as are at its place, up to some.
  void mark(page_point at, std::size_t series, std::size_t others = 0) {
    constexpr std::array<int, 6> corners{16, 4, 3, 4, 3, 5};
    constexpr std::array<double, 6> turns{0, 0.125, 0.25, 0, 0.75, 0.25};
    auto const kind = series % corners.size();
    auto const rings = static_cast<double>(std::min(others, most_rings));
    auto const radius = (kind == 0 ? 3.2 : 4.2) + 3 * rings;
    std::vector<page_point> points;
    for (int i = 0; i < corners.at(kind); ++i) {
      auto const angle =
          2 * std::numbers::pi * (turns.at(kind) + static_cast<double>(i) / corners.at(kind));
      points.push_back({at.x + radius * std::cos(angle), at.y - radius * std::sin(angle)});
    }
    if (others > 0) points.push_back(points.front());
    line(std::move(points), colour_of(series), others > 0 ? 1.3 : 0);
  }

  [[nodiscard]] static std::string_view colour_of(std::size_t series) {
    return curve_colours.at(series % curve_colours.size());
  }

  /// Draws claims below measured curves below bounds.
  void draw_curves() {
    auto const& all = m_plot.series;
    std::vector<std::vector<page_point>> claimed;
    std::vector<std::vector<page_point>> measured;
    for (auto const& one : all) {
      claimed.push_back(at_least_a_dash(places(one.claimed)));
      measured.push_back(places(one.measured));
    }
    curves_so_far claims(claimed);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!all[i].claimed.empty()) {
        auto const points = claims.divided(claimed[i]);
        curve(points, lighter(colour_of(i)), 4, "claimed: " + all[i].name, [&](auto from, auto to) {
          return with_gaps({8, 5}, claims.along(from, to));
        });
        claims.add(points);
      }
    curves_so_far runs(measured);
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto const points = runs.divided(measured[i]);
      curve(points, colour_of(i), 1.3, all[i].name,
            [&](auto from, auto to) { return dashes_among(i, runs.along(from, to)); });
      if (!all[i].is_computed)
        for (auto const& one : measured[i]) mark(one, i, runs.at(one));
      runs.add(points);
    }
    draw_bounds();
    for (auto const& one : m_plot.marks)
      if (m_x.has_place(one.at.x) && m_y.has_place(one.at.y)) ring(on_page(one.at), one.text);
  }

  /// Draws bounds as dots in the colours of their curves, which take turns where bounds lie on each other; one
  /// that all curves have once, in a colour of its own.
  void draw_bounds() {
    auto const& all = m_plot.series;
    std::vector<std::vector<page_point>> places_of_each;
    for (auto const& one : all) places_of_each.push_back(at_least_a_dash(places(one.bound)));
    if (has_one_bound()) {
      line(places_of_each.front(), bound_colour, 3, dots(0, 1), "lower bound: " + all.front().name);
      return;
    }
    curves_so_far every(places_of_each);
    for (auto const& one : places_of_each) every.add(every.divided(one));
    curves_so_far earlier(places_of_each);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].bound.empty()) continue;
      auto const points = earlier.divided(places_of_each[i]);
      curve(points, colour_of(i), 3, "lower bound: " + all[i].name, [&](auto from, auto to) {
        return dots(earlier.along(from, to), every.along(from, to));
      });
      earlier.add(points);
    }
  }

  /// The dots of one of several bounds on each other.
  [[nodiscard]] static std::vector<double> dots(std::size_t which, std::size_t of) {
    constexpr double dot = 1.5;
    constexpr double room = 6.5;
    auto const before = room * static_cast<double>(which);
    auto const behind = room * static_cast<double>(of) - before - dot;
    return which == 0 ? std::vector{dot, behind} : std::vector{0.0, before, dot, behind};
  }

  /// The first series that has the same points as that one: itself, where no earlier one has.
  [[nodiscard]] std::size_t first_with(std::vector<plot_point> plot_series::*points,
                                       std::size_t series) const {
    auto const& all = m_plot.series;
    return static_cast<std::size_t>(std::ranges::find(all, all[series].*points, points) -
                                    all.begin());
  }

  /// Draws a curve with the dashes that it has from each of its points to the next.
  template <class Dashes>
  void curve(std::vector<curve_point> const& points, std::string_view colour, double width,
             std::string const& name, Dashes const& dashes_between) {
    if (points.empty()) return line({}, colour, width, {}, name);
    if (points.size() == 1) return line({points[0].at}, colour, width, {}, name);
    for (std::size_t first = 0; first + 1 < points.size();) {
      auto const dashes = dashes_between(points[first].at, points[first + 1].at);
      auto last = first + 1;
      while (last + 1 < points.size() &&
             dashes_between(points[last].at, points[last + 1].at) == dashes)
        ++last;
      std::vector<page_point> piece;
      for (auto i = first; i <= last; ++i)
        if (points[i].is_own || i == first || i == last) piece.push_back(points[i].at);
      line(std::move(piece), colour, width, dashes, name);
      first = last;
    }
  }

  /// Widens the gaps of a curve so that those of as many others below it are seen. The line is divided into rooms
  /// for a dash. The first curves leave out each other dash of the one below; those that follow have one of 64
  /// rooms, of the odd ones, where otherwise the lowest curve is seen.
  [[nodiscard]] static std::vector<double> with_gaps(std::vector<double> const& dashes,
                                                     std::size_t others) {
    if (others == 0) return dashes;
    constexpr std::size_t halved = 6;
    auto const dash = dashes.empty() ? 7 : dashes[0];
    auto const room = dashes.empty() ? dash : dashes[0] + dashes[1];
    if (others <= halved)
      return {dash, room * static_cast<double>(std::size_t{1} << others) - dash};
    auto const before = room * static_cast<double>(2 * ((others - halved - 1) % 31) + 1);
    return {0, before, dash, room * 64 - before - dash};
  }

  /// Makes a dash of a single place, which has no line.
  [[nodiscard]] static std::vector<page_point> at_least_a_dash(std::vector<page_point> points) {
    constexpr double half = 9;
    if (points.size() == 1)
      points = {{points[0].x - half, points[0].y}, {points[0].x + half, points[0].y}};
    return points;
  }

  /// The dashes of a series: others for those that have the colour of an earlier one.
  [[nodiscard]] std::vector<double> dashes_of(std::size_t series) const {
    static std::array<std::vector<double>, 4> const measured{{{}, {9, 4}, {3, 3}, {16, 3, 3, 3}}};
    static std::array<std::vector<double>, 4> const computed{
        {{6, 4}, {2, 2.5}, {14, 4}, {10, 3, 2, 3}}};
    auto const turn = series / curve_colours.size() % measured.size();
    return m_plot.series[series].is_computed ? computed.at(turn) : measured.at(turn);
  }

  /// The dashes of a series where it lies on others: gaps that go with each other, whatever the colours.
  [[nodiscard]] std::vector<double> dashes_among(std::size_t series, std::size_t others) const {
    if (others == 0) return dashes_of(series);
    return with_gaps(
        m_plot.series[series].is_computed ? std::vector<double>{6, 4} : std::vector<double>{},
        others);
  }

  void ring(page_point at, std::string const& text) {
    constexpr int corners = 24;
    std::vector<page_point> points;
    for (int i = 0; i <= corners; ++i) {
      auto const angle = 2 * std::numbers::pi * i / corners;
      points.push_back({at.x + 6 * std::cos(angle), at.y - 6 * std::sin(angle)});
    }
    line(std::move(points), "#000000", 1);
    // To the left where the right has no room for it.
    bool const has_room =
        at.x + 9 + wider_font * text_width(text, text_size) < m_left + curves_width;
    write({has_room ? at.x + 9 : at.x - 9, at.y + 15}, text, text_size,
          has_room ? text_anchor::start : text_anchor::end);
  }

  [[nodiscard]] bool has_claims() const {
    return std::ranges::any_of(m_plot.series, [](auto const& one) { return !one.claimed.empty(); });
  }
  [[nodiscard]] bool has_bounds() const {
    return std::ranges::any_of(m_plot.series, [](auto const& one) { return !one.bound.empty(); });
  }
  /// Whether all series have the same bound.
  [[nodiscard]] bool has_one_bound() const {
    return has_bounds() && std::ranges::all_of(m_plot.series, [&](auto const& one) {
             return one.bound == m_plot.series.front().bound;
           });
  }
  [[nodiscard]] bool has_coloured_bounds() const { return has_bounds() && !has_one_bound(); }
  /// Says which earlier series a series has all points of, if it does.
  [[nodiscard]] std::string sameness_of(std::size_t series) const {
    auto const first = first_with(&plot_series::measured, series);
    if (first == series || m_plot.series[series].measured.empty()) return {};
    return "the same as " + m_plot.series[first].name;
  }
  [[nodiscard]] std::size_t legend_lines() const {
    auto lines = m_plot.series.size() + (has_claims() ? 1U : 0U) + (has_bounds() ? 1U : 0U) +
                 (has_coloured_bounds() ? 1U : 0U);
    for (std::size_t i = 0; i < m_plot.series.size(); ++i)
      lines += sameness_of(i).empty() ? 0U : 1U;
    return lines;
  }
  [[nodiscard]] double legend_width() const {
    auto widest = text_width("lower bound", text_size);
    if (has_coloured_bounds())
      widest = std::max(widest, text_width(colours_of_bounds, small_size + 1));
    for (std::size_t i = 0; i < m_plot.series.size(); ++i)
      widest = std::max({widest, text_width(m_plot.series[i].name, text_size),
                         text_width(sameness_of(i), small_size + 1)});
    return 14 + legend_sample + 8 + wider_font * widest;
  }

  void draw_legend() {
    page_point at{m_left + curves_width + 14, m_top + 8};
    auto const entry = [&](std::string const& name, std::string_view colour, double width,
                           std::vector<double> dashes) {
      line({at, {at.x + legend_sample, at.y}}, colour, width, std::move(dashes));
      write({at.x + legend_sample + 8, at.y + 4}, name, text_size, text_anchor::start);
      at.y += legend_line;
    };
    auto const remark = [&](std::string text) {
      write({at.x + legend_sample + 8, at.y}, std::move(text), small_size + 1, text_anchor::start,
            grey);
      at.y += legend_line;
    };
    for (std::size_t i = 0; i < m_plot.series.size(); ++i) {
      auto const& one = m_plot.series[i];
      if (!one.is_computed) mark({at.x + legend_sample / 2, at.y}, i);
      entry(one.name, colour_of(i), 1.3, dashes_of(i));
      if (auto same = sameness_of(i); !same.empty()) remark(std::move(same));
    }
    if (has_claims()) entry("claimed", lighter(grey), 4, {8, 5});
    if (has_bounds()) entry("lower bound", has_one_bound() ? bound_colour : grey, 3, dots(0, 1));
    if (has_coloured_bounds()) remark(std::string(colours_of_bounds));
  }

  /// The caption in lines that fit below the curves and the legend.
  [[nodiscard]] std::vector<std::string> caption_lines() const {
    if (m_plot.caption.empty()) return {};
    auto const room = m_left + curves_width + legend_width() - margin;
    std::vector<std::string> lines{""};
    for (auto const& word : wrapped(m_plot.caption, 1)) {
      auto const longer = lines.back().empty() ? word : lines.back() + ' ' + word;
      if (wider_font * text_width(longer, small_size) <= room)
        lines.back() = longer;
      else
        lines.push_back(word);
    }
    return lines;
  }

  plot const& m_plot;
  scale m_x;
  scale m_y;
  double m_left = 0;
  double m_top = 0;
  double m_height = 0;
  drawing m_drawing;
};

}  // namespace

drawing drawn(plot const& of) { return plotter(of).made(); }

}  // namespace lockstep::cli
