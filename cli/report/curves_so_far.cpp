#include "curves_so_far.hpp"

#include <algorithm>
#include <cmath>

namespace lockstep::cli {

namespace {

bool is_seen_as(double y, double other) { return std::abs(y - other) < 0.3; }

}  // namespace

curves_so_far::curves_so_far(std::vector<std::vector<page_point>> const& places) {
  for (auto const& points : places)
    for (auto const& one : points) m_across.push_back(one.x);
  std::ranges::sort(m_across);
  auto const twice = std::ranges::unique(m_across);
  m_across.erase(twice.begin(), twice.end());
}

std::vector<curve_point> curves_so_far::divided(std::vector<page_point> const& points) const {
  std::vector<curve_point> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) {
      auto const& from = points[i - 1];
      auto const slope = (points[i].y - from.y) / (points[i].x - from.x);
      for (auto x = std::ranges::upper_bound(m_across, from.x);
           x != m_across.end() && *x < points[i].x; ++x)
        all.push_back({{*x, from.y + slope * (*x - from.x)}, false});
    }
    all.push_back({points[i]});
  }
  return all;
}

void curves_so_far::add(std::vector<curve_point> const& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto const& at = points[i].at;
    if (points[i].is_own) m_points[at.x].push_back(at.y);
    if (i == 0) continue;
    auto const& from = points[i - 1].at;
    m_pieces[{from.x, at.x}].emplace_back(from.y, at.y);
  }
}

std::size_t curves_so_far::at(page_point point) const {
  auto const found = m_points.find(point.x);
  if (found == m_points.end()) return 0;
  return static_cast<std::size_t>(
      std::ranges::count_if(found->second, [&](double y) { return is_seen_as(y, point.y); }));
}

std::size_t curves_so_far::along(page_point from, page_point to) const {
  auto const found = m_pieces.find({from.x, to.x});
  if (found == m_pieces.end()) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(found->second, [&](auto const& piece) {
    return is_seen_as(piece.first, from.y) && is_seen_as(piece.second, to.y);
  }));
}

}  // namespace lockstep::cli
