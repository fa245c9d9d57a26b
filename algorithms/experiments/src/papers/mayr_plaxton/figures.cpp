#include "papers/mayr_plaxton/figures.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/topologies/parse.hpp>

#include "papers/entries.hpp"
#include "papers/mayr_plaxton/sorting_steps.hpp"
#include "papers/measured_algorithm.hpp"

namespace lockstep {

namespace {

constexpr int largest_dimension = 1 << 17;
constexpr int largest_machine = 40;  // log2 of more processors than any computer has

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
  auto const result = known->run({.network = parse(fmt::format("hypercube:{}", d)),
                                  .options = {.ports = known->default_ports, .strict = true},
                                  .parameters = parameters_for(*known, given)});
  if (!result.correct) throw wrong_result("a run for a figure");
  return static_cast<double>(result.record.counts().steps);
}

[[nodiscard]] std::int64_t whole(double number) { return static_cast<std::int64_t>(number); }

[[nodiscard]] double measured_bitonic_sort(sorting_load load, int d) {
  return measured_steps("bitonic-sort", d, {{"k", whole(values_each(load, d))}});
}

/// The sort with the l that is the best by the exact formula.
[[nodiscard]] double measured_multiway_sort(sorting_load load, int d) {
  auto const best = best_multiway_sort(step_formulas::exact, load, d);
  auto const k = whole(std::ldexp(values_each(load, d), best.ways));
  return measured_steps("multiway-merge-sort", d, {{"k", k}, {"l", fmt::to_string(best.ways)}});
}

/// Runs of several dimensions, over those of bitonic sort.
template <class Sort>
[[nodiscard]] figure_curve measured_curve(std::string const& name, sorting_load load,
                                          std::span<int const> processors, Sort const& sort) {
  figure_curve curve{name, "measured counts", {}};
  for (int const p : processors) {
    int const d = dimension_of(p);
    curve.points.push_back({1.0 * d, sort(load, d) / measured_bitonic_sort(load, d)});
  }
  return curve;
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

[[nodiscard]] figure_curve curve_by(step_formulas by, sorting_load load) {
  figure_curve curve{std::string(name_of(by)), "formulas", {}};
  for (int const d : dimensions_shown(load))
    curve.points.push_back(
        {1.0 * d, best_multiway_sort(by, load, d).steps / bitonic_sort_steps(load, d)});
  return curve;
}

[[nodiscard]] figure_panel panel_of(sorting_load load, std::span<int const> processors) {
  figure_panel panel{.name = std::string(name_of(load)), .reading = "steps", .curves = {}};
  for (auto const by : all_step_formulas) panel.curves.push_back(curve_by(by, load));
  panel.curves.push_back(measured_curve("exact (run)", load, processors, measured_multiway_sort));
  panel.curves.push_back(measured_curve("odd-even", load, processors, [](sorting_load of, int d) {
    return measured_steps("odd-even-merge-sort", d, {{"k", whole(values_each(of, d))}});
  }));
  return panel;
}

[[nodiscard]] std::string place_of(step_formulas by, sorting_load load) {
  auto const from = better_from(by, load, largest_dimension);
  if (!from) return fmt::format("{}: not up to d = {}", name_of(by), largest_dimension);
  return fmt::format("{}: from d = {} on (l = {})", name_of(by), *from,
                     best_multiway_sort(by, load, *from).ways);
}

/// Where the sort becomes better: a table, a line for each number of values.
[[nodiscard]] figure_check cross_over_check(sorting_load load) {
  std::vector<std::string> found;
  found.reserve(all_step_formulas.size());
  for (auto const by : all_step_formulas) found.push_back(place_of(by, load));
  auto const from = better_from(step_formulas::fused, load, largest_dimension);
  bool const can_be_built = from && *from <= largest_machine;
  auto text = fmt::format("{}", fmt::join(found, "; "));
  if (!can_be_built) text += "; never on a machine that can be built";
  return {fmt::format("{}: fewer steps than Batcher's", name_of(load)), std::move(text),
          can_be_built ? cell_verdict::equal : cell_verdict::explained};
}

/// Whether what was run takes the steps of the exact formula.
[[nodiscard]] figure_check formula_check(std::vector<figure_panel> const& panels) {
  int runs = 0;
  int wrong = 0;
  for (std::size_t i = 0; i < panels.size(); ++i)
    for (auto const& [d, ratio] : panels[i].curves.at(all_step_formulas.size()).points) {
      auto const load = all_sorting_loads.at(i);
      int const dimension = static_cast<int>(d);
      auto const expected = best_multiway_sort(step_formulas::exact, load, dimension).steps /
                            bitonic_sort_steps(load, dimension);
      ++runs;
      if (ratio != expected) ++wrong;
    }
  return {"runs take the steps of the exact formulas",
          fmt::format("{} of {} runs", runs - wrong, runs),
          wrong == 0 ? cell_verdict::equal : cell_verdict::wrong};
}

}  // namespace

paper_figure sorting_over_dimension(std::span<int const> processors) {
  paper_figure figure{
      .name = "mayr-plaxton-sorting",
      .title = "Steps of MultiWayMergeSort over Batcher's bitonic sort (Mayr and Plaxton 1989, 4)",
      .note = "all ports, best l, MergeSort for l = 0; bitonic sort on one port: k d(d + 1)/2",
      .time = "steps / steps of bitonic sort",
      .x = {.quantity = "dimension d", .unit = "", .column = "dimension"},
      .columns = {.panel = "values", .reading = "measure", .curve = "sort"},
      .panels = {},
      .y = {.column = "ratio", .is_time = false}};
  for (auto const load : all_sorting_loads) figure.panels.push_back(panel_of(load, processors));
  for (auto const load : all_sorting_loads) figure.checks.push_back(cross_over_check(load));
  figure.checks.push_back(formula_check(figure.panels));
  return figure;
}

figure_entry mayr_plaxton_figure_entry() {
  return {.name = "mayr-plaxton-sorting",
          .summary = "steps of MultiWayMergeSort over those of bitonic sort, over the dimension",
          .sizes = {4, 16, 64, 256},
          .measure = size_measure::processors,
          .has_cross_overs = false,
          .draw = sorting_over_dimension};
}

}  // namespace lockstep
