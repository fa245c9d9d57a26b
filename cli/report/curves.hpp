#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "plot.hpp"
#include "sweep_report.hpp"

namespace lockstep::cli {

/// A curve of a sweep: the runs that differ in nothing but x.
struct sweep_curve {
  nlohmann::ordered_json given;           ///< the other values that vary
  plot_series points;                     ///< under a name of these values
  std::map<double, double> processors{};  ///< of the run at each x
};

/// Gives the figure of all runs of a sweep, along x: one of what varies, or "processors". Then networks
/// count by their kind, and of several with as many processors the one with the least figure does.
[[nodiscard]] std::vector<sweep_curve> curves_of(sweep_report const& of, std::string const& x,
                                                 std::string const& figure);

/// A change of the order of two curves that differ in one value.
struct curve_crossing {
  std::size_t cheaper = 0;  ///< the curve that is lower from there on
  std::size_t other = 0;
  double after = 0;  ///< the last x with the other order
  double from = 0;   ///< the first x with this one
};

/// Finds where the order of two curves changes that differ in one value. A value that is not a size, such as
/// the program or its scheme, and the network count as one where neither value has runs on the other's network, and both networks have
/// as many processors at each x.
[[nodiscard]] std::vector<curve_crossing> crossings_of(std::vector<sweep_curve> const& curves);

/// Names the crossings in sentences, each a line. `has_options`: x is an option of a command line.
[[nodiscard]] std::string crossings_as_text(std::vector<curve_crossing> const& crossings,
                                            std::vector<sweep_curve> const& curves,
                                            std::string const& x, std::string const& figure,
                                            bool has_options = true);
/// The crossings for programs: {"figure", "x", "cheaper", "than", "from", "after"}.
[[nodiscard]] nlohmann::ordered_json crossings_as_json(std::vector<curve_crossing> const& crossings,
                                                       std::vector<sweep_curve> const& curves,
                                                       std::string const& x,
                                                       std::string const& figure);

}  // namespace lockstep::cli
