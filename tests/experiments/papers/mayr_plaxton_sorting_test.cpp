#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include <lockstep/algorithms/sorting/multiway_sort_plan.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "papers/mayr_plaxton/figures.hpp"
#include "papers/mayr_plaxton/sorting_steps.hpp"

using lockstep::best_multiway_sort;
using lockstep::better_from;
using lockstep::bitonic_sort_steps;
using lockstep::multiway_sort_steps;
using lockstep::sorting_load;
using lockstep::step_formulas;

namespace {

/// Adds up the calls of MultiWayMergeSort one by one.
template <class Call>
double sum_of_calls(int l, int m, Call const& cost) {
  double sum = 0;
  for (int length = 0; length < m; length += l) sum += cost(std::min(l, m - length), length);
  return sum;
}

double ratio(step_formulas by, int d) {
  return best_multiway_sort(by, sorting_load::one_each, d).steps /
         bitonic_sort_steps(sorting_load::one_each, d);
}

/// What the exact formula comes to in that dimension.
double curve_by_formula(lockstep::figure_panel const& panel, double d) {
  for (auto const& curve : panel.curves)
    for (auto const& point : curve.points)
      if (curve.name == "exact" && point.x == d) return point.us;
  return 0;
}

}  // namespace

TEST_CASE("the steps of MultiWayMergeSort are those of its calls", "[papers]") {
  using enum step_formulas;
  for (int d = 1; d <= 12; ++d)
    for (int l = 1; l < d; ++l)
      for (double const k : {1, 2, 8}) {
        int const m = d - l;
        double const ends = k + l - 1 + k + d - 1;
        auto const own_steps = [&](double per_column) {
          return ends + sum_of_calls(l, m, [&](int ways, int length) {
                   return length == 0 ? 5 * (k + ways - 1)
                                      : 10 * k + 5 * ways + per_column * length - 10;
                 });
        };
        CHECK(multiway_sort_steps(exact, d, l, k) == own_steps(10));
        CHECK(multiway_sort_steps(fused, d, l, k) == own_steps(6));
        CHECK(multiway_sort_steps(paper, d, l, k) ==
              ends + 2 + sum_of_calls(l, m, [&](int ways, int length) {
                return 14 * k + 5 * ways + 19 * length;
              }));
      }
  CHECK(multiway_sort_steps(exact, 4, 1, 2) == 77);
  CHECK(multiway_sort_steps(exact, 6, 2, 4) == 99);
  CHECK(multiway_sort_steps(exact, 7, 3, 8) == 179);
  CHECK(multiway_sort_steps(paper, 4, 1, 2) == 165);
  CHECK(multiway_sort_steps(paper, 6, 2, 4) == 186);
  CHECK(multiway_sort_steps(paper, 7, 3, 8) == 327);
}

TEST_CASE("the exact steps are those that the sort claims", "[papers]") {
  for (int d = 1; d <= 12; ++d)
    for (int l = 0; l < d; ++l)
      for (std::uint64_t const k : {1U, 3U, 8U}) {
        lockstep::multiway_sort_plan const plan(d, k << static_cast<unsigned>(d - l), l);
        CHECK(multiway_sort_steps(step_formulas::exact, d, l, static_cast<double>(k)) ==
              plan.steps());
      }
}

TEST_CASE("the steps of MergeSort are those of its merges", "[papers]") {
  for (int d = 0; d <= 10; ++d)
    for (double const k : {1, 5}) {
      double exact = 0;
      double fused = 0;
      double paper = 0;
      for (int i = 1; i <= d; ++i) {
        exact += 4 * k + 6 * i - 4;
        fused += 3 * k + 3 * i - 3;
        paper += 6 * k + 12 * (i - 1);
      }
      CHECK(multiway_sort_steps(step_formulas::exact, d, 0, k) == exact);
      CHECK(multiway_sort_steps(step_formulas::fused, d, 0, k) == fused);
      CHECK(multiway_sort_steps(step_formulas::paper, d, 0, k) == paper);
    }
}

TEST_CASE("for n = p MultiWayMergeSort takes many times the steps of bitonic sort", "[papers]") {
  auto const rounded = [](double number, double to) { return std::round(number / to) * to; };
  using Catch::Matchers::WithinAbs;
  CHECK_THAT(rounded(ratio(step_formulas::exact, 8), 0.1), WithinAbs(3.8, 1e-9));
  CHECK_THAT(ratio(step_formulas::exact, 16), WithinAbs(4.45, 0.005));
  CHECK_THAT(rounded(ratio(step_formulas::exact, 1024), 0.1), WithinAbs(1.8, 1e-9));
  CHECK_THAT(rounded(ratio(step_formulas::exact, 16384), 0.01), WithinAbs(1.12, 1e-9));
  CHECK_THAT(rounded(ratio(step_formulas::paper, 16384), 0.01), WithinAbs(2.04, 1e-9));
}

TEST_CASE("MultiWayMergeSort becomes better than bitonic sort", "[papers]") {
  using enum step_formulas;
  int const largest = 1 << 17;
  CHECK_FALSE(better_from(paper, sorting_load::one_each, largest));
  CHECK_FALSE(better_from(printed, sorting_load::one_each, largest));
  CHECK(better_from(exact, sorting_load::one_each, largest) == 40'922);
  CHECK(better_from(fused, sorting_load::one_each, largest) == 2'531);
  CHECK(better_from(exact, sorting_load::log_p_each, largest) == 13);
  CHECK(better_from(fused, sorting_load::log_p_each, largest) == 8);
  CHECK(better_from(exact, sorting_load::log_p_square_each, largest) == 8);
  for (auto const load : lockstep::all_sorting_loads)
    for (auto const by : {exact, fused}) {
      int const from = better_from(by, load, largest).value();
      CHECK(best_multiway_sort(by, load, from).steps < bitonic_sort_steps(load, from));
      CHECK(best_multiway_sort(by, load, from - 1).steps >= bitonic_sort_steps(load, from - 1));
    }
}

TEST_CASE("the best number of ways is the best of all", "[papers]") {
  for (auto const load : lockstep::all_sorting_loads)
    for (auto const by : lockstep::all_step_formulas)
      for (int const d : {1, 2, 5, 16, 100}) {
        auto const best = best_multiway_sort(by, load, d);
        for (int l = 0; l < d; ++l)
          CHECK(best.steps <= multiway_sort_steps(by, d, l, std::ldexp(values_each(load, d), l)));
      }
}

TEST_CASE("the figure of sorting shows runs beside formulas", "[figures]") {
  auto const figure = lockstep::sorting_over_dimension(std::array{2, 4, 16});
  CHECK(all_right(figure));
  REQUIRE(figure.panels.size() == 3);
  CHECK(figure.panels[1].name == "n = p log p");
  for (auto const& panel : figure.panels)
    for (auto const& curve : panel.curves) {
      bool const is_run = curve.basis == "measured counts";
      CHECK(curve.points.front().x == (is_run ? 1 : 2));
      CHECK(curve.points.back().x == (is_run ? 4 : panel.name == "n = p" ? 1 << 17 : 1024));
      for (auto const& point : curve.points) CHECK(point.us > 0);
      if (curve.name == "exact (run)") CHECK(curve.points.back().us == curve_by_formula(panel, 4));
      if (curve.name == "odd-even")
        for (auto const& [d, ratio] : curve.points)
          CHECK_THAT(ratio, Catch::Matchers::WithinRel((d * d + d - 1) / (d * (d + 1) / 2), 1e-12));
    }
  CHECK_THAT(figure.checks[0].found, has_text("never on a machine that can be built"));
  CHECK(figure.checks[0].verdict == lockstep::cell_verdict::explained);
  CHECK(figure.checks[1].verdict == lockstep::cell_verdict::equal);
  CHECK_THROWS_AS(lockstep::sorting_over_dimension(std::array{6}), lockstep::invalid_argument);
}
