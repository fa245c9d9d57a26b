#include "papers/measured_grid.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace lockstep {

figure_panel priced_panel(std::string name, std::string reading, measured_grid const& grid,
                          tau_sigma_model const& model) {
  figure_panel panel{.name = std::move(name), .reading = std::move(reading), .curves = {}};
  for (auto const& [curve, points] : grid.curves) {
    auto& drawn = panel.curves.emplace_back(figure_curve{curve, "measured counts", {}});
    for (std::size_t i = 0; i < points.size(); ++i)
      drawn.points.push_back({grid.x[i], model.time(points[i], 1)});
  }
  return panel;
}

std::string quotient_range::text() const { return fmt::format("{:.2f} to {:.2f}", least, largest); }

quotient_range quotients_of(measured_curve const& curve) {
  std::vector<double> quotients;
  for (std::size_t i = 0; i + 1 < curve.points.size(); ++i)
    quotients.push_back(static_cast<double>(curve.points[i].words) /
                        static_cast<double>(curve.points[i + 1].words));
  if (quotients.empty()) return {};
  auto const [least, largest] = std::ranges::minmax(quotients);
  return {least, largest};
}

bool is_linear(measured_grid const& grid, std::size_t curve) {
  auto const slope = [&](std::size_t from) {
    auto const rise = static_cast<double>(grid.words(curve, from + 1)) -
                      static_cast<double>(grid.words(curve, from));
    return rise / (grid.x[from + 1] - grid.x[from]);
  };
  for (std::size_t i = 1; i + 1 < grid.x.size(); ++i)
    if (std::abs(slope(i) - slope(0)) > 1e-9 * std::abs(slope(0))) return false;
  return true;
}

}  // namespace lockstep
