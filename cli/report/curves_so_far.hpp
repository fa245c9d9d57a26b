#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "drawing.hpp"

namespace lockstep::cli {

/// A point of a curve, or of the straight line between two of them.
struct curve_point {
  page_point at;
  bool is_own = true;
};

/// The curves that are drawn so far.
class curves_so_far {
 public:
  /// `places`: the points of all curves, those that are to come included.
  explicit curves_so_far(std::vector<std::vector<page_point>> const& places);

  /// Divides a curve wherever any of them has a point, so that those that lie on each other have the same pieces.
  [[nodiscard]] std::vector<curve_point> divided(std::vector<page_point> const& points) const;
  void add(std::vector<curve_point> const& points);
  /// Counts those with a point there.
  [[nodiscard]] std::size_t at(page_point point) const;
  /// Counts those that go straight from the one point to the other.
  [[nodiscard]] std::size_t along(page_point from, page_point to) const;

 private:
  std::vector<double> m_across;
  std::map<double, std::vector<double>> m_points;
  std::map<std::pair<double, double>, std::vector<std::pair<double, double>>> m_pieces;
};

}  // namespace lockstep::cli
