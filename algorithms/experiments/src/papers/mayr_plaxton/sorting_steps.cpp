#include "papers/mayr_plaxton/sorting_steps.hpp"

#include <cmath>
#include <cstdint>

#include <lockstep/detail/enumerator_check.hpp>

namespace lockstep {

namespace {

/// Merges pairs of lists: i = 0 .. d-1, on 2^(i+1) processors.
[[nodiscard]] double merge_sort_steps(step_formulas by, double d, double k) {
  switch (by) {
    case step_formulas::printed:
    case step_formulas::paper:
      return 6 * k * d + 6 * d * (d - 1);  // the sum of 6k + 12i
    case step_formulas::exact:
      return 4 * k * d + 3 * d * d - d;
    case step_formulas::fused:
      break;
  }
  return 3 * k * d + 3 * d * (d - 1) / 2;
}

/// A merge of c calls, the i-th on lists of 2^(il) sets: its terms in k and l, and those in m.
[[nodiscard]] double exact_calls(double k, double l, double m, double of_each_column) {
  double const c = std::ceil(m / l);
  return 5 * m + 5 * (k - 1) + (c - 1) * 10 * (k - 1) + of_each_column * l * c * (c - 1) / 2;
}

}  // namespace

std::string_view name_of(sorting_load load) {
  switch (load) {
    case sorting_load::one_each:
      return "n = p";
    case sorting_load::log_p_each:
      return "n = p log p";
    case sorting_load::log_p_square_each:
      return "n = p (log p)^2";
  }
  detail::throw_no_such_value(
      "sorting_load", static_cast<std::uint64_t>(load),
      {"sorting_load::one_each", "sorting_load::log_p_each", "sorting_load::log_p_square_each"});
}

std::string_view name_of(step_formulas by) {
  switch (by) {
    case step_formulas::printed:
      return "as printed";
    case step_formulas::paper:
      return "as stated";
    case step_formulas::exact:
      return "exact";
    case step_formulas::fused:
      return "fused";
  }
  detail::throw_no_such_value("step_formulas", static_cast<std::uint64_t>(by),
                              {"step_formulas::printed", "step_formulas::paper",
                               "step_formulas::exact", "step_formulas::fused"});
}

double values_each(sorting_load load, int d) {
  if (load == sorting_load::one_each) return 1;
  return load == sorting_load::log_p_each ? d : double{1} * d * d;
}

double multiway_sort_steps(step_formulas by, int d, int l, double k) {
  if (d == 0) return 0;
  if (l == 0) return merge_sort_steps(by, d, k);
  double const ways = l;
  double const m = d - l;
  double const calls = std::ceil(m / ways);
  switch (by) {
    case step_formulas::printed:
      return (14 * k + 4 * ways + 12 * m) * m / ways;
    case step_formulas::paper:
      return k + ways + k + d + 14 * k * calls + 5 * m + 19 * ways * calls * (calls - 1) / 2;
    case step_formulas::exact:
      return k + ways - 1 + k + d - 1 + exact_calls(k, ways, m, 10);
    case step_formulas::fused:
      break;
  }
  return k + ways - 1 + k + d - 1 + exact_calls(k, ways, m, 6);
}

best_sort best_multiway_sort(step_formulas by, sorting_load load, int d) {
  double const each = values_each(load, d);
  best_sort best{multiway_sort_steps(by, d, 0, each), 0};
  for (int l = 1; l < d; ++l) {
    double const k = std::exp2(l) * each;
    if (k > best.steps * l) break;  // all formulas have k m/l in them, and m is 1 at least
    double const steps = multiway_sort_steps(by, d, l, k);
    if (steps < best.steps) best = {steps, l};
  }
  return best;
}

double bitonic_sort_steps(sorting_load load, int d) {
  return values_each(load, d) * d * (d + 1.0) / 2;
}

std::optional<int> better_from(step_formulas by, sorting_load load, int largest) {
  std::optional<int> from;
  for (int d = largest; d >= 1; --d) {
    if (best_multiway_sort(by, load, d).steps >= bitonic_sort_steps(load, d)) return from;
    from = d;
  }
  return from;
}

}  // namespace lockstep
