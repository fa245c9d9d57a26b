#include <array>
#include <string>
#include <vector>

#include "catch.hpp"
#include "papers/shankar_ranka/figures.hpp"

namespace {

using lockstep::claim_verdict;
using lockstep::figure_curve;
using lockstep::figure_panel;

figure_curve const& curve_called(figure_panel const& panel, std::string const& name) {
  for (auto const& curve : panel.curves)
    if (curve.name == name) return curve;
  FAIL("no curve " << name);
  return panel.curves.front();
}

bool is_below(figure_curve const& measured, figure_curve const& bound) {
  REQUIRE(measured.points.size() == bound.points.size());
  for (std::size_t i = 0; i < bound.points.size(); ++i)
    if (measured.points[i].us > bound.points[i].us) return false;
  return true;
}

}  // namespace

TEST_CASE("a write's total falls to 3n/p and is below all terms", "[figures]") {
  auto const figure = lockstep::total_over_elements(std::array{4, 8}, {1, 4, 64});
  CHECK(all_right(figure));
  CHECK_FALSE(figure.y.is_time);
  REQUIRE(figure.panels.size() == 4);
  CHECK(figure.panels[0].name == "p = 4");
  CHECK(figure.panels[2].reading == "hybrid");
  CHECK(figure.checks[1].judged.verdict == claim_verdict::decides_nothing);
  for (auto const& panel : figure.panels)
    for (auto const* const pattern : {"random", "few-hot", "permutation"}) {
      auto const& curve = curve_called(panel, pattern);
      CHECK(curve.basis == "measured counts");
      CHECK(curve.points.front().x == 0.25);
      CHECK(curve.points.back().us < curve.points.front().us);
      CHECK(curve.points.back().us < 1);
      CHECK(is_below(curve, curve_called(panel, "4.5 with all terms")));
    }
}

TEST_CASE("straight to the owners hot spots take O(n), in two stages what others take",
          "[figures]") {
  auto const figure = lockstep::hot_spots_over_processors(std::array{4, 8, 16});
  CHECK(all_right(figure));
  REQUIRE(figure.panels.size() == 4);
  auto const& one_hot = figure.panels[3];
  CHECK(one_hot.name == "one-hot");
  for (auto const& [p, share] : curve_called(one_hot, "straight to the owners").points)
    CHECK(share == p - 1);
  CHECK(curve_called(one_hot, "two stages").points.back().us < 6);
  for (auto const& panel : figure.panels)
    CHECK(is_below(curve_called(panel, "two stages"), curve_called(panel, "4.5 with all terms")));
}

TEST_CASE("p^2 of a transportation shows for small t", "[figures]") {
  auto const figure = lockstep::square_term(std::array{8, 32}, {0, 1, 4});
  CHECK(all_right(figure));
  REQUIRE(figure.panels.size() == 2);
  CHECK(figure.panels[0].name == "p = 32");
  auto const& adversary = curve_called(figure.panels[0], "adversary");
  CHECK_THAT(adversary.points[0].us, Catch::Matchers::WithinAbs(693.0 / 128, 1e-9));
  CHECK_THAT(adversary.points[1].us, Catch::Matchers::WithinAbs(2677.0 / 2176, 1e-9));
  CHECK(is_below(adversary, curve_called(figure.panels[0], "4.5: 2p(t/p + p)")));
  CHECK(figure.checks[0].judged.verdict == claim_verdict::decides_nothing);
}
