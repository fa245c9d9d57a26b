#include "papers/local_work_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>

namespace lockstep {

namespace {

constexpr double us_of_a_second = 1e6;
constexpr std::size_t parameters_of_model = 3;

/// Numbers for words, start-ups and elements: of fits that are as good as each other that by words is taken.
using three_numbers = std::array<double, parameters_of_model>;

/// Divides the counts by their time: the product with the parameters ought to be 1.
[[nodiscard]] three_numbers relative_to_time(timed_work const& of) {
  auto const time = of.seconds * us_of_a_second;
  return {static_cast<double>(of.spent.words) / time, static_cast<double>(of.spent.startups) / time,
          static_cast<double>(of.spent.elements) / time};
}

/// Solves equations by elimination; none where they have no one solution.
[[nodiscard]] std::optional<std::vector<double>> solution_of(
    std::vector<std::vector<double>> equations) {
  auto const n = equations.size();
  for (std::size_t i = 0; i < n; ++i) {
    auto const pivot = std::max_element(
        equations.begin() + static_cast<std::ptrdiff_t>(i), equations.end(),
        [i](auto const& a, auto const& b) { return std::abs(a[i]) < std::abs(b[i]); });
    if (std::abs((*pivot)[i]) < 1e-12 * std::abs((*pivot)[n]) || (*pivot)[i] == 0) return {};
    std::swap(equations[i], *pivot);
    for (std::size_t row = 0; row < n; ++row) {
      if (row == i) continue;
      auto const factor = equations[row][i] / equations[i][i];
      for (std::size_t j = i; j <= n; ++j) equations[row][j] -= factor * equations[i][j];
    }
  }
  std::vector<double> solution;
  for (std::size_t i = 0; i < n; ++i) solution.push_back(equations[i][n] / equations[i][i]);
  return solution;
}

/// Fits these parameters alone, the others 0, by least squares.
[[nodiscard]] std::optional<three_numbers> fitted_in(std::vector<std::size_t> const& parameters,
                                                     std::span<three_numbers const> points) {
  std::vector<std::vector<double>> equations;
  for (auto const i : parameters) {
    auto& equation = equations.emplace_back(parameters.size() + 1);
    for (auto const& point : points) {
      for (std::size_t j = 0; j < parameters.size(); ++j)
        equation[j] += point[i] * point[parameters[j]];
      equation.back() += point[i];
    }
  }
  auto const solution = solution_of(std::move(equations));
  if (!solution || std::ranges::min(*solution) < 0) return {};
  three_numbers all{};
  for (std::size_t i = 0; i < parameters.size(); ++i) all[parameters[i]] = (*solution)[i];
  return all;
}

/// Adds up the squares of the relative errors.
[[nodiscard]] double squares_of(three_numbers const& fit, std::span<three_numbers const> points) {
  double squares = 0;
  for (auto const& [words, startups, elements] : points) {
    auto const error = fit[0] * words + fit[1] * startups + fit[2] * elements - 1;
    squares += error * error;
  }
  return squares;
}

}  // namespace

double local_work_model::seconds(handled_counts const& spent) const {
  return (tau_us * static_cast<double>(spent.startups) +
          sigma_us_per_word * static_cast<double>(spent.words) +
          gamma_us_per_element * static_cast<double>(spent.elements)) /
         us_of_a_second;
}

local_work_model fitted_with_local_work(std::span<timed_work const> times) {
  std::vector<three_numbers> points;
  for (auto const& one : times) points.push_back(relative_to_time(one));
  three_numbers best{};
  auto least = std::numeric_limits<double>::infinity();
  // The best fit without negative parameters is the best in some of them.
  for (unsigned chosen = 1; chosen < 1U << parameters_of_model; ++chosen) {
    std::vector<std::size_t> parameters;
    for (std::size_t i = 0; i < parameters_of_model; ++i)
      if ((chosen >> i & 1U) != 0) parameters.push_back(i);
    auto const fit = fitted_in(parameters, points);
    if (!fit) continue;
    if (auto const squares = squares_of(*fit, points); squares < least) {
      least = squares;
      best = *fit;
    }
  }
  if (std::isinf(least))
    throw invalid_argument("fitted_with_local_work: no times of anything; give some");
  return {.tau_us = best[1], .sigma_us_per_word = best[0], .gamma_us_per_element = best[2]};
}

double largest_error(local_work_model const& of, std::span<timed_work const> times) {
  double largest = 0;
  for (auto const& one : times)
    largest = std::max(largest, std::abs(1 - of.seconds(one.spent) / one.seconds));
  return largest;
}

}  // namespace lockstep
