#pragma once

#include <array>
#include <optional>
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

/// By which formulas the steps of MultiWayMergeSort are told; with l = 0, of MergeSort.
enum class step_formulas : unsigned char {
  printed,  ///< (14k + 4l + 12m)m/l, which does not follow from the cost of the calls
  paper,    ///< what the paper says that each call costs: 14k + 5l + 19m
  exact,    ///< what the program takes: 10k + 5l + 10m - 10 for a call
  fused     ///< where sets follow their tokens through Merge: 10k + 5l + 6m - 10
};

/// "as printed", "as stated", "exact", "fused".
[[nodiscard]] std::string_view name_of(step_formulas by);

inline constexpr std::array all_sorting_loads{sorting_load::one_each, sorting_load::log_p_each,
                                              sorting_load::log_p_square_each};
inline constexpr std::array all_step_formulas{step_formulas::printed, step_formulas::paper,
                                              step_formulas::exact, step_formulas::fused};

/// Computes the values of a processor.
[[nodiscard]] double values_each(sorting_load load, int d);

/// Computes the steps of MultiWayMergeSort for k 2^(d - l) values on 2^d processors, by 2^l ways, or
/// of MergeSort for k 2^d values with l = 0. Precondition: 0 <= l < d, or d = l = 0.
[[nodiscard]] double multiway_sort_steps(step_formulas by, int d, int l, double k);

/// The steps with the l that makes them fewest, from 0 on.
struct best_sort {
  double steps = 0;
  int ways = 0;  ///< l
};

/// Finds the best l for a load. Precondition: d >= 1.
[[nodiscard]] best_sort best_multiway_sort(step_formulas by, sorting_load load, int d);

/// Computes the steps of Batcher's bitonic sort, on one port.
[[nodiscard]] double bitonic_sort_steps(sorting_load load, int d);

/// Finds the dimension from which on MultiWayMergeSort takes fewer steps than bitonic sort, up to
/// `largest`; nothing where it does not at `largest`.
[[nodiscard]] std::optional<int> better_from(step_formulas by, sorting_load load, int largest);

}  // namespace lockstep
