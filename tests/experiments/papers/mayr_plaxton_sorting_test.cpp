#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <lockstep/algorithms/sorting/multiway_sort_plan.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "papers/mayr_plaxton/cross_overs.hpp"
#include "papers/mayr_plaxton/figures.hpp"
#include "papers/mayr_plaxton/sorting_steps.hpp"

using lockstep::all_merging_sorts;
using lockstep::all_sorting_loads;
using lockstep::best_multiway_sort;
using lockstep::better_from;
using lockstep::bitonic_sort_steps;
using lockstep::claim_verdict;
using lockstep::fewest_steps;
using lockstep::formulas_of;
using lockstep::merge_sort_steps;
using lockstep::merging_sort;
using lockstep::multiway_sort_steps;
using lockstep::sorting_load;
using lockstep::sorting_run;
using lockstep::step_formulas;

namespace {

/// Adds up the calls of MultiWayMergeSort one by one.
template <class Call>
double sum_of_calls(int l, int m, Call const& cost) {
  double sum = 0;
  for (int length = 0; length < m; length += l) sum += cost(std::min(l, m - length), length);
  return sum;
}

double ratio(merging_sort sort, step_formulas by, sorting_load load, int d) {
  return fewest_steps(sort, by, load, d) / bitonic_sort_steps(load, d);
}

double ratio(step_formulas by, int d) {
  return ratio(merging_sort::multiway_merge_sort, by, sorting_load::one_each, d);
}

/// Runs that take what the exact formula says, of these dimensions.
std::vector<sorting_run> runs_by_formula(merging_sort sort, sorting_load load,
                                         std::vector<int> const& dimensions) {
  std::vector<sorting_run> runs;
  for (int const d : dimensions)
    runs.push_back(
        {sort, step_formulas::exact, load, d, ratio(sort, step_formulas::exact, load, d)});
  return runs;
}

/// What the formula comes to in that dimension.
double curve_by_formula(lockstep::figure_panel const& panel, std::string const& name, double d) {
  for (auto const& curve : panel.curves)
    for (auto const& point : curve.points)
      if (curve.name == name && point.x == d) return point.us;
  return 0;
}

}  // namespace

TEST_CASE("the steps of MultiWayMergeSort are those of its calls", "[papers]") {
  using enum step_formulas;
  for (int d = 2; d <= 12; ++d)
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
        CHECK(multiway_sort_steps(stated, d, l, k) ==
              ends + 2 + sum_of_calls(l, m, [&](int ways, int length) {
                return 14 * k + 5 * ways + 19 * length;
              }));
        CHECK(multiway_sort_steps(printed, d, l, k) ==
              k + l + k + d + (14 * k + 4 * l + 12 * m) * m / l);
      }
  CHECK(multiway_sort_steps(exact, 4, 1, 2) == 77);
  CHECK(multiway_sort_steps(exact, 6, 2, 4) == 99);
  CHECK(multiway_sort_steps(exact, 7, 3, 8) == 179);
  CHECK(multiway_sort_steps(stated, 4, 1, 2) == 165);
  CHECK(multiway_sort_steps(stated, 6, 2, 4) == 186);
  CHECK(multiway_sort_steps(stated, 7, 3, 8) == 327);
}

TEST_CASE("the steps are those that the sorts claim", "[papers]") {
  auto const claimed = [](std::vector<lockstep::claim> const& claims, std::string const& formula) {
    auto const found = std::ranges::find(claims, formula, &lockstep::claim::formula);
    return found == claims.end() ? -1 : found->value();
  };
  for (int d = 2; d <= 12; ++d)
    for (int l = 1; l < d; ++l)
      for (std::uint64_t const k : {1U, 3U, 8U}) {
        lockstep::multiway_sort_plan const plan(d, k << static_cast<unsigned>(d - l), l);
        auto const steps = [&](step_formulas by) {
          return multiway_sort_steps(by, d, l, static_cast<double>(k));
        };
        CHECK(steps(step_formulas::exact) == plan.steps());
        if ((d - l) % l == 0)
          CHECK(steps(step_formulas::stated) ==
                claimed(multiway_merge_sort_claims(plan),
                        "2k + 2l + m + (sum of 14k + 5l + 19il, i = 0 .. ceil(m/l) - 1)"));
        CHECK(steps(step_formulas::printed) ==
              claimed(multiway_merge_sort_claims(plan), "2k + 2l + m + (14k + 4l + 12m)m/l"));
      }
}

TEST_CASE("the steps of MergeSort are those of its merges", "[papers]") {
  for (int d = 0; d <= 10; ++d)
    for (double const k : {1, 5}) {
      double exact = 0;
      double fused = 0;
      double stated = 0;
      for (int i = 1; i <= d; ++i) {
        exact += 4 * k + 6 * i - 4;
        fused += 3 * k + 3 * i - 3;
        stated += 6 * k + 12 * (i - 1);
      }
      CHECK(merge_sort_steps(step_formulas::exact, d, k) == exact);
      CHECK(merge_sort_steps(step_formulas::fused, d, k) == fused);
      CHECK(merge_sort_steps(step_formulas::stated, d, k) == stated);
    }
}

TEST_CASE("for n = p MultiWayMergeSort takes many times the steps of bitonic sort", "[papers]") {
  using Catch::Matchers::WithinAbs;
  CHECK_THAT(ratio(step_formulas::exact, 8), WithinAbs(3.806, 0.0005));
  CHECK_THAT(ratio(step_formulas::exact, 16), WithinAbs(4.449, 0.0005));
  CHECK_THAT(ratio(step_formulas::exact, 1024), WithinAbs(1.776, 0.0005));
  CHECK_THAT(ratio(step_formulas::exact, 16384), WithinAbs(1.124, 0.0005));
  CHECK_THAT(ratio(step_formulas::stated, 16384), WithinAbs(2.044, 0.0005));
}

TEST_CASE("where each sort becomes better than bitonic sort", "[papers]") {
  using enum step_formulas;
  auto const from = [](merging_sort sort, step_formulas by, sorting_load load) {
    return better_from(sort, by, load, load == sorting_load::one_each ? 1 << 17 : 1024);
  };
  auto const one_each = sorting_load::one_each;
  auto const by_two = merging_sort::merge_sort;
  auto const by_several = merging_sort::multiway_merge_sort;
  CHECK_FALSE(from(by_several, printed, one_each));
  CHECK_FALSE(from(by_several, stated, one_each));
  CHECK(from(by_several, exact, one_each) == 40'922);
  CHECK(from(by_several, fused, one_each) == 2'531);
  for (auto const by : formulas_of(by_two)) CHECK_FALSE(from(by_two, by, one_each));
  auto const all_of = [&](merging_sort sort, sorting_load load) {
    std::vector<int> found;
    for (auto const by : formulas_of(sort)) found.push_back(from(sort, by, load).value());
    return found;
  };
  CHECK(all_of(by_two, sorting_load::log_p_each) == std::vector{23, 13, 8});
  CHECK(all_of(by_two, sorting_load::log_p_square_each) == std::vector{12, 8, 6});
  CHECK(all_of(by_several, sorting_load::log_p_each) == std::vector{65, 64, 42, 40});
  CHECK(all_of(by_several, sorting_load::log_p_square_each) == std::vector{54, 54, 38, 38});
}

TEST_CASE("from its cross-over on a sort is better, and just below it is not", "[papers]") {
  for (auto const sort : all_merging_sorts)
    for (auto const load : all_sorting_loads)
      for (auto const by : formulas_of(sort)) {
        auto const from = better_from(sort, by, load, 100);
        for (int d = 2; d <= 100; ++d)
          if (from && d >= *from) CHECK(ratio(sort, by, load, d) < 1);
        if (from) CHECK(ratio(sort, by, load, *from - 1) >= 1);
      }
}

TEST_CASE("the best number of ways is the best of all", "[papers]") {
  for (auto const load : all_sorting_loads)
    for (auto const by : formulas_of(merging_sort::multiway_merge_sort))
      for (int const d : {2, 5, 16, 100}) {
        auto const best = best_multiway_sort(by, load, d);
        CHECK(best.ways >= 1);
        for (int l = 1; l < d; ++l)
          CHECK(best.steps <= multiway_sort_steps(by, d, l, std::ldexp(values_each(load, d), l)));
      }
}

TEST_CASE("a cross-over that runs contradict is wrong", "[papers]") {
  auto const sort = merging_sort::merge_sort;
  auto const load = sorting_load::log_p_each;
  auto runs = runs_by_formula(sort, load, {2, 6, 12, 13});
  auto const check = cross_over_check(sort, load, runs);
  CHECK(check.judged.verdict == claim_verdict::holds);
  CHECK_THAT(check.found,
             has_text("exact: from d = 13 on; fused: from d = 8 on; so in 4 of 4 runs"));
  runs.back().ratio = 1;  // not fewer steps at d = 13
  CHECK(cross_over_check(sort, load, runs).judged.is_fault);
  CHECK_THAT(cross_over_check(sort, load, runs).found, has_text("so in 3 of 4 runs"));
  runs = runs_by_formula(sort, load, {12});
  runs.back().ratio = 0.99;  // fewer steps before
  CHECK(cross_over_check(sort, load, runs).judged.is_fault);
  // Where there is none at all, a run that takes fewer steps is wrong, too.
  runs = runs_by_formula(sort, sorting_load::one_each, {8});
  CHECK(cross_over_check(sort, sorting_load::one_each, runs).judged.verdict ==
        claim_verdict::holds);
  runs.back().ratio = 0.5;
  CHECK(cross_over_check(sort, sorting_load::one_each, runs).judged.is_fault);
  // Runs of others do not count.
  CHECK_THAT(
      cross_over_check(merging_sort::multiway_merge_sort, sorting_load::one_each, runs).found,
      has_text("never on a machine that can be built; so in 0 of 0 runs"));
}

TEST_CASE("runs that do not take the steps of their formulas are wrong", "[papers]") {
  auto runs =
      runs_by_formula(merging_sort::multiway_merge_sort, sorting_load::log_p_each, {2, 4, 6});
  CHECK(formula_check(runs).judged.verdict == claim_verdict::holds);
  CHECK(formula_check(runs).found == "3 of 3 runs");
  runs[1].ratio += 1e-9;
  CHECK(formula_check(runs).judged.is_fault);
  CHECK(lockstep::formula_check({}).judged.is_fault);
}

TEST_CASE("the figure of sorting shows runs beside formulas", "[figures]") {
  auto const figure = lockstep::sorting_over_dimension(std::array{2, 4, 64});
  CHECK(all_right(figure));
  REQUIRE(figure.panels.size() == 6);
  CHECK(figure.panels[1].name == "n = p log p");
  CHECK(figure.panels[1].reading == "MergeSort");
  CHECK(figure.panels[5].reading == "MultiWayMergeSort");
  for (auto const& panel : figure.panels) {
    bool const is_by_two = panel.reading == "MergeSort";
    CHECK(panel.curves.size() == 6);
    for (auto const& curve : panel.curves) {
      bool const is_run = curve.basis == "measured counts";
      bool const has_one_dimension = is_run && (is_by_two || curve.name == "odd-even (run)");
      CHECK(curve.points.front().x == (has_one_dimension ? 1 : 2));
      CHECK(curve.points.back().x == (is_run ? 6 : panel.name == "n = p" ? 1 << 17 : 1024));
      for (auto const& point : curve.points) CHECK(point.us > 0);
      if (curve.name == "odd-even (run)") {
        for (auto const& [d, steps] : curve.points)
          CHECK_THAT(steps, Catch::Matchers::WithinRel((d * d + d - 1) / (d * (d + 1) / 2), 1e-12));
      } else if (is_run) {
        auto const formula = curve.name.substr(0, curve.name.find(' '));
        CHECK(curve.points.back().us == curve_by_formula(panel, formula, 6));
      }
    }
  }
  // Fused, MergeSort of (log p)^2 values on each of 64 processors takes fewer steps than bitonic sort.
  CHECK(curve_by_formula(figure.panels[2], "fused (run)", 6) < 1);
  CHECK(curve_by_formula(figure.panels[2], "exact (run)", 6) > 1);
  REQUIRE(figure.checks.size() == 8);
  for (auto const& check : figure.checks) {
    CHECK(check.judged.verdict == claim_verdict::holds);
    CHECK(check.quoted.empty());  // none of it is in the paper
  }
  CHECK_THROWS_AS(lockstep::sorting_over_dimension(std::array{6}), lockstep::invalid_argument);
}
