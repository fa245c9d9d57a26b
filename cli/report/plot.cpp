#include "plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lockstep/errors.hpp>

#include "curves_so_far.hpp"
#include "plot_axis.hpp"
#include "plot_style.hpp"
#include "text_table.hpp"

namespace lockstep::cli {

namespace {

constexpr double text_size = 11;
constexpr double small_size = 8;
constexpr double margin = 14;
constexpr double least_margin = 5;  ///< of a plot of a given size
constexpr double curves_width = 470;
constexpr double least_curves_height = 320;
constexpr double legend_line = 17;
constexpr double legend_line_below = 15;  ///< of a legend below the axes
constexpr double legend_gap = 14;         ///< between its columns
constexpr double axis_room = 42;          ///< for the numbers and the name of x
constexpr double legend_sample = 28;
constexpr double text_begins = legend_sample + 8;  ///< of an entry of the legend
constexpr double title_line = 15;
constexpr double caption_line = 11;
constexpr std::size_t most_rings = 3;  ///< of marks around others
constexpr double wider_font = 1.18;    ///< than Helvetica, where that is not installed
constexpr double given_text_size = 8;  ///< of a plot of a given size, in points
constexpr double points_of_an_inch = 72;
constexpr double height_by_width = 0.6;  ///< of the curves, where no height is given
constexpr double least_beside = 0.6;     ///< of the width, for curves beside the legend
constexpr double least_room = 75;        ///< for curves, each way
constexpr double far = 10;  ///< times from all runs: such claims and bounds widen no axis

std::vector<double> numbers_along_x(plot const& of) {
  std::vector<double> numbers;
  for (auto const& series : of.series)
    for (auto const* const points : {&series.measured, &series.claimed, &series.bound})
      for (auto const& point : *points) numbers.push_back(point.x);
  return numbers;
}

/// The numbers that the axis of y has: those of the runs, and of claims and bounds that are near some of them.
std::vector<double> numbers_along_y(plot const& of) {
  std::vector<double> numbers;
  for (auto const& series : of.series)
    for (auto const& point : series.measured) numbers.push_back(point.y);
  std::vector<double> positive;
  std::ranges::copy_if(numbers, std::back_inserter(positive), [](double one) { return one > 0; });
  auto const least = positive.empty() ? 0 : std::ranges::min(positive) / far;
  auto const most =
      positive.empty() ? std::numeric_limits<double>::max() : std::ranges::max(positive) * far;
  for (auto const& series : of.series)
    for (auto const* const points : {&series.claimed, &series.bound})
      for (auto const& point : *points)
        if (point.y >= least && point.y <= most) numbers.push_back(point.y);
  return numbers;
}

std::optional<bool> chosen_scale(plot_scales scales, plot_scales of_axis) {
  if (scales == plot_scales::by_range) return std::nullopt;
  return scales == of_axis || scales == plot_scales::log_xy;
}

/// Draws a plot piece by piece.
class plotter {
 public:
  explicit plotter(plot const& of)
      : m_plot(of),
        m_style(of),
        m_x(numbers_along_x(of), chosen_scale(of.scales, plot_scales::log_x), false),
        m_y(numbers_along_y(of), chosen_scale(of.scales, plot_scales::log_y), true),
        m_legend(m_style.legend(m_y)) {
    double widest = 0;
    for (auto const one : m_y.round_numbers())
      widest = std::max(widest, text_width(number_text(one), text_size));
    m_margin = of.size ? least_margin : margin;
    m_left = m_margin + text_size + (of.size ? 8 : 12) + widest + 8;
    m_top = m_margin + (of.title.empty() ? (of.size ? text_size / 2 : 0) : text_size + 12);
    if (of.size) {
      fit_into(*of.size);
      return;
    }
    m_height = std::max(least_curves_height, legend_line * static_cast<double>(legend_lines()));
    m_drawing.width = m_left + m_width + legend_width() + m_margin;
    m_drawing.height = m_top + m_height + 52 +
                       caption_line * static_cast<double>(caption_lines().size()) + m_margin - 6;
  }

  [[nodiscard]] drawing made() {
    auto const caption = caption_lines();
    auto const below = m_top + m_height + 52;
    m_drawing.title = m_plot.title.empty() ? m_plot.y + " over " + m_plot.x : m_plot.title;
    m_drawing.description = m_plot.caption;
    auto const title = title_lines();
    for (std::size_t i = 0; i < title.size(); ++i)
      write({m_left, m_margin + text_size + title_line * static_cast<double>(i)}, title[i],
            text_size + 1, text_anchor::start);
    draw_x_axis();
    draw_y_axis();
    frame();
    draw_curves();
    draw_legend();
    for (std::size_t i = 0; i < caption.size(); ++i)
      write({m_margin, below + caption_line * static_cast<double>(i + 1) - 6}, caption[i],
            small_size, text_anchor::start, plot_grey);
    if (m_plot.size) scale_to_points();
    return std::move(m_drawing);
  }

 private:
  // A plot of a given size is laid out with letters of the usual size, and scaled in the end.

  /// A length of the layout, for inches.
  [[nodiscard]] static double layout_length(double inches) {
    return inches * points_of_an_inch * text_size / given_text_size;
  }
  [[nodiscard]] static double inches(double layout_length) {
    return layout_length * given_text_size / text_size / points_of_an_inch;
  }

  /// Lays the curves and the legend out on a page of that size.
  /// Errors: invalid_argument where it leaves no room for either.
  void fit_into(plot_size const& size) {
    if (!(size.width > 0 && size.height >= 0))
      throw invalid_argument(
          fmt::format("{:g} x {:g} inches are not the size of a plot; take 3.4 x 2.5, for example",
                      size.width, size.height));
    m_drawing.width = layout_length(size.width);
    if (auto const title = title_lines(); title.size() > 1)
      m_top += title_line * static_cast<double>(title.size() - 1);
    auto const room = m_drawing.width - m_left - m_margin;
    auto const height_beside = legend_line * static_cast<double>(legend_lines());
    m_is_legend_below = room - legend_width() < least_beside * m_drawing.width ||
                        (size.height > 0 &&
                         m_top + height_beside + axis_room + m_margin > layout_length(size.height));
    check_widths(size);
    auto const last = m_x.round_numbers().empty()
                          ? 0
                          : text_width(x_text(m_x.round_numbers().back()), text_size) / 2;
    m_width = m_is_legend_below ? room - std::max(0.0, last - 0.03 * room) : room - legend_width();
    auto const below_the_axes =
        axis_room +
        (m_is_legend_below ? 6 + legend_line_below * static_cast<double>(cells_below().lines) : 0) +
        m_margin;
    auto const least = m_is_legend_below ? least_room : std::max(least_room, height_beside);
    m_height = size.height == 0 ? std::max(height_by_width * m_width, least)
                                : layout_length(size.height) - m_top - below_the_axes;
    if (m_height < least)
      throw invalid_argument(fmt::format(
          "{:g} x {:g} inches leave no room for curves and a legend of {}; take a height of {:.1f} "
          "inches or more, or fewer curves",
          size.width, size.height, counted(m_legend.size(), "line"),
          std::ceil(10 * inches(m_top + least + below_the_axes)) / 10));
    m_drawing.height = m_top + m_height + below_the_axes;
  }

  /// Errors: invalid_argument where the curves or a line of the legend are too wide.
  void check_widths(plot_size const& size) const {
    double widest = m_left + m_margin + least_room;
    std::string what = "the axes with their numbers";
    auto const add = [&](double width, std::string_view text, std::string_view where) {
      if (width <= widest) return;
      widest = width;
      what = fmt::format("'{}' in the {}", text, where);
    };
    for (auto const& word : wrapped(m_plot.title, 1))
      add(m_left + text_width(word, text_size + 1) + m_margin, word, "title");
    for (auto const& one : m_legend)
      for (auto const& word : wrapped(entry_text(one), 1))
        if (m_is_legend_below)
          add(text_begins + wider_font * text_width(word, text_size) + 2 * m_margin, word,
              "legend");
    if (widest <= m_drawing.width) return;
    throw invalid_argument(fmt::format(
        "{:g} x {:g} inches: {} is wider than {:g} inches; take a width of "
        "{:.1f} inches or more",
        size.width, size.height, what, size.width, std::ceil(10 * inches(widest)) / 10));
  }

  /// Scales the page so that letters have their given size.
  void scale_to_points() {
    constexpr double factor = given_text_size / text_size;
    m_drawing.width *= factor;
    m_drawing.height *= factor;
    m_drawing.unit = "pt";
    for (auto& shape : m_drawing.shapes) std::visit([](auto& one) { shrink(one, factor); }, shape);
  }
  static void shrink(drawn_path& one, double factor) {
    for (auto& point : one.points) point = {point.x * factor, point.y * factor};
    one.width *= factor;
    for (auto& dash : one.dashes) dash *= factor;
  }
  static void shrink(drawn_text& one, double factor) {
    one.at = {one.at.x * factor, one.at.y * factor};
    one.size *= factor;
  }

  [[nodiscard]] page_point on_page(plot_point const& of) const {
    return {m_left + m_width * m_x.place(of.x), m_top + m_height * (1 - m_y.place(of.y))};
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
    auto const right = m_left + m_width;
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
    auto with_room = those_with_room(numbers);
    if (!m_plot.size || with_room.empty() || with_room.back() == numbers.back()) return with_room;
    // A small plot has the last number, and every second or third before it.
    for (std::ptrdiff_t step = 2; step < std::ssize(numbers); ++step) {
      std::vector<double> some;
      for (auto place = std::ssize(numbers) - 1; place >= 0; place -= step)
        some.insert(some.begin(), numbers[static_cast<std::size_t>(place)]);
      if (those_with_room(some) == some) return some;
    }
    return with_room;
  }
  /// Leaves out numbers without room behind the one before them.
  [[nodiscard]] std::vector<double> those_with_room(std::vector<double> const& numbers) const {
    std::vector<double> with_room;
    double free_from = m_left - m_margin;
    for (auto const one : numbers) {
      auto const half = text_width(x_text(one), text_size) / 2;
      auto const at = m_left + m_width * m_x.place(one);
      if (at - half < free_from) continue;
      with_room.push_back(one);
      free_from = at + half + 7;
    }
    return with_room;
  }

  void draw_x_axis() {
    auto const bottom = m_top + m_height;
    for (auto const one : x_numbers()) {
      auto const at = m_left + m_width * m_x.place(one);
      line({{at, m_top}, {at, bottom}}, "#e4e4e4", 0.6);
      line({{at, bottom}, {at, bottom + 4}}, "#000000", 0.8);
      write({at, bottom + 17}, x_text(one), text_size, text_anchor::middle);
    }
    write({m_left + m_width / 2, bottom + 36}, m_plot.x, text_size, text_anchor::middle);
  }

  void draw_y_axis() {
    auto const room = std::max(2.0, m_height / (1.5 * text_size));
    for (auto const one : m_y.round_numbers(static_cast<std::size_t>(room))) {
      auto const at = m_top + m_height * (1 - m_y.place(one));
      line({{m_left, at}, {m_left + m_width, at}}, "#e4e4e4", 0.6);
      line({{m_left - 4, at}, {m_left, at}}, "#000000", 0.8);
      write({m_left - 7, at + 4}, number_text(one), text_size, text_anchor::end);
    }
    write({m_margin + text_size, m_top + m_height / 2}, m_plot.y, text_size, text_anchor::middle,
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
    line(std::move(points), plot_style::colour_of(series), others > 0 ? 1.3 : 0);
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
        curve(points, lighter(plot_style::colour_of(i)), 4, "claimed: " + all[i].name,
              [&](auto from, auto to) {
                return plot_style::dashes_of_claim(i, claims.along(from, to));
              });
        claims.add(points);
      }
    curves_so_far runs(measured);
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto const points = runs.divided(measured[i]);
      curve(points, plot_style::colour_of(i), 1.3, all[i].name,
            [&](auto from, auto to) { return m_style.dashes_among(i, runs.along(from, to)); });
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
    if (m_style.has_one_bound()) {
      curve_line(places_of_each.front(), bound_colour, 3, m_style.dots(0, 0, 1),
                 "lower bound: " + all.front().name);
      return;
    }
    curves_so_far every(places_of_each);
    for (auto const& one : places_of_each) every.add(every.divided(one));
    curves_so_far earlier(places_of_each);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].bound.empty()) continue;
      auto const points = earlier.divided(places_of_each[i]);
      curve(points, plot_style::colour_of(i), 3, "lower bound: " + all[i].name,
            [&](auto from, auto to) {
              return m_style.dots(i, earlier.along(from, to), every.along(from, to));
            });
      earlier.add(points);
    }
  }

  /// Draws a line as far as it lies between the axes: one or more lines, or none.
  void curve_line(std::vector<page_point> const& points, std::string_view colour, double width,
                  std::vector<double> const& dashes, std::string const& name) {
    auto const bottom = m_top + m_height;
    auto const is_inside = [&](page_point at) {
      return at.y >= m_top - 1e-6 && at.y <= bottom + 1e-6;
    };
    auto const edge = [&](page_point from, page_point to, double y) {
      return page_point{from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y), y};
    };
    std::vector<page_point> piece;
    auto const end_piece = [&] {
      if (!piece.empty()) line(std::move(piece), colour, width, dashes, name);
      piece = {};
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
      auto const at = points[i];
      if (i > 0 && (!is_inside(at) || !is_inside(points[i - 1]))) {
        auto const from = points[i - 1];
        auto crossings = from.y < at.y ? std::array{m_top, bottom} : std::array{bottom, m_top};
        for (auto const y : crossings)
          if (std::min(from.y, at.y) < y && y < std::max(from.y, at.y))
            piece.push_back(edge(from, at, y));
      }
      if (is_inside(at))
        piece.push_back(at);
      else
        end_piece();
    }
    end_piece();
  }

  /// Draws a curve with the dashes that it has from each of its points to the next.
  template <class Dashes>
  void curve(std::vector<curve_point> const& points, std::string_view colour, double width,
             std::string const& name, Dashes const& dashes_between) {
    if (points.empty()) return line({}, colour, width, {}, name);
    if (points.size() == 1) return curve_line({points[0].at}, colour, width, {}, name);
    for (std::size_t first = 0; first + 1 < points.size();) {
      auto const dashes = dashes_between(points[first].at, points[first + 1].at);
      auto last = first + 1;
      while (last + 1 < points.size() &&
             dashes_between(points[last].at, points[last + 1].at) == dashes)
        ++last;
      std::vector<page_point> piece;
      for (auto i = first; i <= last; ++i)
        if (points[i].is_own || i == first || i == last) piece.push_back(points[i].at);
      curve_line(piece, colour, width, dashes, name);
      first = last;
    }
  }

  /// Makes a dash of a single place, which has no line, between the axes.
  [[nodiscard]] std::vector<page_point> at_least_a_dash(std::vector<page_point> points) const {
    if (points.size() == 1) {
      auto const at = points[0];
      auto const half = std::min({9.0, at.x - m_left, m_left + m_width - at.x});
      points = {{at.x - half, at.y}, {at.x + half, at.y}};
    }
    return points;
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
    bool const has_room = at.x + 9 + wider_font * text_width(text, text_size) < m_left + m_width;
    write({has_room ? at.x + 9 : at.x - 9, at.y + 15}, text, text_size,
          has_room ? text_anchor::start : text_anchor::end);
  }

  [[nodiscard]] double remark_size() const { return m_plot.size ? text_size : small_size + 1; }

  [[nodiscard]] std::size_t legend_lines() const {
    std::size_t lines = 0;
    for (auto const& one : m_legend) lines += 1 + one.remarks.size();
    return lines;
  }
  /// The width of a legend beside the curves.
  [[nodiscard]] double legend_width() const {
    auto widest = text_width("lower bound", text_size);
    for (auto const& one : m_legend) {
      widest = std::max(widest, text_width(one.name, text_size));
      for (auto const& remark : one.remarks)
        widest = std::max(widest, text_width(remark, remark_size()));
    }
    return 14 + legend_sample + 8 + wider_font * widest;
  }

  /// An entry below the curves has its remarks beside its name.
  [[nodiscard]] static std::string entry_text(legend_entry const& one) {
    return one.remarks.empty() ? one.name
                               : fmt::format("{}, {}", one.name, fmt::join(one.remarks, ", "));
  }
  [[nodiscard]] static double entry_width(legend_entry const& one) {
    return text_begins + wider_font * text_width(entry_text(one), text_size);
  }

  /// A legend below the axes: its entries in rows of cells. A long entry takes several cells, and several lines of text
  /// where a row is too narrow.
  struct entry_place {
    std::size_t line = 0;  ///< its first one
    std::size_t cell = 0;  ///< its first one
    std::vector<std::string> texts{};
  };
  struct legend_cells {
    double cell = 0;  ///< the width of one
    std::size_t lines = 0;
    std::vector<entry_place> places{};
  };
  [[nodiscard]] legend_cells in_cells(std::size_t columns) const {
    auto const room = m_drawing.width - 2 * m_margin;
    legend_cells made{.cell = (room + legend_gap) / static_cast<double>(columns)};
    std::size_t line = 0;
    std::size_t next = columns;
    for (auto const& one : m_legend) {
      auto const span = std::min(
          columns,
          static_cast<std::size_t>(std::ceil((entry_width(one) + legend_gap) / made.cell - 1e-9)));
      if (next + span > columns) {
        line = made.lines;
        next = 0;
      }
      made.places.push_back(
          {line, next, lines_within(entry_text(one), text_size, room - text_begins)});
      made.lines = std::max(made.lines, line + made.places.back().texts.size());
      next += span;
    }
    return made;
  }
  /// Takes the number of columns with the fewest lines.
  [[nodiscard]] legend_cells cells_below() const {
    auto best = in_cells(1);
    for (std::size_t columns = 2; columns <= 6; ++columns)
      if (auto other = in_cells(columns); other.lines < best.lines) best = std::move(other);
    return best;
  }

  void draw_entry(page_point at, legend_entry const& one, std::string text) {
    if (one.mark) mark({at.x + legend_sample / 2, at.y}, *one.mark);
    line({at, {at.x + legend_sample, at.y}}, one.colour, one.width, one.dashes);
    write({at.x + text_begins, at.y + 4}, std::move(text), text_size, text_anchor::start);
  }

  void draw_legend() {
    if (m_is_legend_below) return draw_legend_below();
    page_point at{m_left + m_width + 14, m_top + 8};
    for (auto const& one : m_legend) {
      draw_entry(at, one, one.name);
      at.y += legend_line;
      for (auto const& remark : one.remarks) {
        write({at.x + legend_sample + 8, at.y}, remark, remark_size(), text_anchor::start,
              plot_grey);
        at.y += legend_line;
      }
    }
  }

  void draw_legend_below() {
    auto const cells = cells_below();
    auto const top = m_top + m_height + axis_room + 6 + legend_line_below / 2;
    for (std::size_t i = 0; i < m_legend.size(); ++i) {
      auto const& [first, cell, texts] = cells.places[i];
      page_point at{m_margin + cells.cell * static_cast<double>(cell),
                    top + legend_line_below * static_cast<double>(first)};
      draw_entry(at, m_legend[i], texts.front());
      for (std::size_t line = 1; line < texts.size(); ++line)
        write({at.x + text_begins, at.y + 4 + legend_line_below * static_cast<double>(line)},
              texts[line], text_size, text_anchor::start);
    }
  }

  /// Breaks a text into lines of that width, between words.
  [[nodiscard]] static std::vector<std::string> lines_within(std::string const& text, double size,
                                                             double room) {
    std::vector<std::string> lines{""};
    for (auto const& word : wrapped(text, 1)) {
      auto const longer = lines.back().empty() ? word : lines.back() + ' ' + word;
      if (lines.back().empty() || wider_font * text_width(longer, size) <= room)
        lines.back() = longer;
      else
        lines.push_back(word);
    }
    return lines;
  }
  /// The caption in lines that fit below the curves and the legend.
  [[nodiscard]] std::vector<std::string> caption_lines() const {
    if (m_plot.caption.empty() || m_plot.size) return {};
    return lines_within(m_plot.caption, small_size, m_left + m_width + legend_width() - m_margin);
  }
  /// The title in lines that fit above the curves of a plot of a given size.
  [[nodiscard]] std::vector<std::string> title_lines() const {
    if (m_plot.title.empty()) return {};
    if (!m_plot.size) return {m_plot.title};
    return lines_within(m_plot.title, text_size + 1, m_drawing.width - m_left - m_margin);
  }

  plot const& m_plot;
  plot_style m_style;
  plot_axis m_x;
  plot_axis m_y;
  std::vector<legend_entry> m_legend;
  double m_margin = margin;
  double m_left = 0;
  double m_top = 0;
  double m_width = curves_width;
  double m_height = 0;
  bool m_is_legend_below = false;
  drawing m_drawing;
};

}  // namespace

drawing drawn(plot const& of) { return plotter(of).made(); }

}  // namespace lockstep::cli
