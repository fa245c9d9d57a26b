#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace lockstep {

/// How many values there are on p = 2^d processors.
enum class sorting_load : unsigned char {
  one_each,          ///< n = p
  log_p_each,        ///< n = p log p
  log_p_square_each  ///< n = p (log p)^2
};

/// "n = p", "n = p log p", "n = p (log p)^2".
[[nodiscard]] std::string_view name_of(sorting_load load);

/// The sorts of section 4.
enum class merging_sort : unsigned char {
  merge_sort,          ///< k values of each processor, lists merged by two
  multiway_merge_sort  ///< by 2^l ways, l >= 1
};

/// "MergeSort", "MultiWayMergeSort".
[[nodiscard]] std::string_view name_of(merging_sort sort);

/// By which formulas the steps of a sort are told.
enum class step_formulas : unsigned char {
  printed,  ///< (14k + 4l + 12m)m/l for all calls, which does not follow from the cost of each
  stated,   ///< what the paper says that each call costs: 6k + 12i, or 14k + 5l + 19m
  exact,    ///< what the program takes: 10k + 5l + 10m - 10 for a call
  fused     ///< where sets follow their tokens through Merge: 10k + 5l + 6m - 10
};

/// "as printed", "as stated", "exact", "fused".
[[nodiscard]] std::string_view name_of(step_formulas by);

inline constexpr std::array all_sorting_loads{sorting_load::one_each, sorting_load::log_p_each,
                                              sorting_load::log_p_square_each};
inline constexpr std::array all_merging_sorts{merging_sort::merge_sort,
                                              merging_sort::multiway_merge_sort};

/// The formulas of a sort: the sum that is printed of MergeSort is what is stated of its calls.
[[nodiscard]] std::span<step_formulas const> formulas_of(merging_sort sort);

/// Computes the values of a processor.
[[nodiscard]] double values_each(sorting_load load, int d);

/// Computes the steps of MergeSort for k values of each of 2^d processors. Precondition: `by` is one
/// of its formulas, d >= 0.
[[nodiscard]] double merge_sort_steps(step_formulas by, int d, double k);

/// Computes the steps of MultiWayMergeSort for k 2^(d - l) values on 2^d processors, by 2^l ways.
/// Precondition: 1 <= l < d.
[[nodiscard]] double multiway_sort_steps(step_formulas by, int d, int l, double k);

/// The steps of MultiWayMergeSort with the l that makes them fewest, from 1 on.
struct best_sort {
  double steps = 0;
  int ways = 0;  ///< l
};

/// Finds the best l for a load. Precondition: d >= 2.
[[nodiscard]] best_sort best_multiway_sort(step_formulas by, sorting_load load, int d);

/// Computes the steps of a sort for a load, with the best l. Precondition: d >= 2.
[[nodiscard]] double fewest_steps(merging_sort sort, step_formulas by, sorting_load load, int d);

/// Computes the steps of Batcher's sorts, on one port.
[[nodiscard]] double bitonic_sort_steps(sorting_load load, int d);
[[nodiscard]] double odd_even_sort_steps(sorting_load load, int d);

/// Finds the dimension from which on a sort takes fewer steps than bitonic sort, up to `largest`;
/// nothing where it does not at `largest`.
[[nodiscard]] std::optional<int> better_from(merging_sort sort, step_formulas by, sorting_load load,
                                             int largest);

}  // namespace lockstep
