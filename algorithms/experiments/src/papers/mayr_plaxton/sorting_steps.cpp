#include "papers/mayr_plaxton/sorting_steps.hpp"

#include <cmath>
#include <cstdint>

#include <lockstep/detail/enumerator_names.hpp>

namespace lockstep {

namespace {

/// Adds up c calls, the i-th on lists of 2^(il) sets: `of_each_column` is what log2 of a list's sets
/// costs.
[[nodiscard]] double exact_calls(double k, double l, double m, double of_each_column) {
  double const c = std::ceil(m / l);
  return 5 * m + 5 * (k - 1) + (c - 1) * 10 * (k - 1) + of_each_column * l * c * (c - 1) / 2;
}

}  // namespace

std::string_view name_of(sorting_load load) {
  return detail::shown_name(
      "sorting_load", load,
      {{sorting_load::one_each, "n = p", "one_each"},
       {sorting_load::log_p_each, "n = p log p", "log_p_each"},
       {sorting_load::log_p_square_each, "n = p (log p)^2", "log_p_square_each"}});
}

std::string_view name_of(merging_sort sort) {
  return detail::shown_name(
      "merging_sort", sort,
      {{merging_sort::merge_sort, "MergeSort", "merge_sort"},
       {merging_sort::multiway_merge_sort, "MultiWayMergeSort", "multiway_merge_sort"}});
}

std::string_view name_of(step_formulas by) {
  return detail::shown_name("step_formulas", by,
                            {{step_formulas::printed, "as printed", "printed"},
                             {step_formulas::stated, "as stated", "stated"},
                             {step_formulas::exact, "exact"},
                             {step_formulas::fused, "fused"}});
}

std::span<step_formulas const> formulas_of(merging_sort sort) {
  static constexpr std::array all{step_formulas::printed, step_formulas::stated,
                                  step_formulas::exact, step_formulas::fused};
  return std::span(all).subspan(sort == merging_sort::merge_sort ? 1 : 0);
}

double values_each(sorting_load load, int d) {
  if (load == sorting_load::one_each) return 1;
  return load == sorting_load::log_p_each ? d : double{1} * d * d;
}

double merge_sort_steps(step_formulas by, int dimension, double k) {
  double const d = dimension;
  if (by == step_formulas::exact) return 4 * k * d + 3 * d * d - d;
  if (by == step_formulas::fused) return 3 * k * d + 3 * d * (d - 1) / 2;
  return 6 * k * d + 6 * d * (d - 1);  // the sum of 6k + 12i
}

double multiway_sort_steps(step_formulas by, int d, int l, double k) {
  double const ways = l;
  double const m = d - l;
  double const calls = std::ceil(m / ways);
  double const steps_1_and_4 = k + ways + k + d;  // as the paper says; each takes one step less
  switch (by) {
    case step_formulas::printed:
      return steps_1_and_4 + (14 * k + 4 * ways + 12 * m) * m / ways;
    case step_formulas::stated:
      return steps_1_and_4 + 14 * k * calls + 5 * m + 19 * ways * calls * (calls - 1) / 2;
    case step_formulas::exact:
      return steps_1_and_4 - 2 + exact_calls(k, ways, m, 10);
    case step_formulas::fused:
      break;
  }
  return steps_1_and_4 - 2 + exact_calls(k, ways, m, 6);
}

best_sort best_multiway_sort(step_formulas by, sorting_load load, int d) {
  double const each = values_each(load, d);
  best_sort best{multiway_sort_steps(by, d, 1, 2 * each), 1};
  for (int l = 2; l < d; ++l) {
    double const k = std::exp2(l) * each;
    if (k > best.steps) break;  // every formula has 2k in it
    double const steps = multiway_sort_steps(by, d, l, k);
    if (steps < best.steps) best = {steps, l};
  }
  return best;
}

double fewest_steps(merging_sort sort, step_formulas by, sorting_load load, int d) {
  if (sort == merging_sort::merge_sort) return merge_sort_steps(by, d, values_each(load, d));
  return best_multiway_sort(by, load, d).steps;
}

double bitonic_sort_steps(sorting_load load, int d) {
  return values_each(load, d) * d * (d + 1.0) / 2;
}

double odd_even_sort_steps(sorting_load load, int d) {
  return values_each(load, d) * (double{1} * d * d + d - 1);
}

std::optional<int> better_from(merging_sort sort, step_formulas by, sorting_load load,
                               int largest) {
  std::optional<int> from;
  for (int d = largest; d >= 2; --d) {
    if (fewest_steps(sort, by, load, d) >= bitonic_sort_steps(load, d)) return from;
    from = d;
  }
  return from;
}

}  // namespace lockstep
