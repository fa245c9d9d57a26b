#include "report/figure_picture.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include "../catch.hpp"
#include "contains.hpp"
#include "report/drawing.hpp"
#include "sample_figure.hpp"
#include "well_formed.hpp"

namespace {

std::string svg_of(lockstep::paper_figure const& figure) {
  return lockstep::cli::as_svg(lockstep::cli::picture_of(figure));
}

/// Finds a text of the picture.
lockstep::cli::drawn_text const* find_text(lockstep::cli::drawing const& of,
                                           std::string const& text) {
  for (auto const& shape : of.shapes)
    if (auto const* const one = std::get_if<lockstep::cli::drawn_text>(&shape);
        one != nullptr && one->text == text)
      return one;
  return nullptr;
}

}  // namespace

TEST_CASE("a figure's picture has a panel for each network and reading", "[figure_picture]") {
  auto const picture = lockstep::cli::picture_of(sample_figure());
  for (auto const* const text :
       {"It's a figure", "how d is read", "circles: block sizes", "torus:16x16 (cube)",
        "torus:16x16 (side)", "block size m (bytes)", "completion time (us)",
        "proposed (measured counts)", "[13] (formulas)"}) {
    INFO(text);
    CHECK(find_text(picture, text) != nullptr);
  }
  // Readings are rows.
  auto const* const cube = find_text(picture, "torus:16x16 (cube)");
  auto const* const side = find_text(picture, "torus:16x16 (side)");
  REQUIRE(cube != nullptr);
  REQUIRE(side != nullptr);
  CHECK(cube->at.x == side->at.x);
  CHECK(cube->at.y < side->at.y);
  CHECK(is_well_formed(svg_of(sample_figure())));
}

TEST_CASE("a figure's panels of one reading stand side by side, within the page",
          "[figure_picture]") {
  auto figure = sample_figure();
  figure.panels[1].reading = "cube";
  figure.panels[1].name = "torus:32x32";
  auto const picture = lockstep::cli::picture_of(figure);
  auto const* const left = find_text(picture, "torus:16x16 (cube)");
  auto const* const right = find_text(picture, "torus:32x32 (cube)");
  REQUIRE(left != nullptr);
  REQUIRE(right != nullptr);
  CHECK(left->at.y == right->at.y);
  CHECK(left->at.x < right->at.x);
  for (auto const& shape : picture.shapes)
    if (auto const* const path = std::get_if<lockstep::cli::drawn_path>(&shape))
      CHECK(std::ranges::all_of(path->points, [&](auto const& point) {
        return point.x >= 0 && point.x <= picture.width && point.y >= 0 &&
               point.y <= picture.height;
      }));
}

TEST_CASE("a figure's cross-overs within a panel are marked, others are not", "[figure_picture]") {
  auto const svg = svg_of(sample_figure());
  CHECK(contains(svg, ">[13]: 2.0 bytes</text>"));
  for (auto const* const absent : {"[16]:", "[19]:", "[0]:"}) CHECK_FALSE(contains(svg, absent));
}

TEST_CASE("a figure's texts end no tag", "[figure_picture]") {
  auto figure = sample_figure();
  figure.title = "</text><script>\"";
  CHECK(is_well_formed(svg_of(figure)));
  CHECK_FALSE(contains(svg_of(figure), "<script"));
}

TEST_CASE("a figure's axes are called as it says, large numbers with binary prefixes",
          "[figure_picture]") {
  auto figure = sample_figure();
  figure.x = {
      .quantity = "elements n", .unit = "", .column = "elements", .has_binary_prefixes = true};
  figure.time = "routing time";
  figure.y = {.column = "ratio", .is_time = false};
  for (auto& panel : figure.panels)
    for (auto& curve : panel.curves) curve.points = {{1024, 3}, {131'072, 0.5}};
  auto const svg = svg_of(figure);
  for (auto const* const text : {">elements n<", ">routing time<", ">1Ki<", ">128Ki<"}) {
    INFO(text);
    CHECK(contains(svg, text));
  }
  // A curve of one point has room around it.
  for (auto& panel : figure.panels)
    for (auto& curve : panel.curves) curve.points = {{8, 120}};
  CHECK(is_well_formed(svg_of(figure)));
}
