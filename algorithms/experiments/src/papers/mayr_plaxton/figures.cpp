#include "papers/mayr_plaxton/figures.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "harness/stages.hpp"
#include "papers/entries.hpp"
#include "papers/judged_check.hpp"
#include "papers/mayr_plaxton/cross_overs.hpp"
#include "papers/mayr_plaxton/sorting_steps.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

constexpr char const* by_counts = "measured counts";

[[nodiscard]] int dimension_of(int processors) {
  if (processors < 2 || !std::has_single_bit(static_cast<unsigned>(processors)))
    throw invalid_argument(
        fmt::format("{} processors are not a hypercube; take a power of two from 2", processors));
  return std::countr_zero(static_cast<unsigned>(processors));
}

/// Steps of a run on a hypercube with its own ports, which has the right result.
[[nodiscard]] double measured_steps(std::string const& name, int d,
                                    std::map<std::string, parameter_value> const& given) {
  auto const* const known = find_experiment(name);
  if (known == nullptr) throw own_mistake("there is no algorithm " + name);
  begin_run("making the input of " + name);
  auto const result = known->run({.network = parse(fmt::format("hypercube:{}", d)),
                                  .options = {.ports = known->default_ports, .strict = true},
                                  .parameters = parameters_for(*known, given)});
  if (!result.correct) throw wrong_result("a run for a figure");
  return static_cast<double>(result.record.counts().steps);
}

[[nodiscard]] std::int64_t whole(double number) { return static_cast<std::int64_t>(number); }

[[nodiscard]] double measured_steps(merging_sort sort, step_formulas by, sorting_load load, int d) {
  auto const each = values_each(load, d);
  if (sort == merging_sort::merge_sort)
    return measured_steps("merge-sort", d,
                          {{"k", whole(each)}, {"fused", by == step_formulas::fused}});
  int const l = best_multiway_sort(by, load, d).ways;
  return measured_steps("multiway-merge-sort", d,
                        {{"k", whole(std::ldexp(each, l))}, {"l", fmt::to_string(l)}});
}

/// The programs that there are of a sort: MultiWayMerge merges by tokens and ranks only.
[[nodiscard]] std::vector<step_formulas> programs_of(merging_sort sort) {
  if (sort == merging_sort::merge_sort) return {step_formulas::exact, step_formulas::fused};
  return {step_formulas::exact};
}

constexpr int dimension_of_all_runs = 8;

/// Whether a run on a larger machine is short enough, and shows first that the sort is better.
[[nodiscard]] bool is_worth_a_run(merging_sort sort, step_formulas by, sorting_load load, int d) {
  constexpr double most_processor_steps = 1e7;
  if (sort == merging_sort::multiway_merge_sort && d < 2) return false;
  if (d <= dimension_of_all_runs) return true;
  auto const is_better = [&](int dimension) {
    return fewest_steps(sort, by, load, dimension) < bitonic_sort_steps(load, dimension);
  };
  return is_better(d) && !is_better(dimension_of_all_runs) &&
         std::ldexp(fewest_steps(sort, by, load, d), d) <= most_processor_steps;
}

/// Runs of Batcher's sorts, each once.
class batcher_runs {
 public:
  [[nodiscard]] double bitonic(sorting_load load, int d) {
    auto& steps = m_bitonic[{load, d}];
    if (steps == 0) steps = measured_steps("bitonic-sort", d, {{"k", whole(values_each(load, d))}});
    return steps;
  }
  /// Steps of odd-even merge sort over those of bitonic sort.
  [[nodiscard]] double odd_even_ratio(sorting_load load, int d) {
    auto& steps = m_odd_even[{load, d}];
    if (steps == 0)
      steps = measured_steps("odd-even-merge-sort", d, {{"k", whole(values_each(load, d))}});
    return steps / bitonic(load, d);
  }

 private:
  std::map<std::pair<sorting_load, int>, double> m_bitonic;
  std::map<std::pair<sorting_load, int>, double> m_odd_even;
};

/// Runs of all sorts, on machines of all dimensions.
[[nodiscard]] std::vector<sorting_run> runs_on(std::span<int const> dimensions,
                                               batcher_runs& batcher) {
  std::vector<sorting_run> runs;
  for (auto const load : all_sorting_loads)
    for (auto const sort : all_merging_sorts)
      for (auto const by : programs_of(sort))
        for (int const d : dimensions)
          if (is_worth_a_run(sort, by, load, d))
            runs.push_back(
                {sort, by, load, d, measured_steps(sort, by, load, d) / batcher.bitonic(load, d)});
  return runs;
}

/// 2, 3, 4, 6, 8, 12, ... up to the largest, or to 1,024 where the question is answered long before.
[[nodiscard]] std::vector<int> dimensions_shown(sorting_load load) {
  int const largest = load == sorting_load::one_each ? largest_dimension : 1024;
  std::vector<int> shown;
  for (int d = 2; d <= largest; d *= 2) {
    shown.push_back(d);
    if (d / 2 * 3 <= largest) shown.push_back(d / 2 * 3);
  }
  return shown;
}

[[nodiscard]] figure_curve curve_by(merging_sort sort, step_formulas by, sorting_load load) {
  figure_curve curve{std::string(name_of(by)), "formulas", {}};
  for (int const d : dimensions_shown(load))
    curve.points.push_back(
        {1.0 * d, fewest_steps(sort, by, load, d) / bitonic_sort_steps(load, d)});
  return curve;
}

[[nodiscard]] figure_curve curve_of_runs(std::span<sorting_run const> runs, merging_sort sort,
                                         step_formulas by, sorting_load load) {
  figure_curve curve{fmt::format("{} (run)", name_of(by)), by_counts, {}};
  for (auto const& run : runs)
    if (run.sort == sort && run.by == by && run.load == load)
      curve.points.push_back({1.0 * run.d, run.ratio});
  return curve;
}

[[nodiscard]] figure_panel panel_of(merging_sort sort, sorting_load load,
                                    std::span<sorting_run const> runs,
                                    figure_curve const& odd_even) {
  figure_panel panel{
      .name = std::string(name_of(load)), .reading = std::string(name_of(sort)), .curves = {}};
  for (auto const by : formulas_of(sort)) panel.curves.push_back(curve_by(sort, by, load));
  for (auto const by : programs_of(sort))
    panel.curves.push_back(curve_of_runs(runs, sort, by, load));
  panel.curves.push_back(odd_even);
  std::erase_if(panel.curves, [](figure_curve const& curve) { return curve.points.empty(); });
  return panel;
}

[[nodiscard]] figure_curve odd_even_curve(sorting_load load, std::span<int const> dimensions,
                                          batcher_runs& batcher) {
  figure_curve curve{"odd-even (run)", by_counts, {}};
  for (int const d : dimensions)
    if (d <= dimension_of_all_runs)
      curve.points.push_back({1.0 * d, batcher.odd_even_ratio(load, d)});
  return curve;
}

/// Whether odd-even merge sort takes the steps that Batcher says.
[[nodiscard]] figure_check odd_even_check(std::span<figure_curve const> curves) {
  std::size_t runs = 0;
  std::size_t right = 0;
  for (std::size_t i = 0; i < curves.size(); ++i)
    for (auto const& [x, ratio] : curves[i].points) {
      auto const load = all_sorting_loads.at(i);
      auto const d = static_cast<int>(x);
      ++runs;
      if (ratio == odd_even_sort_steps(load, d) / bitonic_sort_steps(load, d)) ++right;
    }
  return {"odd-even merge sort takes k(d^2 + d - 1) steps",
          fmt::format("{} of {} runs", right, runs), holds_if(runs > 0 && right == runs)};
}

}  // namespace

paper_figure sorting_over_dimension(std::span<int const> processors) {
  std::vector<int> dimensions;
  for (int const p : processors) dimensions.push_back(dimension_of(p));
  batcher_runs batcher;
  auto const runs = runs_on(dimensions, batcher);
  std::vector<figure_curve> odd_even;
  odd_even.reserve(all_sorting_loads.size());
  for (auto const load : all_sorting_loads)
    odd_even.push_back(odd_even_curve(load, dimensions, batcher));
  paper_figure figure{
      .name = "mayr-plaxton-sorting",
      .title = "Steps of sorts over Batcher's bitonic sort (Mayr and Plaxton 1989, 4)",
      .note =
          "all ports, best l >= 1; bitonic sort on one port: k d(d + 1)/2; the paper has "
          "MultiWayMergeSort for n < p log p",
      .time = "steps / steps of bitonic sort",
      .x = {.quantity = "dimension d", .unit = "", .column = "dimension"},
      .columns = {.panel = "values", .reading = "sort", .curve = "steps"},
      .panels = {},
      .y = {.column = "ratio", .is_time = false}};
  for (auto const sort : all_merging_sorts)
    for (std::size_t i = 0; i < all_sorting_loads.size(); ++i) {
      figure.panels.push_back(panel_of(sort, all_sorting_loads.at(i), runs, odd_even[i]));
      figure.checks.push_back(cross_over_check(sort, all_sorting_loads.at(i), runs));
    }
  figure.checks.push_back(formula_check(runs));
  figure.checks.push_back(odd_even_check(odd_even));
  return figure;
}

figure_entry mayr_plaxton_figure_entry() {
  return {.name = "mayr-plaxton-sorting",
          .summary =
              "steps of MergeSort and MultiWayMergeSort over those of bitonic sort, over "
              "the dimension",
          .sizes = {4, 16, 64, 256, 8192},
          .measure = size_measure::processors,
          .has_cross_overs = false,
          .draw = sorting_over_dimension};
}

}  // namespace lockstep
