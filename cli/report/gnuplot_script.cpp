#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "figure_text.hpp"

namespace lockstep::cli {

namespace {

constexpr int panel_width = 470;
constexpr int panel_height = 400;

/// Returns the factor of a point's value: gnuplot puts the prefix before the unit, seconds.
double scale_of(figure_measure const& y) { return y.is_time ? 1e-6 : 1; }

constexpr int title_height = 100;

/// A text in gnuplot's single quotes, in which nothing but the quote itself means anything.
std::string gnuplot_quoted(std::string_view text) {
  std::string inside;
  for (char const c : text) {
    if (c == '\n') continue;
    inside += c;
    if (c == '\'') inside += c;
  }
  return '\'' + inside + '\'';
}

/// Lines one below the other.
std::string lines_of(std::vector<std::string> texts) {
  for (auto& text : texts) text = gnuplot_quoted(text);
  return fmt::format("{}", fmt::join(texts, R"(."\n".)"));
}

constexpr std::array<std::string_view, 6> colours{"#0072b2", "#d55e00", "#009e73",
                                                  "#cc79a7", "#e69f00", "#56b4e9"};

/// Chooses the style of a curve: points if it is measured, else dashes.
std::string style_of(figure_curve const& curve, std::size_t index) {
  auto const colour = colours[index % colours.size()];
  if (curve.basis == "measured counts")
    return fmt::format("with linespoints lw 2 pt 7 ps 0.5 lc rgb '{}'", colour);
  return fmt::format("with lines lw 2 dt {} lc rgb '{}'", 2 * index, colour);
}

bool is_in_the_picture(figure_panel const& panel, figure_cross_over const& found) {
  if (!found.at || panel.curves.empty()) return false;
  auto const& points = panel.curves.front().points;
  return !points.empty() && points.front().x <= found.at->x && found.at->x <= points.back().x;
}

/// "block size m (bytes)"
std::string label_of(figure_axis const& axis) {
  return axis.unit.empty() ? axis.quantity : fmt::format("{} ({})", axis.quantity, axis.unit);
}

std::vector<std::string> heading_of(paper_figure const& of) {
  std::vector<std::string> lines{of.title, of.note};
  if (!of.marks.empty()) lines.push_back(of.marks);
  return lines;
}

/// Whether the curves fall, so that there is room above them to the right.
bool is_falling(paper_figure const& of) {
  for (auto const& curve : of.panels.front().curves)
    if (!curve.points.empty()) return curve.points.back().us < curve.points.front().us;
  return false;
}

/// From where to where the axis goes in all panels: from the least point to the largest, and around a
/// single one.
struct axis_range {
  double least;
  double largest;
};

axis_range range_of(paper_figure const& of) {
  std::optional<axis_range> found;
  for (auto const& panel : of.panels)
    for (auto const& curve : panel.curves)
      for (auto const& point : curve.points)
        found = found
                    ? axis_range{std::min(found->least, point.x), std::max(found->largest, point.x)}
                    : axis_range{point.x, point.x};
  if (!found) return {1, 2};
  if (found->least < found->largest) return *found;
  return {found->least / 2, found->largest * 2};
}

/// The room that the key needs: ratios of counts are near to one another.
std::string_view room_above(paper_figure const& of) {
  if (!of.y.is_time) return "set offsets 0,0,graph 0.45,0\n";
  return is_falling(of) ? "set offsets 0,0,graph 0.15,0\n" : "";
}

/// Tics at powers of two or four; beside ratios from the first point on.
std::string tics_of(figure_measure const& y, double least, double largest) {
  int const factor = largest / least > 64 ? 4 : 2;
  return y.is_time ? fmt::format("{}", factor) : fmt::format("{},{}", least, factor);
}

std::string header_of(paper_figure const& of) {
  auto const columns =
      std::ranges::count(of.panels, of.panels.front().reading, &figure_panel::reading);
  auto const [least, largest] = range_of(of);
  auto const in_all = static_cast<std::ptrdiff_t>(of.panels.size());
  auto const rows = (in_all + columns - 1) / columns;
  return fmt::format(
      "set terminal svg size {},{} noenhanced font 'sans,13' background 'white'\n"
      "set multiplot layout {},{} title {}\n"
      "set logscale xy\n"
      "set grid\n"
      "set key top {} reverse Left\n"
      "{}"
      "set xrange [{}:{}]\n"
      "set xtics {}\n"
      "{}"
      "set format y '{}'\n"
      "set xlabel {}\n"
      "set ylabel {}\n",
      std::max<std::ptrdiff_t>(columns, 2) * panel_width, rows * panel_height + title_height, rows,
      columns, lines_of(heading_of(of)), is_falling(of) ? "right" : "left", room_above(of), least,
      largest, tics_of(of.y, least, largest),
      of.x.has_binary_prefixes ? "set format x '%.0b%B'\n" : "", of.y.is_time ? "%.0s %cs" : "%g",
      gnuplot_quoted(label_of(of.x)), gnuplot_quoted(of.time));
}

std::string data_of(figure_panel const& panel, double scale) {
  std::string text;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    text += fmt::format("$curve{} << END\n", i);
    for (auto const& point : panel.curves[i].points)
      text += fmt::format("{} {:.10g}\n", point.x, point.us * scale);
    text += "END\n";
  }
  return text;
}

/// A circle where two curves cross, and where that is.
std::string mark_of(figure_cross_over const& found, figure_axis const& axis, double scale) {
  return fmt::format(
      "set label {} at {:.10g},{:.10g} point pt 6 ps 1.4 lw 2 left offset 1,-1.2 front\n",
      gnuplot_quoted(fmt::format("{}: {:.1f} {}", found.rival, found.at->x, axis.unit)),
      found.at->x, found.at->us * scale);
}

/// "proposed (measured counts)", beside others that were not measured.
std::string label_of(figure_panel const& panel, figure_curve const& curve) {
  bool const is_one_basis = std::ranges::all_of(
      panel.curves, [&](figure_curve const& other) { return other.basis == curve.basis; });
  return is_one_basis ? curve.name : fmt::format("{} ({})", curve.name, curve.basis);
}

std::string panel_script(figure_panel const& panel, figure_axis const& axis, double scale) {
  std::string text = data_of(panel, scale);
  text += fmt::format("unset label\nset title {}\n",
                      gnuplot_quoted(fmt::format("{} ({})", panel.name, panel.reading)));
  for (auto const& found : panel.cross_overs)
    if (is_in_the_picture(panel, found)) text += mark_of(found, axis, scale);
  text += "plot ";
  for (std::size_t i = 0; i < panel.curves.size(); ++i)
    text +=
        fmt::format("{}$curve{} title {} {}", i > 0 ? ", " : "", i,
                    gnuplot_quoted(label_of(panel, panel.curves[i])), style_of(panel.curves[i], i));
  return text + '\n';
}

}  // namespace

std::string as_gnuplot_script(paper_figure const& of) {
  if (of.panels.empty()) return {};
  std::string text = header_of(of);
  for (auto const& panel : of.panels) text += panel_script(panel, of.x, scale_of(of.y));
  return text + "unset multiplot\n";
}

}  // namespace lockstep::cli
