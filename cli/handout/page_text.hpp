#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/drawing.hpp"

namespace lockstep::cli {

/// Part of a page.
struct page_box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

constexpr double line_height = 1.3;  ///< of a text's size

/// Measures a text, with room for a font that is wider than Helvetica, where that is not installed.
[[nodiscard]] double width_on_page(std::string_view text, double size);

/// Writes lines of at most the box's width, each paragraph broken at its blanks, from its upper edge on;
/// those without room are left out. Result: the height that they take.
double write_lines(drawing& on, page_box const& box, std::vector<std::string> const& paragraphs,
                   double size);

}  // namespace lockstep::cli
