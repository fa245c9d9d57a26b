#pragma once

namespace lockstep {

/// The size of a plot in inches, whose letters have 8 points then.
struct plot_size {
  double width = 0;
  double height = 0;  ///< 0: as the curves and the legend need
};

/// The width of a column of a paper, in inches.
inline constexpr double width_of_a_column = 3.4;

}  // namespace lockstep
