#include "comparison_picture.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sweep_report.hpp"
#include "text_table.hpp"

namespace lockstep::cli {

namespace {

/// Draws a comparison from above to below.
class comparison_drawer {
 public:
  explicit comparison_drawer(run_comparison const& of) : m_of(of) {
    double names = 0;
    double numbers = 0;
    for (auto const& one : of.figures) {
      names = std::max(names, width_of(one.name));
      for (auto const& value : {one.one, one.other})
        numbers = std::max(numbers, width_of(number_of(value)));
    }
    m_bars = margin + names + 8;
    m_ratios = m_bars + bar_width + 6 + numbers + 16;
    m_page.width = m_ratios + width_of("0.00001") + margin;
    m_page.title = fmt::format("{} beside {}", of.one, of.other);
    m_page.description = of.caption;
  }

  [[nodiscard]] drawing made() {
    write_side("A", m_of.one, 0);
    write_side("B", m_of.other, 1);
    write({m_ratios, m_down + text_size}, "B/A", text_anchor::start, grey);
    m_down += text_size + 8;
    for (auto const& one : m_of.figures)
      if (one.one.value_or(0) != 0 || one.other.value_or(0) != 0) draw(one);
    write_lines(m_of.caption, small_size, margin, grey);
    m_page.height = m_down + margin;
    return std::move(m_page);
  }

 private:
  static constexpr double margin = 14;
  static constexpr double text_size = 11;
  static constexpr double small_size = 8;
  static constexpr double wider_font = 1.18;  ///< than Helvetica, where that is not installed
  static constexpr double bar_width = 300;
  static constexpr double bar_height = 10;
  static constexpr double row_height = 32;
  static constexpr std::string_view grey = "#707070";
  /// The first two colours of plots.
  static constexpr std::array<std::string_view, 2> colours{"#0072b2", "#d55e00"};

  static double width_of(std::string_view text, double size = text_size) {
    return wider_font * text_width(text, size);
  }
  static std::string number_of(std::optional<double> const& value) {
    return value ? exact_text(*value) : "-";
  }

  void write(page_point at, std::string text, text_anchor anchor,
             std::string_view colour = "#000000", double size = text_size) {
    m_page.shapes.emplace_back(
        drawn_text{at, std::move(text), size, anchor, false, std::string(colour)});
  }

  void fill(page_point corner, double width, double height, std::size_t side, std::string name) {
    m_page.shapes.emplace_back(drawn_path{{corner,
                                           {corner.x + width, corner.y},
                                           {corner.x + width, corner.y + height},
                                           {corner.x, corner.y + height}},
                                          std::string(colours.at(side)),
                                          0,
                                          {},
                                          std::move(name)});
  }

  /// Writes a text in lines from some place along x on.
  void write_lines(std::string const& text, double size, double left, std::string_view colour) {
    std::string line;
    auto const end_line = [&] {
      if (line.empty()) return;
      write({left, m_down + size}, line, text_anchor::start, colour, size);
      m_down += 1.35 * size;
      line.clear();
    };
    for (auto const& word : wrapped(text, 1)) {
      auto const longer = line.empty() ? word : line + ' ' + word;
      if (width_of(longer, size) > m_page.width - margin - left) end_line();
      line += (line.empty() ? "" : " ") + word;
    }
    end_line();
  }

  void write_side(std::string const& letter, std::string const& name, std::size_t side) {
    fill({margin, m_down + 2}, bar_height, bar_height, side, {});
    write({margin + 16, m_down + text_size}, letter, text_anchor::start);
    write_lines(name, text_size, margin + 32, "#000000");
    m_down += 3;
  }

  void draw(compared_figure const& of) {
    auto const most = std::max({of.one.value_or(0), of.other.value_or(0), 0.0});
    write({m_bars - 8, m_down + bar_height + 4}, of.name, text_anchor::end);
    std::array const values{of.one, of.other};
    for (std::size_t side = 0; side < values.size(); ++side) {
      auto const top = m_down + static_cast<double>(side) * (bar_height + 1);
      auto const value = values.at(side);
      auto const width = most > 0 ? bar_width * std::max(value.value_or(0), 0.0) / most : 0;
      if (width > 0)
        fill({m_bars, top}, width, bar_height, side,
             fmt::format("{} of {}: {}", of.name, side == 0 ? "A" : "B", number_of(value)));
      write({m_bars + width + 5, top + bar_height - 1}, number_of(value), text_anchor::start,
            "#000000", 10);
    }
    if (of.one && of.other && *of.one != 0)
      write({m_ratios, m_down + bar_height + 4}, fmt::format("{:.4g}", *of.other / *of.one),
            text_anchor::start);
    m_down += row_height;
  }

  run_comparison const& m_of;
  drawing m_page;
  double m_bars = 0;
  double m_ratios = 0;
  double m_down = margin;
};

}  // namespace

drawing drawn(run_comparison const& of) { return comparison_drawer(of).made(); }

}  // namespace lockstep::cli
