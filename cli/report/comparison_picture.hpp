#pragma once

#include <optional>
#include <string>
#include <vector>

#include "drawing.hpp"

namespace lockstep::cli {

/// A figure of two runs, where each has it.
struct compared_figure {
  std::string name{};
  std::optional<double> one{};
  std::optional<double> other{};
};

/// Two runs beside each other.
struct run_comparison {
  std::string one{};      ///< names the first
  std::string other{};    ///< names the second
  std::string caption{};  ///< in small letters below
  std::vector<compared_figure> figures{};
};

/// Draws two bars for each figure that is not 0, as long as the larger one allows, with their numbers, and beside them
/// the second's over the first's.
[[nodiscard]] drawing drawn(run_comparison const& of);

}  // namespace lockstep::cli
