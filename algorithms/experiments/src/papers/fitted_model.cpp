#include "papers/fitted_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

constexpr double us = 1e6;  // in a second

/// The normal equations: sums over all times t of x x, x y, y y, x and y, where x = start-ups / t
/// and y = words / t.
struct normal_equations {
  double xx = 0;
  double xy = 0;
  double yy = 0;
  double x = 0;
  double y = 0;
};

[[nodiscard]] normal_equations equations_of(std::span<timed_counts const> times) {
  normal_equations sums;
  for (auto const& [startups, words, seconds] : times) {
    auto const x = static_cast<double>(startups) / (seconds * us);
    auto const y = static_cast<double>(words) / (seconds * us);
    sums.xx += x * x;
    sums.xy += x * y;
    sums.yy += y * y;
    sums.x += x;
    sums.y += y;
  }
  return sums;
}

}  // namespace

tau_sigma_model fitted_model(std::span<timed_counts const> times, std::string label) {
  auto const [xx, xy, yy, x, y] = equations_of(times);
  if (yy <= 0) throw invalid_argument("fitted_model: no times of any words; give some");
  tau_sigma_model model{.tau_us = 0, .sigma_us_per_word = y / yy, .label = std::move(label)};
  auto const determinant = xx * yy - xy * xy;
  if (determinant <= 0) return model;
  auto const tau = (x * yy - y * xy) / determinant;
  auto const sigma = (xx * y - xy * x) / determinant;
  if (sigma < 0) {
    model.tau_us = x / xx;
    model.sigma_us_per_word = 0;
  } else if (tau >= 0) {
    model.tau_us = tau;
    model.sigma_us_per_word = sigma;
  }
  return model;
}

double priced_seconds(tau_sigma_model const& by, std::uint64_t startups, std::uint64_t words) {
  counts of;
  of.startups = startups;
  of.words = words;
  return by.time(of, 1) / us;
}

double largest_error(tau_sigma_model const& of, std::span<timed_counts const> times) {
  double largest = 0;
  for (auto const& [startups, words, seconds] : times)
    largest = std::max(largest, std::abs(1 - priced_seconds(of, startups, words) / seconds));
  return largest;
}

judgement beside_seconds(bool is_near) {
  return {claim_verdict::decides_nothing,
          "times of another machine, beside what a fitted model makes of the counts", !is_near};
}

bool is_near(double priced, double measured) {
  return std::abs(priced - measured) <= 0.3 * measured;
}

}  // namespace lockstep
