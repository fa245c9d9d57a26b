#include <lockstep/cost_models.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "analysis/price_checks.hpp"

namespace lockstep {

namespace {

double real(std::uint64_t figure) { return static_cast<double>(figure); }

}  // namespace

double suh_shin_model::barrier_us(int processors) const {
  double const dimension = std::log2(std::max(processors, 1));
  return std::max(0.0, barrier_us_per_dimension * dimension + barrier_offset_us);
}

void suh_shin_model::check() const {
  detail::check_prices(label, {{"startup_us", startup_us},
                               {"transmission_us_per_byte", transmission_us_per_byte},
                               {"hop_us", hop_us},
                               {"rearrangement_us_per_byte", rearrangement_us_per_byte},
                               {"barrier_us_per_dimension", barrier_us_per_dimension},
                               {"word_bytes", word_bytes},
                               {"operation_us", operation_us}});
  detail::check_finite(label, {"barrier_offset_us", barrier_offset_us});
}

double suh_shin_model::time(counts const& of, int processors) const {
  check();
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

void tau_sigma_model::check() const {
  detail::check_prices(label, {{"tau_us", tau_us},
                               {"sigma_us_per_word", sigma_us_per_word},
                               {"operation_us", operation_us}});
}

double tau_sigma_model::time(counts const& of, int /*processors*/) const {
  check();
  return real(of.startups) * tau_us + real(of.words) * sigma_us_per_word +
         real(of.work) * operation_us;
}

void block_distributed_model::check() const {
  detail::check_prices(label, {{"tau_words", tau_words}, {"operation_words", operation_words}});
}

double block_distributed_model::time(counts const& of, int /*processors*/) const {
  check();
  return (real(of.startups) + real(of.hot_startups)) * tau_words + real(of.words) +
         real(of.work) * operation_words;
}

void two_level_model::check() const {
  detail::check_prices(label, {{"tau_us", tau_us},
                               {"mu_us_per_word", mu_us_per_word},
                               {"delta_us_per_word", delta_us_per_word}});
}

double two_level_model::time(counts const& of, int /*processors*/) const {
  check();
  return real(of.startups) * tau_us + real(of.words) * mu_us_per_word +
         (real(of.rearranged) + real(of.work)) * delta_us_per_word;
}

double unit_step_model::time(counts const& of, int /*processors*/) const { return real(of.steps); }

void loggp_model::check() const {
  detail::check_prices(label, {{"latency_us", latency_us},
                               {"overhead_us", overhead_us},
                               {"gap_us", gap_us},
                               {"gap_us_per_byte", gap_us_per_byte},
                               {"word_bytes", word_bytes},
                               {"operation_us", operation_us}});
}

double loggp_model::time(counts const& of, int /*processors*/) const {
  check();
  double const message_us = std::max(latency_us + 2 * overhead_us, gap_us);
  double const further_bytes = std::max(0.0, real(of.words) * word_bytes - real(of.startups));
  return real(of.startups) * message_us + further_bytes * gap_us_per_byte +
         real(of.work) * operation_us;
}

void bsp_model::check() const {
  detail::check_prices(label, {{"g_flops_per_word", g_flops_per_word},
                               {"l_flops_per_superstep", l_flops_per_superstep}});
}

double bsp_model::time(counts const& of, int /*processors*/) const {
  check();
  return real(of.work) + real(of.words) * g_flops_per_word +
         real(of.startups) * l_flops_per_superstep;
}

bsp_model bsp_cluster() {
  return {.g_flops_per_word = 30.9, .l_flops_per_superstep = 18'347, .label = "bsp-cluster"};
}

}  // namespace lockstep
