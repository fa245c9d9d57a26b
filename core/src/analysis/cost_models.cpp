#include <lockstep/cost_models.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lockstep {

namespace {

double real(std::uint64_t figure) { return static_cast<double>(figure); }

}  // namespace

double suh_shin_model::barrier_us(int processors) const {
  double const dimension = std::log2(std::max(processors, 1));
  return std::max(0.0, barrier_us_per_dimension * dimension + barrier_offset_us);
}

double suh_shin_model::time(counts const& of, int processors) const {
  return real(of.startups) * startup_us + real(of.words) * word_bytes * transmission_us_per_byte +
         real(of.hops) * hop_us + real(of.barriers) * barrier_us(processors) +
         real(of.rearranged) * word_bytes * rearrangement_us_per_byte +
         real(of.work) * operation_us;
}

suh_shin_model paragon() {
  return {.startup_us = 75,
          .transmission_us_per_byte = 0.011,
          .hop_us = 0.02,
          .rearrangement_us_per_byte = 0.014,
          .barrier_us_per_dimension = 126,
          .barrier_offset_us = -113,
          .label = "paragon"};
}

suh_shin_model paragon_slow_startup() {
  auto model = paragon();
  model.startup_us = 20'000 * model.transmission_us_per_byte;
  model.label = "paragon-slow-startup";
  return model;
}

double tau_sigma_model::time(counts const& of, int /*processors*/) const {
  return real(of.startups) * tau_us + real(of.words) * sigma_us_per_word +
         real(of.work) * operation_us;
}

double block_distributed_model::time(counts const& of, int /*processors*/) const {
  return (real(of.startups) + real(of.hot_startups)) * tau_words + real(of.words) +
         real(of.work) * operation_words;
}

double two_level_model::time(counts const& of, int /*processors*/) const {
  return real(of.startups) * tau_us + real(of.words) * mu_us_per_word +
         (real(of.rearranged) + real(of.work)) * delta_us_per_word;
}

double unit_step_model::time(counts const& of, int /*processors*/) const { return real(of.steps); }

double loggp_model::time(counts const& of, int /*processors*/) const {
  double const message_us = std::max(latency_us + 2 * overhead_us, gap_us);
  double const further_bytes = std::max(0.0, real(of.words) * word_bytes - real(of.startups));
  return real(of.startups) * message_us + further_bytes * gap_us_per_byte +
         real(of.work) * operation_us;
}

double bsp_model::time(counts const& of, int /*processors*/) const {
  return real(of.work) + real(of.words) * g_flops_per_word +
         real(of.startups) * l_flops_per_superstep;
}

bsp_model bsp_cluster() {
  return {.g_flops_per_word = 30.9, .l_flops_per_superstep = 18'347, .label = "bsp-cluster"};
}

}  // namespace lockstep
