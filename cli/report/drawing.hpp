#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockstep::cli {

/// A place on a page, in points from its upper left corner.
struct page_point {
  double x = 0;
  double y = 0;
};

/// A line through points, or an area that they enclose.
struct drawn_path {
  std::vector<page_point> points{};
  std::string colour = "#000000";
  double width = 1;              ///< of the line; 0: an area filled with the colour
  std::vector<double> dashes{};  ///< lengths of dash and gap; none: solid
  std::string name{};            ///< what it shows, if it shows something
};

/// Which part of a text stands at its place.
enum class text_anchor { start, middle, end };

/// A line of text.
struct drawn_text {
  page_point at{};  ///< on its base line
  std::string text{};
  double size = 11;
  text_anchor anchor = text_anchor::start;
  bool is_upright = false;  ///< runs from below to above
  std::string colour = "#000000";
};

/// A page of lines, areas and texts, later ones above earlier ones.
struct drawing {
  double width = 0;
  double height = 0;
  std::string title{};
  std::string description{};
  std::string unit{};  ///< of the size in SVG: "pt"; none: a pixel for each point
  std::vector<std::variant<drawn_path, drawn_text>> shapes{};
};

/// Measures a text in the fonts of the drawings, in points.
[[nodiscard]] double text_width(std::string_view text, double size);

/// Writes SVG, the same bytes for the same drawing.
[[nodiscard]] std::string as_svg(drawing const& of);

/// Writes a PDF of one page in Helvetica and Symbol, which every reader has, the same bytes for the same
/// drawing. Characters that neither has are written as `pdf_line_of` says.
[[nodiscard]] std::string as_pdf(drawing const& of);

/// Writes a PDF of several pages, with the title of the first.
[[nodiscard]] std::string as_pdf(std::span<drawing const> pages);

}  // namespace lockstep::cli
