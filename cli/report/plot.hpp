#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lockstep/plot_scales.hpp>
#include <lockstep/plot_size.hpp>

#include "drawing.hpp"

namespace lockstep::cli {

/// A point of a curve.
struct plot_point {
  double x = 0;
  double y = 0;
  friend bool operator==(plot_point const&, plot_point const&) = default;
};

/// Measured points under a name, with their claims and lower bounds, each sorted by x.
struct plot_series {
  std::string name{};
  std::vector<plot_point> measured{};
  std::vector<plot_point> claimed{};
  std::vector<plot_point> bound{};
  bool is_computed = false;  ///< by a formula in place of runs: dashed, without marks
};

/// A ring around a point, with a text beside it.
struct plot_mark {
  plot_point at{};
  std::string text{};
};

/// Curves over axes with names.
struct plot {
  std::string x{};        ///< the axis' name, with its unit
  std::string y{};        ///< the axis' name, with its unit
  std::string title{};    ///< above the curves
  std::string caption{};  ///< in small letters below them
  plot_scales scales = plot_scales::by_range;
  std::vector<plot_series> series{};
  std::vector<plot_mark> marks{};
  bool has_binary_prefixes = false;  ///< along x: 128Ki, and not 131,072
  std::optional<plot_size> size{};
};

/// Draws the plot: measured curves with marks, claims dashed and bounds dotted in the colours of their curves, a
/// legend beside them. From the eighth curve on, whose colours are those of earlier ones, curves are dashed, up to 28 of them
/// each in a colour and dashes of its own, as the legend shows; so are their claims and bounds. Claims and bounds that are
/// further than a factor of ten from all runs do not widen the axis: they end at its edge, and the legend says where
/// they are. A bound that all curves have is dark. Where curves
/// lie on each other, whatever points they have, all are seen: the later ones have gaps, up to 37 of them each its own,
/// and larger marks, the fourth and later of one size; of one that has all points of another the legend says so.
/// The dots of bounds on each other take turns. Points that are not positive are left out along a logarithmic axis.
///
/// A plot of a given size has that one, letters of 8 points, no caption (it is in the description alone), and its legend below
/// the axes where it leaves no room beside them.
/// Errors: invalid_argument for a size without room for the curves or the legend, with one that has it.
[[nodiscard]] drawing drawn(plot const& of);

}  // namespace lockstep::cli
