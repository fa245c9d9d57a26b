#pragma once

#include <map>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

using point = layout_point;

/// A cubic Bézier curve.
struct curve {
  point from;
  point first_control;
  point second_control;
  point to;

  /// Gives the point at this share of the way, from 0, at `from`, to 1.
  [[nodiscard]] point at(double share) const;
  [[nodiscard]] bool bowed() const;
};

/// The network's layout, moved to begin at (0, 0), and the lines of its links.
class floor_plan {
 public:
  /// Errors: invalid_topology for a layout that does not place each processor.
  explicit floor_plan(topology const& network);

  [[nodiscard]] point place_of(int rank) const {
    return m_places.at(static_cast<std::size_t>(rank));
  }
  /// The largest coordinates.
  [[nodiscard]] point extent() const { return m_extent; }
  /// Draws the link straight, or in a bow around a processor that stands in its way. The link back
  /// runs the same way.
  [[nodiscard]] curve way_of(link const& which) const;

 private:
  [[nodiscard]] bool is_circle() const;
  [[nodiscard]] bool is_blocked(link const& which) const;

  std::vector<point> m_places;
  point m_extent;
  bool m_circle = false;  ///< no processor stands in a link's way
  mutable std::map<link, bool> m_straight;
};

}  // namespace lockstep::detail
