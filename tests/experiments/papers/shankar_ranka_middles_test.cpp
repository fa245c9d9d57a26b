#include <algorithm>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "papers/measured_algorithm.hpp"
#include "papers/shankar_ranka/random_middles.hpp"
#include "row_cells.hpp"

namespace {

using lockstep::claim_verdict;
using lockstep::paper_table;

/// Checks that middles that are drawn save words where those in turn are worst.
void check_saved_words(paper_table const& table) {
  std::string const adversary = "p = 32, adversary, r = 63, c = 64";
  auto const& in_turn = row_in(table, adversary, "in turn");
  auto const& drawn = row_in(table, adversary + ", 250 seeds", "first at random");
  CHECK(cell_in(in_turn, "largest excess").measured.value() >
        cell_in(drawn, "largest excess").measured.value());
  CHECK(cell_in(drawn, "mean excess").measured.value() <
        cell_in(drawn, "largest excess").measured.value());
  CHECK(cell_in(drawn, "stage 2, likely").verdict() == claim_verdict::holds);
  CHECK(cell_in(drawn, "largest excess").verdict() == claim_verdict::decides_nothing);
  CHECK(cell_in(drawn, "largest excess").is_ours);
  for (auto const* const figure : {"stage 2, likely", "largest excess", "mean excess"})
    CHECK(cell_in(in_turn, figure).verdict() == claim_verdict::outside_the_claim);
}

/// Checks that the words beyond grow no faster than p sqrt(p ln p) where first middles are drawn.
void check_growth(paper_table const& trends) {
  for (auto const* const traffic : {"p = 8 to 64, adversary", "p = 8 to 32, uniform"}) {
    auto const& drawn = row_in(trends, traffic, "first at random");
    CHECK(cell_in(drawn, "largest excess").verdict() == claim_verdict::holds);
    CHECK(cell_in(drawn, "mean excess").verdict() == claim_verdict::holds);
    CHECK_FALSE(cell_in(drawn, "largest excess").measured);
    CHECK(cell_in(drawn, "largest excess").is_ours);
  }
  auto const& in_turn = row_in(trends, "p = 8 to 64, adversary", "in turn");
  CHECK(cell_in(in_turn, "largest excess").verdict() == claim_verdict::outside_the_claim);
  CHECK(cell_in(in_turn, "largest excess").judged.reason ==
        "made for random traffic, or first middles that are drawn, as we read it");
}

/// Checks that section 2's 2t is for draws, from p sqrt(p ln p) on.
void check_twice_the_traffic(paper_table const& table) {
  auto const words_of = [&](std::string const& input, std::string const& algorithm) {
    return cell_in(row_in(table, input, algorithm), "most words");
  };
  auto const above = words_of("p = 16, uniform, r = 128, c = 128, 250 seeds", "first at random");
  CHECK(above.claimed == 256);
  CHECK_FALSE(above.is_ours);
  CHECK(above.verdict() == claim_verdict::decides_nothing);  // "+ lower order terms"
  // 16 sqrt(16 ln 16) is 106.6, and 8 sqrt(8 ln 8) is 32.6.
  for (auto const* const input : {"p = 16, adversary, r = 31, c = 32, 250 seeds",
                                  "p = 8, uniform, r = 32, c = 32, 250 seeds"}) {
    auto const below = words_of(input, "first at random");
    CHECK(below.verdict() == claim_verdict::outside_the_claim);
    CHECK(below.judged.reason == "made for t = max(r, c) >= p sqrt(p ln p)");
  }
  // The adversary above it, too: draws do without most of its rounding, and 2t leaves some open.
  auto const worst = words_of("p = 16, adversary, r = 287, c = 288, 50 seeds", "first at random");
  CHECK(worst.claimed == 576);
  CHECK(worst.verdict() == claim_verdict::decides_nothing);
  CHECK(worst.measured.value() <
        words_of("p = 16, adversary, r = 287, c = 288", "in turn").measured.value());
  auto const in_turn = words_of("p = 16, uniform, r = 128, c = 128", "in turn");
  CHECK(in_turn.measured == 240);
  CHECK(in_turn.judged.reason ==
        "made for random traffic, or first middles that are drawn, as we read it");
}

/// Checks that random traffic stands beside 2t from p sqrt(p ln p) on, with draws and without.
void check_random_traffic(paper_table const& table) {
  for (auto const* const algorithm : {"in turn", "first at random"}) {
    auto const cell = cell_in(
        row_in(table, "p = 16, random, 107 elements each, 50 seeds", algorithm), "most words");
    CHECK(cell.claimed.value() >= 2 * 107);
    CHECK_FALSE(cell.is_ours);
    CHECK(cell.verdict() == claim_verdict::decides_nothing);  // "+ lower order terms"
  }
}

/// Checks that two sizes decide no order of growth.
void check_two_sizes(paper_table const& trends) {
  CHECK(cell_in(row_in(trends, "p = 8 to 16, adversary", "first at random"), "largest excess")
            .verdict() == claim_verdict::decides_nothing);
}

}  // namespace

TEST_CASE("no table of middles is made for fewer than eight processors", "[papers]") {
  CHECK(lockstep::random_middles(4).empty());
}

// The tables take most of the time, and are made once for all that is looked at.
TEST_CASE("middles that are drawn, on up to 16 processors", "[papers]") {
  auto const tables = lockstep::random_middles(16);
  REQUIRE(tables.size() == 3);
  check_twice_the_traffic(tables.front());
  check_random_traffic(tables[1]);
  check_two_sizes(tables.back());
}

TEST_CASE("middles that are drawn, on up to 64 processors", "[papers]") {
  auto const tables = lockstep::random_middles(64);
  CHECK(all_right(tables));
  REQUIRE(tables.size() == 3);
  check_saved_words(tables.front());
  check_growth(tables.back());
}

TEST_CASE("elements that go straight have no middle to draw", "[papers]") {
  CHECK_THROWS_AS(lockstep::run_of_algorithm(
                      "transportation", "crossbar:4",
                      {{"first", std::string("random")}, {"route", std::string("direct")}}),
                  lockstep::invalid_argument);
}
