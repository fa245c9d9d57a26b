#pragma once

#include <cstdint>
#include <span>

namespace lockstep {

/// Counts that take time: start-ups, words, and elements that a processor handles by itself.
struct handled_counts {
  std::uint64_t startups = 0;
  std::uint64_t words = 0;
  std::uint64_t elements = 0;
};

/// A time that was measured on some machine, and what the same program spends it on.
struct timed_work {
  handled_counts spent{};
  double seconds = 0;
};

/// A machine whose processors take time for each element that they handle, besides tau and sigma.
struct local_work_model {
  double tau_us = 0;
  double sigma_us_per_word = 0;
  double gamma_us_per_element = 0;

  /// Prices counts.
  [[nodiscard]] double seconds(handled_counts const& spent) const;
};

/// Fits the model whose times are nearest to these: least squares of the relative errors, none of its three
/// parameters negative.
/// Errors: invalid_argument without points to fit.
[[nodiscard]] local_work_model fitted_with_local_work(std::span<timed_work const> times);

/// Finds the largest relative error of the model's times, from 0 on.
[[nodiscard]] double largest_error(local_work_model const& of, std::span<timed_work const> times);

}  // namespace lockstep
