#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "figure_text.hpp"

namespace lockstep::cli {

namespace {

constexpr int panel_width = 470;
constexpr int panel_height = 400;
constexpr double seconds = 1e-6;  // in a microsecond: gnuplot puts the prefix before the unit
constexpr int title_height = 100;

/// A text in gnuplot's single quotes, in which nothing but the quote itself means anything.
std::string quoted(std::string_view text) {
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
  for (auto& text : texts) text = quoted(text);
  return fmt::format("{}", fmt::join(texts, R"(."\n".)"));
}

/// How the curves are drawn, the first by solid points.
constexpr std::array<std::string_view, 3> styles{
    "with linespoints lw 2 pt 7 ps 0.5 lc rgb '#0072b2'",
    "with lines lw 2 dt 2 lc rgb '#d55e00'",
    "with lines lw 2 dt 4 lc rgb '#009e73'",
};

bool is_in_the_picture(figure_panel const& panel, figure_cross_over const& found) {
  if (!found.at || panel.curves.empty()) return false;
  auto const& points = panel.curves.front().points;
  return !points.empty() && points.front().block_bytes <= found.at->block_bytes &&
         found.at->block_bytes <= points.back().block_bytes;
}

std::string header_of(paper_figure const& of) {
  auto const columns =
      std::ranges::count(of.panels, of.panels.front().reading, &figure_panel::reading);
  auto const& points = of.panels.front().curves.front().points;
  auto const [least_block, largest_block] =
      std::pair(points.front().block_bytes, points.back().block_bytes);
  auto const in_all = static_cast<std::ptrdiff_t>(of.panels.size());
  auto const rows = (in_all + columns - 1) / columns;
  return fmt::format(
      "set terminal svg size {},{} noenhanced font 'sans,13' background 'white'\n"
      "set multiplot layout {},{} title {}\n"
      "set logscale xy\n"
      "set grid\n"
      "set key top left reverse Left\n"
      "set xrange [{}:{}]\n"
      "set xtics 4\n"
      "set format y '%.0s %cs'\n"
      "set xlabel 'block size m (bytes)'\n"
      "set ylabel 'completion time'\n",
      std::max<std::ptrdiff_t>(columns, 2) * panel_width, rows * panel_height + title_height, rows,
      columns,
      lines_of(
          {of.title, of.note, "circles: block size from which the proposed exchange is faster"}),
      least_block, largest_block);
}

std::string data_of(figure_panel const& panel) {
  std::string text;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    text += fmt::format("$curve{} << END\n", i);
    for (auto const& point : panel.curves[i].points)
      text += fmt::format("{} {:.10g}\n", point.block_bytes, point.us * seconds);
    text += "END\n";
  }
  return text;
}

/// A circle where two curves cross, and how large the blocks are there.
std::string mark_of(figure_cross_over const& found) {
  return fmt::format(
      "set label {} at {:.10g},{:.10g} point pt 6 ps 1.4 lw 2 left offset 1,-1.2 front\n",
      quoted(fmt::format("{}: {:.1f} bytes", found.rival, found.at->block_bytes)),
      found.at->block_bytes, found.at->us * seconds);
}

std::string panel_script(figure_panel const& panel) {
  std::string text = data_of(panel);
  text += fmt::format("unset label\nset title {}\n",
                      quoted(fmt::format("{} ({})", panel.network, panel.reading)));
  for (auto const& found : panel.cross_overs)
    if (is_in_the_picture(panel, found)) text += mark_of(found);
  text += "plot ";
  for (std::size_t i = 0; i < panel.curves.size(); ++i)
    text += fmt::format(
        "{}$curve{} title {} {}", i > 0 ? ", " : "", i,
        quoted(fmt::format("{} ({})", panel.curves[i].algorithm, panel.curves[i].basis)),
        styles[i % styles.size()]);
  return text + '\n';
}

}  // namespace

std::string as_gnuplot_script(paper_figure const& of) {
  if (of.panels.empty()) return {};
  std::string text = header_of(of);
  for (auto const& panel : of.panels) text += panel_script(panel);
  return text + "unset multiplot\n";
}

}  // namespace lockstep::cli
