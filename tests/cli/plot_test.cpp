#include "report/plot.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lockstep/plot_scales.hpp>
#include <lockstep/plot_size.hpp>

#include "../catch.hpp"
#include "contains.hpp"
#include "well_formed.hpp"

using namespace lockstep::cli;
using lockstep::plot_scales;

namespace {

plot sample_plot() {
  return {.x = "words",
          .y = "time (us)",
          .title = "all-reduce & <more>",
          .caption = "lockstep 0.1.0: lockstep sweep all-reduce --on \"torus:{4,8}x4\"",
          .series = {{.name = "ring",
                      .measured = {{1, 10}, {16, 20}, {256, 400}},
                      .claimed = {{1, 10}, {16, 20}, {256, 400}},
                      .bound = {{1, 5}, {256, 100}}},
                     {.name = "bucket",
                      .measured = {{1, 30}, {16, 31}, {256, 300}},
                      .bound = {{1, 5}, {256, 100}}}}};
}

std::vector<drawn_text> texts_on(drawing const& of) {
  std::vector<drawn_text> texts;
  for (auto const& shape : of.shapes)
    if (auto const* const text = std::get_if<drawn_text>(&shape)) texts.push_back(*text);
  return texts;
}

bool has_text(drawing const& of, std::string const& text) {
  auto const texts = texts_on(of);
  return std::ranges::find(texts, text, &drawn_text::text) != texts.end();
}

std::vector<drawn_path> paths_named(drawing const& of, std::string const& name) {
  std::vector<drawn_path> paths;
  for (auto const& shape : of.shapes)
    if (auto const* const path = std::get_if<drawn_path>(&shape); path && path->name == name)
      paths.push_back(*path);
  return paths;
}

}  // namespace

TEST_CASE("a plot has a curve for each series, its claim dashed, and a bound once", "[plot]") {
  auto const page = drawn(sample_plot());
  REQUIRE(paths_named(page, "ring").size() == 1);
  CHECK(paths_named(page, "ring").front().points.size() == 3);
  CHECK(paths_named(page, "ring").front().dashes.empty());
  REQUIRE(paths_named(page, "claimed: ring").size() == 1);
  CHECK_FALSE(paths_named(page, "claimed: ring").front().dashes.empty());
  CHECK(paths_named(page, "claimed: bucket").empty());
  CHECK(paths_named(page, "lower bound: ring").size() == 1);
  CHECK(paths_named(page, "lower bound: bucket").empty());  // the same
}

TEST_CASE("curves on the same points are all seen", "[plot]") {
  auto of = sample_plot();
  std::vector<plot_point> const shared{{1, 10}, {16, 20}, {256, 400}};
  of.series = {{.name = "ring", .measured = shared, .claimed = shared, .bound = shared},
               {.name = "bucket", .measured = shared, .claimed = shared},
               {.name = "tree", .measured = {{1, 10}, {16, 20}, {256, 300}}}};
  auto const page = drawn(of);
  // The second leaves gaps through which the first is seen, the third only where it is on both.
  CHECK(paths_named(page, "ring").front().dashes.empty());
  REQUIRE(paths_named(page, "bucket").size() == 1);
  auto const gaps = paths_named(page, "bucket").front().dashes;
  REQUIRE(gaps.size() == 2);
  CHECK(gaps[1] >= gaps[0]);
  auto const of_tree = paths_named(page, "tree");
  REQUIRE(of_tree.size() == 2);
  CHECK(of_tree[0].points.size() == 2);
  REQUIRE(of_tree[0].dashes.size() == 2);
  CHECK(of_tree[0].dashes[1] >= of_tree[0].dashes[0] + 2 * gaps[0]);
  CHECK(of_tree[1].dashes.empty());
  // So are claims, and the legend says which curve is the same.
  CHECK(paths_named(page, "claimed: bucket").front().dashes[1] >
        paths_named(page, "claimed: ring").front().dashes[1] +
            paths_named(page, "claimed: bucket").front().dashes[0]);
  CHECK(has_text(page, "the same as ring"));
  CHECK_FALSE(has_text(page, "the same as bucket"));
  // The bound lies above all.
  auto const place_of = [&](std::string const& name) {
    auto const found = std::ranges::find_if(page.shapes, [&](auto const& one) {
      auto const* const path = std::get_if<drawn_path>(&one);
      return path && path->name == name;
    });
    return found - page.shapes.begin();
  };
  CHECK(place_of("lower bound: ring") > place_of("tree"));
}

TEST_CASE("marks at one place stand around each other", "[plot]") {
  auto of = sample_plot();
  of.series = {{.name = "ring", .measured = {{1, 10}, {2, 20}}},
               {.name = "bucket", .measured = {{1, 10}, {2, 30}}}};
  auto const page = drawn(of);
  auto const first = paths_named(page, "ring").front().points;
  // What is around the shared point, and around the other of the second curve: areas and lines.
  auto const reach_at = [&](page_point at, bool is_area, std::string const& colour) {
    double reach = 0;
    for (auto const& shape : page.shapes)
      if (auto const* const path = std::get_if<drawn_path>(&shape);
          path && path->name.empty() && path->colour == colour && (path->width == 0) == is_area)
        if (std::ranges::all_of(path->points, [&](page_point one) {
              return std::abs(one.x - at.x) < 12 && std::abs(one.y - at.y) < 12;
            }))
          for (auto const& one : path->points)
            reach = std::max(reach, std::hypot(one.x - at.x, one.y - at.y));
    return reach;
  };
  auto const second = paths_named(page, "bucket").front().points;
  std::string const blue = paths_named(page, "ring").front().colour;
  std::string const red = paths_named(page, "bucket").front().colour;
  CHECK(reach_at(first[0], true, blue) > 2);
  CHECK(reach_at(first[0], true, red) == 0);
  CHECK(reach_at(first[0], false, red) > reach_at(first[0], true, blue) + 1.5);
  CHECK(reach_at(second[1], true, red) > 2);
}

TEST_CASE("marks around others have a largest size", "[plot]") {
  auto of = sample_plot();
  of.series.clear();
  for (int i = 0; i < 12; ++i)
    of.series.push_back({.name = fmt::format("curve {}", i), .measured = {{1, 10}, {2, 20.0 + i}}});
  auto const page = drawn(of);
  auto const at = paths_named(page, "curve 0").front().points.front();
  double largest = 0;
  for (auto const& shape : page.shapes)
    if (auto const* const path = std::get_if<drawn_path>(&shape);
        path && path->name.empty() && path->width == 1.3 && path->points.size() > 2)
      for (auto const& one : path->points)
        if (path->points.front().x < at.x + 60)
          largest = std::max(largest, std::hypot(one.x - at.x, one.y - at.y));
  CHECK(largest > 10);
  CHECK(largest < 14);
}

TEST_CASE("curves that lie on each other between other points are all seen", "[plot]") {
  auto of = sample_plot();
  of.scales = plot_scales::linear;
  of.series = {{.name = "few", .measured = {{1, 10}, {4, 40}}},
               {.name = "many", .measured = {{1, 10}, {2, 20}, {3, 30}, {4, 40}}},
               {.name = "part", .measured = {{1, 25}, {2, 20}, {5, 50}}},
               {.name = "few again", .measured = {{1, 10}, {4, 40}}}};
  auto const page = drawn(of);
  auto const pieces = [&](std::string const& name) { return paths_named(page, name); };
  REQUIRE(pieces("few").size() == 1);
  CHECK(pieces("few")[0].points.size() == 2);
  CHECK(pieces("few")[0].dashes.empty());
  REQUIRE(pieces("many").size() == 1);
  CHECK(pieces("many")[0].points.size() == 4);
  CHECK(pieces("many")[0].dashes == std::vector<double>{7, 7});
  // Alone, then on both, then alone.
  REQUIRE(pieces("part").size() == 3);
  CHECK(pieces("part")[0].dashes.empty());
  CHECK(pieces("part")[1].dashes == std::vector<double>{7, 21});
  CHECK(pieces("part")[1].points.size() == 2);
  CHECK(pieces("part")[1].points.back().x == Approx(pieces("few")[0].points.back().x));
  CHECK(pieces("part")[2].dashes.empty());
  // On two, and from x = 2 on three.
  REQUIRE(pieces("few again").size() == 2);
  CHECK(pieces("few again")[0].dashes == std::vector<double>{7, 21});
  CHECK(pieces("few again")[1].dashes == std::vector<double>{7, 49});
}

TEST_CASE("of many curves on each other each has a dash that is seen", "[plot]") {
  auto of = sample_plot();
  of.series.clear();
  std::size_t const curves = 20;
  for (std::size_t i = 0; i < curves; ++i)
    of.series.push_back({.name = fmt::format("curve {}", i), .measured = {{1, 10}, {2, 10}}});
  auto const page = drawn(of);
  // Each room of the line has the dash of the last curve that has one there.
  std::vector<std::size_t> seen(60);
  for (std::size_t i = 0; i < curves; ++i) {
    auto const paths = paths_named(page, fmt::format("curve {}", i));
    REQUIRE(paths.size() == 1);
    auto const& dashes = paths[0].dashes;
    for (std::size_t room = 0; room < seen.size(); ++room) {
      double left = 7 * static_cast<double>(room) + 3;
      std::size_t part = 0;
      for (; !dashes.empty() && left >= dashes[part % dashes.size()]; ++part)
        left -= dashes[part % dashes.size()];
      if (part % 2 == 0) seen[room] = i;
    }
  }
  for (std::size_t i = 0; i < curves; ++i) {
    INFO("curve " << i);
    CHECK(std::ranges::find(seen, i) != seen.end());
  }
}

TEST_CASE("a claim and a bound at a single x are seen", "[plot]") {
  auto of = sample_plot();
  of.series = {{.name = "ring", .measured = {{4, 7}}, .claimed = {{4, 7}}, .bound = {{4, 3}}}};
  auto const page = drawn(of);
  for (auto const* const name : {"claimed: ring", "lower bound: ring"}) {
    auto const points = paths_named(page, name).front().points;
    REQUIRE(points.size() == 2);
    CHECK(points[1].x > points[0].x + 10);
  }
}

TEST_CASE("a bound has the colour of its curve, unless all have the same", "[plot]") {
  auto of = sample_plot();
  auto const bounds_of = [&](std::string const& name) {
    return paths_named(drawn(of), "lower bound: " + name);
  };
  auto const colour_of = [&](std::string const& name) {
    return paths_named(drawn(of), name).front().colour;
  };
  CHECK(bounds_of("ring").front().colour != colour_of("ring"));  // that of all
  CHECK_FALSE(has_text(drawn(of), "in their curves' colours"));

  of.series[1].bound = {{1, 8}, {256, 200}};
  for (auto const* const name : {"ring", "bucket"}) {
    INFO(name);
    REQUIRE(bounds_of(name).size() == 1);
    CHECK(bounds_of(name).front().colour == colour_of(name));
    CHECK(bounds_of(name).front().dashes.size() == 2);
  }
  CHECK(colour_of("ring") != colour_of("bucket"));
  CHECK(has_text(drawn(of), "in their curves' colours"));

  // One without a bound is not said to have that of the others.
  of.series[1].bound = {};
  CHECK(bounds_of("ring").front().colour == colour_of("ring"));
}

namespace {

/// As many series, no two on each other: measured, or computed in place of runs.
plot many_series(std::size_t count, bool are_computed) {
  plot of{.x = "words", .y = "steps"};
  for (std::size_t i = 0; i < count; ++i) {
    auto const y = static_cast<double>(i + 1);
    of.series.push_back({.name = fmt::format("series {}", i),
                         .measured = {{1, y}, {2, y + 0.5}, {3, y}},
                         .is_computed = are_computed});
  }
  return of;
}

using line_style = std::pair<std::string, std::vector<double>>;  ///< colour, dashes

/// The styles of the samples in the legend, in order: lines to the right of all curves.
std::vector<line_style> legend_styles(drawing const& of) {
  double right = 0;  // of the frame
  for (auto const& shape : of.shapes)
    if (auto const* const path = std::get_if<drawn_path>(&shape);
        path && path->name.starts_with("series"))
      for (auto const& point : path->points) right = std::max(right, point.x);
  std::vector<line_style> styles;
  for (auto const& shape : of.shapes)
    if (auto const* const path = std::get_if<drawn_path>(&shape);
        path && path->name.empty() && path->points.size() == 2 && path->width > 1 &&
        path->points.front().x > right)
      styles.emplace_back(path->colour, path->dashes);
  return styles;
}

}  // namespace

TEST_CASE("curves of one colour have dashes that differ, in the legend, too", "[plot]") {
  constexpr std::size_t most = 28;  // seven colours, four kinds of dashes
  for (bool const are_computed : {false, true}) {
    CAPTURE(are_computed);
    auto const page = drawn(many_series(most, are_computed));
    auto const legend = legend_styles(page);
    REQUIRE(legend.size() == most);
    std::set<line_style> all;
    for (std::size_t i = 0; i < most; ++i) {
      CAPTURE(i);
      auto const curve = paths_named(page, fmt::format("series {}", i));
      REQUIRE(curve.size() == 1);
      line_style const style{curve.front().colour, curve.front().dashes};
      CHECK(style == legend[i]);
      CHECK(all.insert(style).second);
    }
  }
  // The first seven measured curves are drawn through.
  auto const few = drawn(many_series(7, false));
  for (auto const& [colour, dashes] : legend_styles(few)) CHECK(dashes.empty());
}

TEST_CASE("a curve with dashes and one below it are both seen", "[plot]") {
  auto of = many_series(9, false);
  of.series[8].measured = of.series[1].measured;  // one colour
  of.series[7].measured = of.series[0].measured;
  auto const page = drawn(of);
  for (auto const* const name : {"series 7", "series 8"}) {
    auto const dashes = paths_named(page, name).front().dashes;
    REQUIRE(dashes.size() == 2);
    CHECK(dashes[1] >= dashes[0]);
  }
}

TEST_CASE("the dots of bounds that lie on each other take turns", "[plot]") {
  auto of = sample_plot();
  of.series = {{.name = "ring", .measured = {{1, 10}, {4, 40}}, .bound = {{1, 2}, {4, 8}}},
               {.name = "bucket", .measured = {{1, 11}, {4, 41}}, .bound = {{1, 2}, {4, 8}}},
               {.name = "tree", .measured = {{1, 12}, {4, 42}}, .bound = {{1, 5}, {2, 4}, {4, 8}}}};
  of.scales = plot_scales::linear;
  auto const page = drawn(of);
  // The places of dots along a line of that length, in sixteenths.
  auto const dots_of = [](drawn_path const& path) {
    std::vector<bool> dots(3200);
    double at = 0;
    for (std::size_t part = 0; at < 200; ++part) {
      auto const length = path.dashes[part % path.dashes.size()];
      for (auto i = at; i < std::min(at + length, 200.0) && part % 2 == 0; i += 1.0 / 16)
        dots[static_cast<std::size_t>(16 * i)] = true;
      at += length;
    }
    return dots;
  };
  std::vector<std::vector<drawn_path>> pieces;
  for (auto const* const name : {"ring", "bucket", "tree"})
    pieces.push_back(paths_named(page, fmt::format("lower bound: {}", name)));
  REQUIRE(pieces[0].size() == 2);  // with one other, then with two
  REQUIRE(pieces[1].size() == 2);
  REQUIRE(pieces[2].size() == 2);  // alone, then with two
  CHECK(pieces[2][0].dashes.size() == 2);
  auto const are_apart = [&](drawn_path const& one, drawn_path const& other) {
    auto const dots = dots_of(one);
    auto const others = dots_of(other);
    std::size_t both = 0;
    for (std::size_t i = 0; i < dots.size(); ++i) both += dots[i] && others[i] ? 1 : 0;
    return both == 0 && std::ranges::count(dots, true) > 100;
  };
  CHECK(are_apart(pieces[0][0], pieces[1][0]));
  CHECK(are_apart(pieces[0][1], pieces[1][1]));
  CHECK(are_apart(pieces[0][1], pieces[2][1]));
  CHECK(are_apart(pieces[1][1], pieces[2][1]));
}

TEST_CASE("a plot says what its axes and curves are", "[plot]") {
  auto const page = drawn(sample_plot());
  for (auto const* text : {"words", "time (us)", "ring", "bucket", "claimed", "lower bound"}) {
    INFO(text);
    CHECK(has_text(page, text));
  }
  CHECK(has_text(page, "256"));  // a number of its own along x
  CHECK(has_text(page, "100"));
}

TEST_CASE("axes are logarithmic over a wide range, or as it is asked for", "[plot]") {
  auto of = sample_plot();
  auto const x_of_middle = [](plot const& one) {
    auto const points = paths_named(drawn(one), "ring").front().points;
    return (points[1].x - points[0].x) / (points[2].x - points[0].x);
  };
  CHECK(x_of_middle(of) == Approx(0.5));
  of.scales = plot_scales::linear;
  CHECK(x_of_middle(of) == Approx(15.0 / 255));
  of.scales = plot_scales::log_y;
  CHECK(x_of_middle(of) == Approx(15.0 / 255));
  of.scales = plot_scales::log_xy;
  CHECK(x_of_middle(of) == Approx(0.5));
  of.series[0].measured.insert(of.series[0].measured.begin(), {0, 1});
  CHECK(paths_named(drawn(of), "ring").front().points.size() == 3);  // 0 has no place there
  of.scales = plot_scales::by_range;
  CHECK(paths_named(drawn(of), "ring").front().points.size() == 4);
}

TEST_CASE("the texts of an axis do not overlap", "[plot]") {
  auto of = sample_plot();
  of.series.resize(1);
  of.series[0].measured.clear();
  for (double x = 1000; x < 1012; ++x) of.series[0].measured.push_back({x * 1000, x});
  of.scales = plot_scales::linear;
  auto const texts = texts_on(drawn(of));
  double free_from = 0;
  int along_x = 0;
  for (auto const& one : texts) {
    if (one.anchor != text_anchor::middle || !std::isdigit(static_cast<unsigned char>(one.text[0])))
      continue;
    auto const half = text_width(one.text, one.size) / 2;
    CHECK(one.at.x - half > free_from);
    free_from = one.at.x + half;
    ++along_x;
  }
  CHECK(along_x > 2);
}

namespace {

/// A rectangle on a page.
struct page_box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

page_box box_of(drawn_text const& one) {
  auto const width = text_width(one.text, one.size);
  auto const back = one.anchor == text_anchor::end      ? width
                    : one.anchor == text_anchor::middle ? width / 2
                                                        : 0;
  if (one.is_upright)
    return {one.at.x - 0.72 * one.size, one.at.y + back - width, one.at.x, one.at.y + back};
  return {one.at.x - back, one.at.y - 0.72 * one.size, one.at.x - back + width, one.at.y};
}

void check_texts_stand_on(drawing const& page) {
  auto const texts = texts_on(page);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    INFO(texts[i].text);
    auto const one = box_of(texts[i]);
    CHECK(one.left >= 0);
    CHECK(one.top >= 0);
    CHECK(one.right <= page.width);
    CHECK(one.bottom <= page.height);
    for (std::size_t j = 0; j < i; ++j) {
      INFO(texts[j].text);
      auto const other = box_of(texts[j]);
      bool const overlap = one.left < other.right && other.left < one.right &&
                           one.top < other.bottom && other.top < one.bottom;
      CHECK_FALSE(overlap);
    }
  }
}

/// The frame of the curves: the only closed line of five points in black.
page_box frame_of(drawing const& page) {
  for (auto const& shape : page.shapes)
    if (auto const* const path = std::get_if<drawn_path>(&shape);
        path && path->points.size() == 5 && path->width > 0 && path->name.empty() &&
        path->dashes.empty())
      return {path->points[0].x, path->points[0].y, path->points[2].x, path->points[2].y};
  return {};
}

/// Curves over many sizes of blocks, each with a claim and a bound of its own.
plot many_curves(std::size_t count) {
  plot of{.x = "words", .y = "steps", .caption = "lockstep sweep"};
  for (std::size_t i = 0; i < count; ++i) {
    auto const y = 10.0 * static_cast<double>(i + 1);
    of.series.push_back({.name = fmt::format("scheme {}", i),
                         .measured = {{1, y}, {2, y + 3}, {4, y + 5}},
                         .claimed = {{1, y + 1}, {2, y + 4}, {4, y + 6}},
                         .bound = {{1, y - 2}, {2, y - 1}, {4, y + 1}}});
  }
  return of;
}

}  // namespace

TEST_CASE("everything stands on the page", "[plot]") {
  auto of = sample_plot();
  of.series[1].name = "a name that is much longer than the names of curves usually are";
  check_texts_stand_on(drawn(of));
}

TEST_CASE("bounds and claims far from all runs do not stretch an axis", "[plot]") {
  plot of{.x = "processors",
          .y = "steps",
          .scales = plot_scales::log_xy,
          .series = {{.name = "sort",
                      .measured = {{2, 1000}, {4, 9000}, {8, 100'000}},
                      .bound = {{2, 1}, {4, 1}, {8, 1}}}}};
  auto const far = drawn(of);
  CHECK_FALSE(has_text(far, "1"));
  CHECK_FALSE(has_text(far, "100"));
  CHECK(has_text(far, "1,000"));
  CHECK(paths_named(far, "lower bound: sort").empty());
  CHECK(has_text(far, "at 1, below the axis"));
  // One that is near is there as a whole.
  of.series[0].bound = {{2, 200}, {4, 200}, {8, 30'000}};
  auto const near = drawn(of);
  CHECK(has_text(near, "200"));
  REQUIRE(paths_named(near, "lower bound: sort").size() == 1);
  CHECK(paths_named(near, "lower bound: sort").front().points.size() == 3);
  // One that goes on below the axis ends at its edge.
  of.series[0].bound = {{2, 2}, {4, 20}, {8, 30'000}};
  auto const cut = drawn(of);
  auto const frame = frame_of(cut);
  REQUIRE(paths_named(cut, "lower bound: sort").size() == 1);
  auto const points = paths_named(cut, "lower bound: sort").front().points;
  REQUIRE(points.size() == 2);
  CHECK(points[0].y == Approx(frame.bottom));
  CHECK(points[0].x > frame.left + (frame.right - frame.left) / 2);
  CHECK(has_text(cut, "some at 2 to 20, below the axis"));
  // Where none is on the axis, nothing is said of their colours and dashes.
  auto many = many_curves(9);
  for (auto& one : many.series) {
    one.bound = {{1, 0.1}, {2, 0.1}, {4, 0.2}};
    for (auto& point : one.measured) point.y += 100;
  }
  many.series[0].bound[0].y = 0.3;
  many.scales = plot_scales::log_y;
  auto const none = drawn(many);
  CHECK(has_text(none, "lower bound"));
  CHECK(has_text(none, "at 0.1 to 0.3, below the axis"));
  CHECK_FALSE(has_text(none, "in their curves' colours"));
  // A claim far above, on a linear axis, too.
  of.scales = plot_scales::linear;
  of.series[0].bound.clear();
  of.series[0].claimed = {{2, 2e6}, {4, 2e6}, {8, 2e6}};
  auto const above = drawn(of);
  CHECK(has_text(above, "100,000"));
  CHECK(has_text(above, "at 2e6, above the axis"));
  CHECK(paths_named(above, "claimed: sort").empty());
  // The scale goes by the runs and what is near them: 1000 to 9000 is a range below 20.
  of.scales = plot_scales::by_range;
  of.series[0] = {.name = "sort", .measured = {{2, 1000}, {4, 9000}}, .bound = {{2, 1}, {4, 1}}};
  CHECK(has_text(drawn(of), "0"));
  CHECK(paths_named(drawn(of), "lower bound: sort").size() == 1);
}

TEST_CASE("claims and bounds of one colour have dashes that differ", "[plot]") {
  auto const page = drawn(many_curves(22));
  auto const dashes = [&](std::string const& what, std::size_t series) {
    auto const paths = paths_named(page, fmt::format("{}: scheme {}", what, series));
    REQUIRE_FALSE(paths.empty());
    return paths.front().dashes;
  };
  for (std::string const what : {"claimed", "lower bound"}) {
    INFO(what);
    std::set<std::vector<double>> kinds;
    for (std::size_t const series : {0, 7, 14, 21}) kinds.insert(dashes(what, series));
    CHECK(kinds.size() == 4);
    CHECK(dashes(what, 0) == dashes(what, 6));
    CHECK(dashes(what, 8) == dashes(what, 13));
    // The legend has each of them.
    for (auto const* const which : {"1 to 7", "8 to 14", "15 to 21", "22"})
      CHECK(has_text(
          page, fmt::format("{}, curve{} {}", what, std::string(which) == "22" ? "" : "s", which)));
  }
  auto const few = drawn(many_curves(7));
  CHECK(has_text(few, "claimed"));
  CHECK(has_text(few, "lower bound"));
}

TEST_CASE("a plot of a given size has letters of 8 points", "[plot]") {
  auto of = sample_plot();
  of.size = lockstep::plot_size{3.4, 2.5};
  auto const page = drawn(of);
  CHECK(page.width == Approx(3.4 * 72));
  CHECK(page.height == Approx(2.5 * 72));
  check_texts_stand_on(page);
  for (auto const& one : texts_on(page)) {
    INFO(one.text);
    CHECK(one.size >= Approx(8));
  }
  for (auto const* const text : {"ring", "bucket", "claimed", "lower bound", "words", "time (us)"})
    CHECK(has_text(page, text));
  auto const frame = frame_of(page);
  CHECK(frame.right - frame.left > 0.75 * page.width);  // the legend stands below
  CHECK(frame.bottom - frame.top > 0.45 * page.height);
  // The command stands in what is told of the file, and takes no room.
  auto const svg = as_svg(page);
  CHECK(contains(svg, "width=\"244.8pt\" height=\"180pt\" viewBox=\"0 0 244.8 180\""));
  CHECK(contains(svg, "<desc>lockstep 0.1.0: lockstep sweep"));
  CHECK(svg.rfind("lockstep sweep") < svg.find("</desc>"));
  CHECK(contains(as_pdf(page), "/MediaBox [0 0 244.8 180]"));
  CHECK(svg == as_svg(drawn(of)));
}

TEST_CASE("a plot of a given width is as high as its legend needs", "[plot]") {
  auto of = many_curves(20);
  of.size = lockstep::plot_size{.width = 3.4};
  auto const page = drawn(of);
  CHECK(page.width == Approx(244.8));
  check_texts_stand_on(page);
  auto const frame = frame_of(page);
  CHECK(frame.bottom - frame.top == Approx(0.6 * (frame.right - frame.left)));
  // A wide one has the legend beside the curves.
  of.size = lockstep::plot_size{7, 5.4};
  auto const wide = drawn(of);
  check_texts_stand_on(wide);
  CHECK(frame_of(wide).right < 0.8 * wide.width);
  CHECK(frame_of(wide).bottom > 0.85 * wide.height);
  // Where it is too high for that, it stands below in several columns.
  of.size = lockstep::plot_size{7, 4};
  auto const low = drawn(of);
  check_texts_stand_on(low);
  CHECK(frame_of(low).right > 0.9 * low.width);
  CHECK(frame_of(low).bottom - frame_of(low).top > 0.45 * low.height);
}

TEST_CASE("a size without room for the curves is refused with one that has it", "[plot]") {
  auto of = many_curves(20);
  of.size = lockstep::plot_size{3.4, 1.5};
  CHECK_THROWS_WITH(drawn(of), ::has_text("3.4 x 1.5 inches leave no room for curves and a "
                                          "legend of 26 lines; take a height of "));
  of = sample_plot();
  of.series[0].name = std::string(120, 'm');
  of.size = lockstep::plot_size{3.4, 2.5};
  CHECK_THROWS_WITH(drawn(of), ::has_text("in the legend is wider than 3.4 inches; take a width "
                                          "of "));
  of.size = lockstep::plot_size{0.5, 2.5};
  CHECK_THROWS_WITH(drawn(of), ::has_text("0.5 x 2.5 inches"));
}

TEST_CASE("long names and titles of a small plot stand on several lines", "[plot]") {
  auto of = sample_plot();
  of.title = "all-reduce, priced by loggp:latency_us=5, overhead_us=1, gap_us=2, operation_us=0.01";
  for (std::size_t i = 0; i < 3; ++i)
    of.series.push_back({.name = fmt::format("hypercube, recursive-doubling, in packets of {}", i),
                         .measured = {{1, 12}, {16, 21}, {256, 401}}});
  of.size = lockstep::plot_size{.width = 3.4};
  auto const page = drawn(of);
  check_texts_stand_on(page);
  CHECK(page.width == Approx(244.8));
  std::string all;
  for (auto const& one : texts_on(page)) all += one.text + ' ';
  CHECK(contains(all, of.title));
  CHECK(
      contains(all, "in packets of 2, the same as hypercube, recursive-doubling, in packets of 0"));
}

TEST_CASE("the last number along x of a small plot is there", "[plot]") {
  plot of{.x = "words", .y = "steps", .size = lockstep::plot_size{.width = 3.4}};
  of.series = {{.name = "a"}};
  for (double words = 1; words <= 16384; words *= 4) of.series[0].measured.push_back({words, 3});
  auto const page = drawn(of);
  check_texts_stand_on(page);
  for (auto const* const number : {"16,384", "1,024", "64", "4"}) CHECK(has_text(page, number));
  CHECK_FALSE(has_text(page, "4,096"));
}

TEST_CASE("numbers along axes of a small plot have room", "[plot]") {
  plot of{.x = "n", .y = "time (us)", .size = lockstep::plot_size{2.2, 1.7}};
  of.series = {{.name = "a", .measured = {{1000, 3}, {1e6, 1900}}}};
  for (auto const scales : {plot_scales::log_xy, plot_scales::linear}) {
    of.scales = scales;
    auto const page = drawn(of);
    check_texts_stand_on(page);
    auto const along_y = std::ranges::count_if(
        texts_on(page), [](auto const& one) { return one.anchor == text_anchor::end; });
    CHECK(along_y >= 2);
  }
}

TEST_CASE("a plot of one point, or of none, is drawn", "[plot]") {
  auto of = sample_plot();
  of.series = {{.name = "ring", .measured = {{4, 7}}}};
  CHECK(is_well_formed(as_svg(drawn(of))));
  of.series.clear();
  CHECK(is_well_formed(as_svg(drawn(of))));
  of.series = {{.name = "none", .measured = {{4, 0}, {100, 0}}}};
  CHECK(is_well_formed(as_svg(drawn(of))));
}

TEST_CASE("SVG is XML that names its command", "[plot]") {
  auto const svg = as_svg(drawn(sample_plot()));
  CHECK(is_well_formed(svg));
  CHECK(contains(svg, "<title>all-reduce &amp; &lt;more&gt;</title>"));
  CHECK(contains(svg,
                 "<desc>lockstep 0.1.0: lockstep sweep all-reduce --on "
                 "&quot;torus:{4,8}x4&quot;</desc>"));
  CHECK(contains(svg, "<title>claimed: ring</title></polyline>"));
  CHECK(svg == as_svg(drawn(sample_plot())));
}

TEST_CASE("PDF has its objects where its table says", "[plot]") {
  auto const pdf = as_pdf(drawn(sample_plot()));
  CHECK(pdf.starts_with("%PDF-1.4\n"));
  CHECK(pdf.ends_with("%%EOF\n"));
  CHECK(contains(pdf, "(lockstep 0.1.0: lockstep sweep all-reduce --on \"torus:{4,8}x4\")"));
  auto const table = pdf.find("xref\n0 9\n");
  REQUIRE(table != std::string::npos);
  CHECK(contains(pdf, "startxref\n" + std::to_string(table) + "\n"));
  for (std::size_t object = 1; object <= 8; ++object) {
    auto const place = std::stoul(pdf.substr(table + 9 + 20 * object, 10));
    CHECK(pdf.substr(place).starts_with(std::to_string(object) + " 0 obj\n"));
  }
  auto const begins = pdf.find("stream\n") + 7;
  auto const length = std::stoul(pdf.substr(pdf.find("/Length ") + 8));
  CHECK(pdf.substr(begins + length).starts_with("endstream"));
}

TEST_CASE("texts are as wide as in Helvetica", "[plot]") {
  CHECK(text_width("", 10) == 0);
  CHECK(text_width("iW", 10) == Approx(2.22 + 9.44));
  CHECK(text_width("\xc3\xa4", 10) == Approx(5.56));  // a letter that is not ASCII
}
