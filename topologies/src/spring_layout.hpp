#pragma once

#include <span>
#include <vector>

#include <lockstep/topology.hpp>

namespace lockstep::detail {

/// The largest graph that springs lay out: larger ones take seconds, and nobody can tell their links apart.
inline constexpr int most_laid_out_by_springs = 300;

/// Places processors so that those that are linked lie near each other, and the others apart: by the
/// forces of Fruchterman and Reingold, from a circle on. The same links give the same places.
/// Cost: time O(p^2) in each of 300 rounds.
[[nodiscard]] std::vector<layout_point> spring_layout(int processors, std::span<link const> links);

}  // namespace lockstep::detail
