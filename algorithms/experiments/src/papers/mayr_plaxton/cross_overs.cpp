#include "papers/mayr_plaxton/cross_overs.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "papers/judged_check.hpp"

namespace lockstep {

namespace {

[[nodiscard]] std::string text_of(merging_sort sort, step_formulas by, sorting_load load,
                                  std::optional<int> from) {
  if (!from) return fmt::format("{}: not up to d = {}", name_of(by), largest_dimension);
  auto text = fmt::format("{}: from d = {} on", name_of(by), *from);
  if (sort == merging_sort::multiway_merge_sort)
    text += fmt::format(" (l = {})", best_multiway_sort(by, load, *from).ways);
  return text;
}

/// How many runs there are, and how many of them are on the side of the cross-over where they ought
/// to be.
struct runs_in_order {
  int all = 0;
  int right = 0;
};

void count_runs(runs_in_order& counted, std::span<sorting_run const> runs, merging_sort sort,
                sorting_load load, step_formulas by, std::optional<int> from) {
  for (auto const& run : runs) {
    if (run.sort != sort || run.load != load || run.by != by) continue;
    bool const is_to_be_better = from && run.d >= *from;
    ++counted.all;
    if ((run.ratio < 1) == is_to_be_better) ++counted.right;
  }
}

[[nodiscard]] double ratio_by_formula(sorting_run const& of) {
  return fewest_steps(of.sort, of.by, of.load, of.d) / bitonic_sort_steps(of.load, of.d);
}

}  // namespace

figure_check cross_over_check(merging_sort sort, sorting_load load,
                              std::span<sorting_run const> runs) {
  std::vector<std::string> found;
  runs_in_order counted;
  int earliest = largest_dimension + 1;
  for (auto const by : formulas_of(sort)) {
    auto const from = better_from(sort, by, load, largest_dimension);
    found.push_back(text_of(sort, by, load, from));
    earliest = std::min(earliest, from.value_or(earliest));
    count_runs(counted, runs, sort, load, by, from);
  }
  bool const can_be_built = earliest <= largest_machine;
  if (!can_be_built) found.emplace_back("never on a machine that can be built");
  found.push_back(fmt::format("so in {} of {} runs", counted.right, counted.all));
  return {fmt::format("{}: by formulas, where {} takes fewer steps than bitonic sort",
                      name_of(load), name_of(sort)),
          fmt::format("{}", fmt::join(found, "; ")), holds_if(counted.right == counted.all)};
}

figure_check formula_check(std::span<sorting_run const> runs) {
  auto const right = std::ranges::count_if(
      runs, [](sorting_run const& run) { return run.ratio == ratio_by_formula(run); });
  bool const all_are = !runs.empty() && std::cmp_equal(right, runs.size());
  return {"runs take the steps of their formulas", fmt::format("{} of {} runs", right, runs.size()),
          holds_if(all_are)};
}

}  // namespace lockstep
