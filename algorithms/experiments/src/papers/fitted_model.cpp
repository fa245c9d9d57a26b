#include "papers/fitted_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>

#include "papers/local_work_model.hpp"

namespace lockstep {

namespace {

constexpr double us = 1e6;  // in a second

}  // namespace

tau_sigma_model fitted_model(std::span<timed_counts const> times, std::string label) {
  std::vector<timed_work> without_local_work;
  for (auto const& [startups, words, seconds] : times)
    without_local_work.push_back({{.startups = startups, .words = words}, seconds});
  if (std::ranges::none_of(times, [](timed_counts const& one) { return one.words > 0; }))
    throw invalid_argument("fitted_model: no times of any words; give some");
  auto const fit = fitted_with_local_work(without_local_work);
  return {
      .tau_us = fit.tau_us, .sigma_us_per_word = fit.sigma_us_per_word, .label = std::move(label)};
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
