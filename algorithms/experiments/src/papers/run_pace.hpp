#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep {

/// A moment of a paper's or a figure's runs.
struct pace_point {
  std::uint64_t runs = 0;  ///< that are over
  double percent = 0;      ///< of the time that is over, about
};

/// How the time of a paper's tables, or of a figure, is spread over its runs: evenly between two points,
/// the last of them with all runs. Measured; what takes less than two seconds has none.
struct run_pace {
  std::string_view name;  ///< of the paper or the figure
  /// Runs of the tables on networks of up to `processors_of_small_tables`; 0 for a figure.
  std::uint64_t runs_of_small_tables = 0;
  std::vector<pace_point> points;
};

inline constexpr int processors_of_small_tables = 16;

[[nodiscard]] std::span<run_pace const> run_paces();

}  // namespace lockstep
