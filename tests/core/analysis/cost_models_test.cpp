#include <lockstep/cost_models.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/run.hpp>

#include "catch.hpp"

namespace {

static_assert(lockstep::cost_model<lockstep::suh_shin_model>);
static_assert(lockstep::cost_model<lockstep::tau_sigma_model>);
static_assert(lockstep::cost_model<lockstep::block_distributed_model>);
static_assert(lockstep::cost_model<lockstep::two_level_model>);
static_assert(lockstep::cost_model<lockstep::unit_step_model>);
static_assert(lockstep::cost_model<lockstep::loggp_model>);
static_assert(lockstep::cost_model<lockstep::bsp_model>);

/// Complete exchange of m-byte blocks on an N x N torus: Suh and Shin 2001, Table 1.
lockstep::counts torus_exchange(std::uint64_t side, std::uint64_t block_bytes) {
  return {.startups = side / 2 + 2,
          .words = side * side / 4 * (side + 4) * block_bytes,
          .hops = 2 * (side - 1),
          .barriers = side / 2 + 1,
          .rearranged = 3 * side * side * block_bytes};
}

/// The same on an N x N mesh.
lockstep::counts mesh_exchange(std::uint64_t side, std::uint64_t block_bytes) {
  return {.startups = side,
          .words = side * side * side / 2 * block_bytes,
          .hops = (side - 2) * (side - 2) + 2,
          .barriers = side - 1,
          .rearranged = 2 * side * side * block_bytes};
}

/// T = fixed + per_byte m, worked out by hand from the paper's formulas and parameters.
struct expected_time {
  std::uint64_t side;
  double fixed_us;
  double us_per_byte;
};

/// Equal up to rounding.
auto about(double expected) { return Catch::Matchers::WithinRel(expected, 1e-12); }

lockstep::counts const some{.steps = 7,
                            .rounds = 9,
                            .startups = 5,
                            .words = 1000,
                            .volume = 4000,
                            .messages = 40,
                            .hops = 11,
                            .barriers = 6,
                            .rearrangements = 2,
                            .rearranged = 300,
                            .contention = 2,
                            .serialised_steps = 8,
                            .queued = 1};

}  // namespace

TEST_CASE("the Paragon prices the complete exchange on tori as the paper does", "[cost_models]") {
  std::array<expected_time, 4> const expected{{{16, 8805.6, 24.832},
                                               {32, 20850.24, 144.384},
                                               {64, 48719.52, 937.984},
                                               {128, 112270.08, 6635.52}}};
  auto const model = lockstep::paragon();
  for (auto const& [side, fixed_us, us_per_byte] : expected) {
    int const processors = static_cast<int>(side * side);
    INFO("torus " << side << "x" << side);
    CHECK_THAT(model.time(torus_exchange(side, 0), processors), about(fixed_us));
    CHECK_THAT(model.time(torus_exchange(side, 64), processors),
               about(fixed_us + 64 * us_per_byte));
  }
}

TEST_CASE("the Paragon prices the complete exchange on meshes as the paper does", "[cost_models]") {
  std::array<expected_time, 2> const expected{
      {{16, 14628.96, 29.696}, {128, 219594.56, 11993.088}}};
  for (auto const& [side, fixed_us, us_per_byte] : expected) {
    int const processors = static_cast<int>(side * side);
    INFO("mesh " << side << "x" << side);
    CHECK_THAT(lockstep::paragon().time(mesh_exchange(side, 3), processors),
               about(fixed_us + 3 * us_per_byte));
  }
}

TEST_CASE("a barrier of the Paragon costs 126 d - 113, and never less than nothing",
          "[cost_models]") {
  auto const model = lockstep::paragon();
  CHECK(model.barrier_us(1) == 0);
  CHECK_THAT(model.barrier_us(2), about(13));
  CHECK_THAT(model.barrier_us(256), about(895));
  CHECK_THAT(model.barrier_us(144), about(790.4105501817308));  // d = 7.1699250014...
}

TEST_CASE("wider words cost more to send and to rearrange, and nothing else", "[cost_models]") {
  auto wide = lockstep::paragon();
  wide.word_bytes = 8;
  CHECK_THAT(wide.time(torus_exchange(16, 1), 256),
             about(lockstep::paragon().time(torus_exchange(16, 8), 256)));
}

TEST_CASE("the Paragon with slow start-ups takes 220 us for each", "[cost_models]") {
  auto const model = lockstep::paragon_slow_startup();
  CHECK_THAT(model.startup_us, about(220));
  CHECK_THAT(model.time(torus_exchange(16, 0), 256), about(8805.6 + 10 * 145));
  CHECK(model.name() == "paragon-slow-startup");
}

TEST_CASE("tau-sigma, BDM and two-level models are their formulas", "[cost_models]") {
  lockstep::tau_sigma_model const tau_sigma{.tau_us = 100, .sigma_us_per_word = 0.5};
  CHECK_THAT(tau_sigma.time(some, 64), about(5 * 100 + 1000 * 0.5));
  CHECK(tau_sigma.unit() == "us");

  lockstep::block_distributed_model const bdm{.tau_words = 64};
  CHECK_THAT(bdm.time(some, 64), about(5 * 64 + 1000));
  CHECK(bdm.unit() == "words");

  lockstep::two_level_model const two_level{
      .tau_us = 100, .mu_us_per_word = 0.5, .delta_us_per_word = 0.02};
  CHECK_THAT(two_level.time(some, 64), about(5 * 100 + 1000 * 0.5 + 300 * 0.02));
}

TEST_CASE("unit steps count steps, whatever is in them", "[cost_models]") {
  lockstep::unit_step_model const model;
  CHECK(model.time(some, 64) == 7);
  CHECK(model.unit() == "steps");
}

TEST_CASE("LogGP charges both overheads, the latency and the bytes after the first",
          "[cost_models]") {
  lockstep::loggp_model model{
      .latency_us = 10, .overhead_us = 2, .gap_us = 3, .gap_us_per_byte = 0.1, .word_bytes = 4};
  lockstep::counts const one_message{.startups = 1, .words = 25};
  CHECK_THAT(model.time(one_message, 2), about(2 + 99 * 0.1 + 10 + 2));
  CHECK_THAT(model.time(some, 64), about(5 * 14 + (4000 - 5) * 0.1));
  model.gap_us = 20;  // more than L + 2o: now the gap spaces the messages
  CHECK_THAT(model.time(some, 64), about(5 * 20 + (4000 - 5) * 0.1));
  CHECK(model.time(lockstep::counts{}, 64) == 0);
}

TEST_CASE("BSP charges g for each word and l for each superstep", "[cost_models]") {
  auto const model = lockstep::bsp_cluster();
  CHECK_THAT(model.time(some, 8), about(1000 * 30.9 + 5 * 18347));
  CHECK(model.unit() == "flops");
}

TEST_CASE("a run that sends nothing costs nothing", "[cost_models]") {
  lockstep::counts const nothing;
  CHECK(lockstep::paragon().time(nothing, 256) == 0);
  CHECK(lockstep::bsp_cluster().time(nothing, 256) == 0);
  CHECK(lockstep::tau_sigma_model{.tau_us = 1, .sigma_us_per_word = 1}.time(nothing, 256) == 0);
}

TEST_CASE("a run is priced as a whole and per phase", "[cost_models]") {
  lockstep::phase_record first;
  lockstep::phase_record second;
  first.startups = 2, first.words = 10;
  second.startups = 3, second.words = 20;
  lockstep::run_record const run{{.startups = 5, .words = 30},
                                 {first, second},
                                 {},
                                 std::vector<lockstep::processor_record>(4)};
  lockstep::block_distributed_model const model{.tau_words = 100};
  CHECK(run.time(model) == 530);
  CHECK(run.phase_times(model) == std::vector<double>{210, 320});
}

TEST_CASE("cost models name the parameter that is below 0 or not finite", "[cost_models]") {
  auto const check = []<class Model>(Model const& right,
                                     std::vector<std::pair<char const*, double Model::*>> all) {
    for (auto const& [name, member] : all)
      for (double const wrong : {-1.0, std::nan(""), HUGE_VAL}) {
        auto model = right;
        model.*member = wrong;
        CHECK_THROWS_WITH(model.time(some, 16),
                          has_text(std::string(model.name()) + " with " + name + " = "));
        CHECK_THROWS_AS(model.check(), lockstep::invalid_argument);
      }
  };
  using suh_shin = lockstep::suh_shin_model;
  check(lockstep::paragon(), {{"startup_us", &suh_shin::startup_us},
                              {"transmission_us_per_byte", &suh_shin::transmission_us_per_byte},
                              {"hop_us", &suh_shin::hop_us},
                              {"rearrangement_us_per_byte", &suh_shin::rearrangement_us_per_byte},
                              {"barrier_us_per_dimension", &suh_shin::barrier_us_per_dimension},
                              {"word_bytes", &suh_shin::word_bytes},
                              {"operation_us", &suh_shin::operation_us}});
  auto barrier = lockstep::paragon();
  barrier.barrier_offset_us = std::nan("");
  CHECK_THROWS_AS(barrier.time(some, 16), lockstep::invalid_argument);
  using tau_sigma = lockstep::tau_sigma_model;
  check(tau_sigma{}, {{"tau_us", &tau_sigma::tau_us},
                      {"sigma_us_per_word", &tau_sigma::sigma_us_per_word},
                      {"operation_us", &tau_sigma::operation_us}});
  using bdm = lockstep::block_distributed_model;
  check(bdm{}, {{"tau_words", &bdm::tau_words}, {"operation_words", &bdm::operation_words}});
  using two_level = lockstep::two_level_model;
  check(two_level{}, {{"tau_us", &two_level::tau_us},
                      {"mu_us_per_word", &two_level::mu_us_per_word},
                      {"delta_us_per_word", &two_level::delta_us_per_word}});
  using loggp = lockstep::loggp_model;
  check(loggp{}, {{"latency_us", &loggp::latency_us},
                  {"overhead_us", &loggp::overhead_us},
                  {"gap_us", &loggp::gap_us},
                  {"gap_us_per_byte", &loggp::gap_us_per_byte},
                  {"word_bytes", &loggp::word_bytes},
                  {"operation_us", &loggp::operation_us}});
  using bsp = lockstep::bsp_model;
  check(bsp{}, {{"g_flops_per_word", &bsp::g_flops_per_word},
                {"l_flops_per_superstep", &bsp::l_flops_per_superstep}});
}

TEST_CASE("a model of one's own needs three members", "[cost_models]") {
  struct postage {
    [[nodiscard]] static std::string_view name() { return "postage"; }
    [[nodiscard]] static std::string_view unit() { return "stamps"; }
    [[nodiscard]] static double time(lockstep::counts const& of, int processors) {
      return static_cast<double>(of.messages) / processors;
    }
  };
  lockstep::run_record const run{some, {}, {}, std::vector<lockstep::processor_record>(8)};
  CHECK(run.time(postage{}) == 5);
}
