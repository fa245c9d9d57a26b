#include <lockstep/clock_models.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

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
  if (processors_a_node < 1 || !(node_rate > 0) || !(core_rate > 0))
    throw invalid_argument(fmt::format(
        "max_rate_clock of {} processors a node, with rates of {} and {}: give 1 or more, "
        "and rates above 0",
        processors_a_node, node_rate, core_rate));
  double const k = processors_a_node;
  return {.alpha_us = alpha_us,
          .beta_us_per_word = k / std::min(node_rate, k * core_rate),
          .label = "max-rate-clock"};
}

}  // namespace lockstep
