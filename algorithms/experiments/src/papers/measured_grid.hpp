#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/cost_models.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/experiments/papers.hpp>

namespace lockstep {

/// Counts of runs: a curve for each of some parameters, a point for each x.
struct measured_curve {
  std::string name;  ///< "n = 1M"
  std::vector<counts> points;
};

struct measured_grid {
  std::vector<double> x;
  std::vector<measured_curve> curves;

  [[nodiscard]] std::uint64_t words(std::size_t curve, std::size_t point) const {
    return curves[curve].points[point].words;
  }
};

/// The grid in times of a machine.
[[nodiscard]] figure_panel priced_panel(std::string name, std::string reading,
                                        measured_grid const& grid, tau_sigma_model const& model);

/// How often the words of a curve's point are those of the next, from one to the next: "1.71 to
/// 1.97".
struct quotient_range {
  double least = 0;
  double largest = 0;

  [[nodiscard]] std::string text() const;
};
[[nodiscard]] quotient_range quotients_of(measured_curve const& curve);

/// Whether a curve's words are a + b x.
[[nodiscard]] bool is_linear(measured_grid const& grid, std::size_t curve);

}  // namespace lockstep
