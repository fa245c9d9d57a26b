#include <lockstep/clock_models.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

#include "analysis/price_checks.hpp"

namespace lockstep {

void loggp_clock::check() const {
  detail::check_prices(label, {{"latency_us", latency_us},
                               {"overhead_us", overhead_us},
                               {"gap_us", gap_us},
                               {"gap_us_per_byte", gap_us_per_byte},
                               {"word_bytes", word_bytes},
                               {"operation_us", operation_us},
                               {"idle_us", idle_us}});
}

message_times loggp_clock::times(std::uint64_t words) const {
  double const bytes = static_cast<double>(words) * word_bytes;
  double const further = std::max(0.0, bytes - 1) * gap_us_per_byte;
  return {.send = overhead_us,
          .out_port = gap_us + further,
          .latency = overhead_us + latency_us,
          .transfer = further,
          .link = bytes * gap_us_per_byte,
          .in_port = gap_us + further,
          .receive = overhead_us};
}

void hockney_clock::check() const {
  detail::check_prices(label, {{"alpha_us", alpha_us},
                               {"beta_us_per_word", beta_us_per_word},
                               {"operation_us", operation_us},
                               {"idle_us", idle_us}});
}

message_times hockney_clock::times(std::uint64_t words) const {
  double const time = alpha_us + beta_us_per_word * static_cast<double>(words);
  return {.send = 0,
          .out_port = time,
          .latency = 0,
          .transfer = time,
          .link = beta_us_per_word * static_cast<double>(words),
          .in_port = time,
          .receive = 0};
}

hockney_clock max_rate_clock(double alpha_us, int processors_a_node, double node_rate,
                             double core_rate) {
  constexpr std::string_view label = "max-rate-clock";
  detail::check_prices(label, {{"alpha_us", alpha_us}});
  if (processors_a_node < 1)
    throw invalid_argument(fmt::format(
        "the model {} with processors_a_node = {}: give it 1 or more", label, processors_a_node));
  for (auto const& [name, rate] : {detail::price{"node_rate", node_rate}, {"core_rate", core_rate}})
    if (!std::isfinite(rate) || !(rate > 0))
      throw invalid_argument(fmt::format(
          "the model {} with {} = {}: give it a finite number above 0", label, name, rate));
  double const k = processors_a_node;
  return {.alpha_us = alpha_us,
          .beta_us_per_word = k / std::min(node_rate, k * core_rate),
          .label = std::string(label)};
}

}  // namespace lockstep
