#include <array>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/papers.hpp>

#include "catch.hpp"
#include "papers/suh_shin/figures.hpp"

namespace {

using Catch::Matchers::WithinAbs;
using lockstep::completion_times;
using lockstep::figure_panel;

/// From which block size on the proposed exchange is faster than that rival.
double break_even_block_size(figure_panel const& panel, std::string const& rival) {
  for (auto const& found : panel.cross_overs)
    if (found.rival == rival) return found.at.value().x;
  FAIL("no cross-over with " << rival);
  return -1;
}

lockstep::paper_figure drawn(lockstep::suh_shin_figure const& of) {
  return completion_times(of, std::array{16, 8});
}

}  // namespace

TEST_CASE("the figures show the proposed exchange and its rivals, in both readings", "[figures]") {
  auto const figure = drawn(lockstep::suh_shin_figure_13());
  CHECK(figure.name == "suh-shin-13");
  CHECK_THAT(figure.title, has_text("75 us"));
  std::vector<std::string> panels;
  for (auto const& panel : figure.panels) panels.push_back(panel.name + ' ' + panel.reading);
  CHECK(panels == std::vector<std::string>{"torus:16x16 cube", "torus:8x8 cube", "torus:16x16 side",
                                           "torus:8x8 side"});
  for (auto const& panel : figure.panels) {
    REQUIRE(panel.curves.size() == 3);
    CHECK(panel.curves[0].name == "proposed");
    CHECK(panel.curves[0].basis == "measured counts");
    CHECK(panel.curves[1].name == "[13]");
    CHECK(panel.curves[1].basis == "formulas");
    CHECK(panel.curves[2].name == "[19]");
    for (auto const& curve : panel.curves) {
      CHECK(curve.points.front().x == 1);
      CHECK(curve.points.back().x == 1024);
    }
  }
  // T = 8805.6 + 24.832 m, 7835.74 + 54.4 m by Table 2, at m = 4
  auto const& curves = figure.panels[0].curves;
  CHECK(curves[0].points[3].x == 4);
  CHECK_THAT(curves[0].points[3].us, WithinAbs(8904.928, 1e-6));
  CHECK_THAT(curves[1].points[3].us, WithinAbs(8053.34, 1e-6));
  CHECK(drawn(lockstep::suh_shin_figure_14()).panels[0].curves[2].name == "[16]");
}

TEST_CASE("measured cross-over points are those of Table 2", "[figures]") {
  struct row {
    lockstep::suh_shin_figure of;
    std::vector<int> sides;
    std::vector<double> bytes;  // all sides cube, then all sides side
  };
  std::vector<row> const rows{
      {lockstep::suh_shin_figure_13(), {16, 32}, {32.801, 20.663, 15.756, 10.009}},
      {lockstep::suh_shin_figure_14(), {16, 32}, {83.777, 37.287, 40.269, 18.077}},
      {lockstep::suh_shin_figure_15(), {16}, {37.705, 20.659}},
      {lockstep::suh_shin_figure_16(), {16}, {96.294, 52.786}}};
  for (auto const& [of, sides, bytes] : rows) {
    auto const figure = completion_times(of, sides);
    REQUIRE(figure.panels.size() == bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      INFO(figure.name << ", panel " << i);
      CHECK_THAT(break_even_block_size(figure.panels[i], "[13]"), WithinAbs(bytes[i], 0.0006));
      if (of.wraps) {
        CHECK(break_even_block_size(figure.panels[i], "[19]") == 0);
      } else {
        CHECK(break_even_block_size(figure.panels[i], "[16]") < 1);
      }
    }
  }
}

TEST_CASE("a cross-over lies on both curves", "[figures]") {
  auto const panel = completion_times(lockstep::suh_shin_figure_13(), std::array{16}).panels[0];
  auto const at = panel.cross_overs[0].at.value();
  CHECK_THAT(at.us, WithinAbs(8805.6 + 24.832 * at.x, 1e-6));
  CHECK_THAT(at.us, WithinAbs(7835.74 + 54.4 * at.x, 1e-6));
}

TEST_CASE("the figures are listed with the sides that the paper shows", "[figures]") {
  std::vector<std::string> names;
  for (auto const& figure : lockstep::figures()) names.push_back(figure.name);
  CHECK(names == std::vector<std::string>{
                     "suh-shin-13", "suh-shin-14", "suh-shin-15", "suh-shin-16",
                     "mayr-plaxton-sorting", "bader-helman-jaja-2", "bader-helman-jaja-4",
                     "bader-helman-jaja-5", "bader-helman-jaja-6", "jaja-ryu-sorts",
                     "jaja-ryu-packets", "jaja-ryu-start-ups", "shankar-ranka-total",
                     "shankar-ranka-hot-spots", "shankar-ranka-square"});
  CHECK(lockstep::figures()[0].sizes == std::vector{16, 32, 64, 128});
  CHECK(lockstep::figures()[3].sizes == std::vector{16, 64});
  CHECK(lockstep::figures()[3].summary ==
        "completion time over block size on meshes, t_s = 220 us");
  for (auto const& figure : lockstep::figures())
    if (figure.name.starts_with("suh-shin")) CHECK(figure.draw(std::array{8}).name == figure.name);
}

TEST_CASE("sides that the formulas do not know are refused", "[figures]") {
  for (int const side : {0, -8, 4, 12})
    CHECK_THROWS_AS(completion_times(lockstep::suh_shin_figure_13(), std::array{side}),
                    lockstep::invalid_argument);
}
