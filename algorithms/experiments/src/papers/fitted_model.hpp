#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <lockstep/cost_models.hpp>
#include <lockstep/judgement.hpp>

namespace lockstep {

/// A time that was measured on some machine, and the counts of the same program.
struct timed_counts {
  std::uint64_t startups = 0;
  std::uint64_t words = 0;
  double seconds = 0;
};

/// The model whose times are nearest to these: least squares of the relative errors, neither tau
/// nor sigma negative.
/// Errors: invalid_argument without points to fit.
[[nodiscard]] tau_sigma_model fitted_model(std::span<timed_counts const> times, std::string label);

/// Seconds by that model.
[[nodiscard]] double priced_seconds(tau_sigma_model const& by, std::uint64_t startups,
                                    std::uint64_t words);

/// Makes the judgement on a time that stands beside one that was measured elsewhere.
/// `is_near`: whether they are as near as they ought to be.
[[nodiscard]] judgement beside_seconds(bool is_near);

/// Whether a time is as good as a fitted model's are: within 30 %.
[[nodiscard]] bool is_near(double priced, double measured);

/// The largest relative error of the model's times, from 0 on.
[[nodiscard]] double largest_error(tau_sigma_model const& of, std::span<timed_counts const> times);

}  // namespace lockstep
