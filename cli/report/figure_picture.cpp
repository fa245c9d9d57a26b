#include "report/figure_picture.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "report/plot.hpp"

namespace lockstep::cli {

namespace {

constexpr double title_size = 14;
constexpr double note_size = 11;
constexpr double heading_line = 20;
constexpr double margin = 14;

/// "block size m (bytes)"
std::string label_of(std::string const& quantity, std::string const& unit) {
  return unit.empty() ? quantity : fmt::format("{} ({})", quantity, unit);
}

/// "proposed (measured counts)", beside others that were not measured.
std::string label_of(figure_panel const& panel, figure_curve const& curve) {
  bool const is_one_basis = std::ranges::all_of(
      panel.curves, [&](figure_curve const& other) { return other.basis == curve.basis; });
  return is_one_basis ? curve.name : fmt::format("{} ({})", curve.name, curve.basis);
}

bool is_in_the_picture(figure_panel const& panel, figure_cross_over const& found) {
  if (!found.at || panel.curves.empty()) return false;
  auto const& points = panel.curves.front().points;
  return !points.empty() && points.front().x <= found.at->x && found.at->x <= points.back().x;
}

plot plot_of(figure_panel const& panel, paper_figure const& of) {
  plot made{.x = label_of(of.x.quantity, of.x.unit),
            .y = label_of(of.time, of.y.is_time ? "us" : ""),
            .title = fmt::format("{} ({})", panel.name, panel.reading),
            .scales = plot_scales::log_xy,
            .has_binary_prefixes = of.x.has_binary_prefixes};
  for (auto const& curve : panel.curves) {
    plot_series series{.name = label_of(panel, curve),
                       .is_computed = curve.basis != "measured counts"};
    for (auto const& point : curve.points) series.measured.push_back({point.x, point.us});
    made.series.push_back(std::move(series));
  }
  for (auto const& found : panel.cross_overs)
    if (is_in_the_picture(panel, found))
      made.marks.push_back({{found.at->x, found.at->us},
                            fmt::format("{}: {:.1f} {}", found.rival, found.at->x, of.x.unit)});
  return made;
}

void move(drawn_path& of, double right, double down) {
  for (auto& point : of.points) point = {point.x + right, point.y + down};
}

void move(drawn_text& of, double right, double down) { of.at = {of.at.x + right, of.at.y + down}; }

/// Adds a drawing to a page, with its upper left corner there.
void add(drawing& page, drawing part, page_point corner) {
  for (auto& shape : part.shapes) {
    std::visit([&](auto& one) { move(one, corner.x, corner.y); }, shape);
    page.shapes.push_back(std::move(shape));
  }
}

/// Writes title and notes at the top of the page. Result: where they end.
double add_heading(drawing& page, paper_figure const& of) {
  double down = margin;
  auto const add_line = [&](std::string const& text, double size) {
    if (text.empty()) return;
    down += heading_line;
    page.shapes.emplace_back(
        drawn_text{{margin, down}, text, size, text_anchor::start, false, "#000000"});
    page.width = std::max(page.width, 2 * margin + 1.2 * text_width(text, size));
  };
  add_line(of.title, title_size);
  add_line(of.note, note_size);
  add_line(of.marks, note_size);
  return down + margin;
}

}  // namespace

drawing picture_of(paper_figure const& of) {
  drawing page{.title = of.title, .description = of.note};
  double const top = add_heading(page, of);
  std::vector<drawing> panels;
  for (auto const& panel : of.panels) panels.push_back(drawn(plot_of(panel, of)));
  double width = 0, height = 0;
  for (auto const& panel : panels) {
    width = std::max(width, panel.width);
    height = std::max(height, panel.height);
  }
  // Each row has one reading.
  auto const columns = of.panels.empty()
                           ? 1
                           : static_cast<std::size_t>(std::ranges::count(
                                 of.panels, of.panels.front().reading, &figure_panel::reading));
  for (std::size_t i = 0; i < panels.size(); ++i)
    add(page, std::move(panels[i]),
        {width * static_cast<double>(i % columns),
         top + height * static_cast<double>(i / columns)});
  auto const rows = (panels.size() + columns - 1) / columns;
  page.width = std::max(page.width, width * static_cast<double>(std::min(columns, panels.size())));
  page.height = top + height * static_cast<double>(rows);
  return page;
}

}  // namespace lockstep::cli
