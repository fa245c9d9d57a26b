#include "papers/run_pace.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <lockstep/experiments/papers.hpp>

#include "catch.hpp"

namespace {

lockstep::run_pace const* pace_of(std::string_view name) {
  auto const paces = lockstep::run_paces();
  auto const found = std::ranges::find(paces, name, &lockstep::run_pace::name);
  return found == paces.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("paces are of papers and figures, and rise to all of the time", "[papers][progress]") {
  for (auto const& pace : lockstep::run_paces()) {
    INFO(pace.name);
    CHECK((std::ranges::count(lockstep::papers(), pace.name, &lockstep::paper_entry::name) +
           std::ranges::count(lockstep::figures(), pace.name, &lockstep::figure_entry::name)) == 1);
    auto const expected = lockstep::expected_runs(pace.name);
    CHECK(expected.size() == pace.points.back().runs);
    CHECK(std::ranges::is_sorted(expected));
    CHECK(expected.front() >= 0);
    CHECK(expected.back() == 1);
  }
  CHECK(lockstep::expected_runs("nothing").empty());
}

TEST_CASE("time is spread evenly over the runs between two points", "[papers][progress]") {
  auto const* const pace = pace_of("suh-shin-13");
  REQUIRE(pace != nullptr);
  REQUIRE(pace->points.size() >= 2);
  auto const expected = lockstep::expected_runs("suh-shin-13");
  for (auto const& [runs, percent] : pace->points)
    CHECK(expected[runs - 1] == Approx(percent / 100));
}
