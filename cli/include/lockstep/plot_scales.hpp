#pragma once

#include <cstdint>

namespace lockstep {

/// Which axes of a plot are logarithmic.
enum class plot_scales : std::uint8_t {
  by_range,  ///< those whose numbers are positive, and the largest is over 20 times the smallest
  linear,
  log_x,
  log_y,
  log_xy
};

}  // namespace lockstep
