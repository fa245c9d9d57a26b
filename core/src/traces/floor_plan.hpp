#pragma once

#include <map>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

struct point {
  double x = 0;
  double y = 0;
};

/// A cubic Bézier curve.
struct curve {
  point from;
  point first_control;
  point second_control;
  point to;

  /// From 0, at `from`, to 1.
  [[nodiscard]] point at(double share) const;
  [[nodiscard]] bool bowed() const;
};

/// Where a network's processors stand in a picture, and its links run: in units of the distance
/// between two neighbours, with y upwards, from (0, 0) on.
class floor_plan {
 public:
  explicit floor_plan(topology const& network);

  [[nodiscard]] point place_of(int rank) const {
    return m_places.at(static_cast<std::size_t>(rank));
  }
  /// The largest coordinates.
  [[nodiscard]] point extent() const { return m_extent; }
  /// How the link runs: straight, but in a bow where another processor stands in its way. The link
  /// back runs the same way.
  [[nodiscard]] curve way_of(link const& which) const;

 private:
  [[nodiscard]] bool somebody_stands_between(link const& which) const;

  std::vector<point> m_places;
  point m_extent;
  bool m_circle = false;  ///< nobody stands in anybody's way
  mutable std::map<link, bool> m_straight;
};

}  // namespace lockstep::detail
