#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "papers/jaja_ryu/figures.hpp"

namespace {

using lockstep::claim_verdict;
using lockstep::figure_panel;

std::vector<double> xs_of(figure_panel const& panel, std::size_t curve) {
  std::vector<double> xs;
  for (auto const& point : panel.curves.at(curve).points) xs.push_back(point.x);
  return xs;
}

}  // namespace

TEST_CASE("column sort is best from the keys on that it needs", "[figures]") {
  auto const figure = lockstep::sorts_over_keys(std::array{4, 8}, {{16, 1}, {1024, 16}}, 512);
  CHECK(all_right(figure));
  REQUIRE(figure.panels.size() == 4);
  REQUIRE(figure.checks.size() == 4);
  auto const& small = figure.panels[0];
  CHECK(small.name == "p = 4");
  CHECK(small.reading == "tau = 16, m = 1");
  CHECK(small.curves[0].name == "column sort");
  CHECK(xs_of(small, 0) == std::vector<double>{32, 64, 128});            // from 2(p - 1)^2 = 18 on
  CHECK(xs_of(small, 1) == std::vector<double>{4, 8, 16, 32, 64, 128});  // to 8 times that
  REQUIRE(small.cross_overs.size() == 3);  // all but sample sort, which needs more keys
  CHECK(small.cross_overs[0].rival == "rotate sort");
  REQUIRE(small.cross_overs[0].at);
  CHECK(small.cross_overs[0].at->x == 0);  // wherever it may be used
  // 4 start-ups, and 2(p - 1) ceil(q/p) + floor(q/2) * 2 words for q = 32
  CHECK(small.curves[0].points[0].us == 4 * 16 + 2 * 3 * 8 + 2 * 16);
  CHECK(figure.checks[0].judged.verdict == claim_verdict::holds);
}

TEST_CASE("a start-up that costs more than the keys makes sample sort faster, as its bound says",
          "[figures]") {
  auto const figure = lockstep::sorts_over_keys(std::array{8}, {{1'000'000, 1}}, 1024);
  REQUIRE(figure.checks.size() == 1);
  CHECK(figure.checks[0].judged.verdict == claim_verdict::our_program_exceeds);
  CHECK_THAT(figure.checks[0].quoted, has_text("section 5.1"));
  CHECK(all_right(figure));
}

TEST_CASE("larger packets take longer, all the more for algorithms with short messages",
          "[figures]") {
  auto const figure = lockstep::times_over_packets(std::array{8}, 4096, 64);
  CHECK(all_right(figure));
  REQUIRE(figure.panels.size() == 1);
  auto const& panel = figure.panels[0];
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    INFO(panel.curves[i].name);
    CHECK(xs_of(panel, i) == std::vector<double>{1, 2, 4, 8, 16, 32, 64});
    CHECK(panel.curves[i].points.back().us >= panel.curves[i].points.front().us);
  }
  CHECK(panel.curves[0].name == "transposition");
  CHECK(panel.curves[0].points[0].us == 64 + 7 * 64);
}

TEST_CASE("way 1 of a broadcast is faster where a start-up costs little", "[figures]") {
  auto const figure = lockstep::broadcasts_over_start_ups(std::array{16}, {64}, 1024);
  REQUIRE(figure.panels.size() == 1);
  auto const& panel = figure.panels[0];
  REQUIRE(panel.curves.size() == 2);
  CHECK(xs_of(panel, 0).size() == 11);
  // way 2: 2 start-ups and 2(p - 1) ceil(n/p) words
  CHECK(panel.curves[1].points[0].us == 2 * 1 + 2 * 15 * 4);
  CHECK(panel.cross_overs.size() == 1);
}
