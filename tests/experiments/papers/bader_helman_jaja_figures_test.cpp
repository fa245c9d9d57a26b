#include "papers/bader_helman_jaja/figures.hpp"

#include <array>
#include <string>
#include <vector>

#include "catch.hpp"
#include "papers/measured_grid.hpp"

namespace {

using lockstep::claim_verdict;
using lockstep::paper_figure;

std::vector<claim_verdict> verdicts_of(paper_figure const& figure) {
  std::vector<claim_verdict> verdicts;
  verdicts.reserve(figure.checks.size());
  for (auto const& check : figure.checks) verdicts.push_back(check.judged.verdict);
  return verdicts;
}

std::vector<std::string> panels_of(paper_figure const& figure) {
  std::vector<std::string> panels;
  panels.reserve(figure.panels.size());
  for (auto const& panel : figure.panels) panels.push_back(panel.name + ' ' + panel.reading);
  return panels;
}

std::vector<std::string> curves_of(paper_figure const& figure) {
  std::vector<std::string> curves;
  curves.reserve(figure.panels[0].curves.size());
  for (auto const& curve : figure.panels[0].curves) curves.push_back(curve.name);
  return curves;
}

lockstep::measured_curve curve(std::vector<std::uint64_t> const& words) {
  lockstep::measured_curve made{"", {}};
  for (auto const each : words) made.points.emplace_back().words = each;
  return made;
}

constexpr auto holds = claim_verdict::holds;

}  // namespace

TEST_CASE("quotients of a curve, and whether it is a line", "[figures]") {
  auto const quotients = quotients_of(curve({800, 400, 250}));
  CHECK(quotients.least == 1.6);
  CHECK(quotients.largest == 2);
  CHECK(quotients.text() == "1.60 to 2.00");
  lockstep::measured_grid const grid{{1, 2, 4}, {curve({10, 13, 19}), curve({10, 13, 20})}};
  CHECK(is_linear(grid, 0));
  CHECK_FALSE(is_linear(grid, 1));
}

TEST_CASE("a grid is priced point by point", "[figures]") {
  lockstep::measured_grid grid{{1, 2}, {curve({10, 20})}};
  grid.curves[0].name = "n = 1";
  grid.curves[0].points[0].startups = 2;
  auto const panel = priced_panel("a machine", "padded", grid,
                                  {.tau_us = 100, .sigma_us_per_word = 0.5, .label = ""});
  CHECK(panel.name == "a machine");
  CHECK(panel.reading == "padded");
  REQUIRE(panel.curves.size() == 1);
  CHECK(panel.curves[0].name == "n = 1");
  CHECK(panel.curves[0].basis == "measured counts");
  CHECK(panel.curves[0].points[0].us == 205);
  CHECK(panel.curves[0].points[1].x == 2);
  CHECK(panel.curves[0].points[1].us == 10);
}

TEST_CASE("Figure 2: routing time falls with p", "[figures]") {
  auto const figure = lockstep::routing_over_sizes(std::array{4, 8}, {1 << 10, 1 << 14});
  CHECK(figure.name == "bader-helman-jaja-2");
  CHECK(panels_of(figure) ==
        std::vector<std::string>{"CM-5 padded", "T3D padded", "CM-5 real", "T3D real"});
  CHECK(curves_of(figure) == std::vector<std::string>{"n = 1K", "n = 16K"});
  // The paper says what dominates of 32 processors and 128K elements alone.
  CHECK(verdicts_of(figure) == std::vector{claim_verdict::decides_nothing, claim_verdict::not_run});
  CHECK_THAT(figure.checks[0].found, has_text("1/1.7"));
  auto const of_paper = lockstep::routing_over_sizes(std::array{32}, {1 << 17});
  REQUIRE(verdicts_of(of_paper) == std::vector{claim_verdict::decides_nothing});
  // 32 * 31 of (5 * 131072/1024 + 32) 31 words
  CHECK_THAT(of_paper.checks[0].found, has_text("4.8 %"));
  CHECK_THAT(of_paper.checks[0].quoted, has_text("32-processor"));
}

TEST_CASE("Figure 6: routing time grows with h", "[figures]") {
  auto const figure = lockstep::routing_over_h(std::array{8, 16}, 1 << 14);
  CHECK(curves_of(figure) ==
        std::vector<std::string>{"h = n/p", "h = 2n/p", "h = 4n/p", "h = 8n/p"});
  CHECK(verdicts_of(figure) == std::vector(2, claim_verdict::decides_nothing));
  CHECK(figure.panels[0].curves[3].points[0].us > figure.panels[0].curves[0].points[0].us);
}

TEST_CASE("Figure 4: sorting time does not depend on the keys", "[figures]") {
  auto const figure = lockstep::sorting_over_distributions(4, {1 << 10, 1 << 12});
  CHECK(panels_of(figure) == std::vector<std::string>{"SP-2 padded", "SP-2 real"});
  CHECK(curves_of(figure) == std::vector<std::string>{"[R]", "[S]", "[C]", "[N]"});
  CHECK(verdicts_of(figure) == std::vector{claim_verdict::decides_nothing, holds});
  CHECK_FALSE(figure.checks[0].quoted.empty());
  CHECK(figure.checks[1].quoted.empty());
  auto const& padded = figure.panels[0].curves;
  for (auto const& one : padded) CHECK(one.points[1].us == padded[0].points[1].us);
}

TEST_CASE("Figure 5: sorting time is linear in n", "[figures]") {
  auto const figure = lockstep::sorting_over_sizes(std::array{4, 8}, {1 << 14, 1 << 15, 1 << 17});
  CHECK(panels_of(figure) == std::vector<std::string>{"SP-2 padded", "CM-5 padded", "CS-2 padded"});
  CHECK(curves_of(figure) == std::vector<std::string>{"p = 4", "p = 8"});
  CHECK(verdicts_of(figure)[0] == claim_verdict::decides_nothing);
}

TEST_CASE("the figures of Bader, Helman and JaJa are listed", "[figures]") {
  std::vector<std::string> names;
  for (auto const& figure : lockstep::figures())
    if (figure.name.starts_with("bader")) {
      names.push_back(figure.name);
      CHECK(figure.measure == lockstep::size_measure::processors);
      CHECK_FALSE(figure.has_cross_overs);
    }
  CHECK(names == std::vector<std::string>{"bader-helman-jaja-2", "bader-helman-jaja-4",
                                          "bader-helman-jaja-5", "bader-helman-jaja-6"});
}
