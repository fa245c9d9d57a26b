#include <lockstep/cost_model_registry.hpp>

#include <limits>
#include <string>

#include <lockstep/cost_models.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"

using lockstep::make_cost_model;

TEST_CASE("every registered model is made by its name, with the parameters that it says",
          "[cost_models]") {
  lockstep::counts const some{
      .steps = 7, .startups = 5, .words = 1000, .hops = 11, .barriers = 6, .rearranged = 300};
  for (auto const& one : lockstep::registered_models()) {
    INFO(one.name);
    auto const model = make_cost_model(one.name);
    CHECK(model.unit() == one.unit);
    CHECK(model.time(some, 256) > 0);
    lockstep::model_settings same;
    for (auto const& [name, value] : one.parameters()) same.emplace(name, value);
    CHECK(one.make(same).time(some, 256) == model.time(some, 256));
    lockstep::model_settings nothing;
    for (auto const& [name, value] : one.parameters()) nothing.emplace(name, 0);
    if (!same.empty()) CHECK(one.make(nothing).time(some, 256) < model.time(some, 256));
  }
}

TEST_CASE("a model made by its name prices a run as the one in the library", "[cost_models]") {
  auto const run = lockstep::machine{lockstep::crossbar{4}}.run(
      [](lockstep::processor& me) { static_cast<void>(me.exchange(me.rank() ^ 1, me.rank())); });
  CHECK(run.time(make_cost_model("paragon")) == run.time(lockstep::paragon()));
  CHECK(run.time(make_cost_model("bdm", {{"tau_words", 64}})) ==
        run.time(lockstep::block_distributed_model{.tau_words = 64}));
  CHECK(make_cost_model("unit-steps").unit() == "steps");
  CHECK(lockstep::registered_models()[3].parameters() ==
        std::vector<lockstep::model_parameter>{{"tau_words", 1024}, {"operation_words", 0}});
}

TEST_CASE("names and values that no model has are refused", "[cost_models]") {
  CHECK_THROWS_WITH(make_cost_model("paragn"),
                    "make_cost_model(\"paragn\"): no cost model has that name; there are paragon, "
                    "paragon-slow-startup, tau-sigma, bdm, two-level, unit-steps, loggp, bsp, sp2, "
                    "cm5, cs2, t3d");
  CHECK_THROWS_WITH(make_cost_model("tau-sigma", {{"tau", 1}}),
                    "the cost model tau-sigma with a parameter tau: it has tau_us, "
                    "sigma_us_per_word, operation_us");
  CHECK_THROWS_WITH(make_cost_model("unit-steps", {{"tau", 1}}),
                    "the cost model unit-steps with a parameter tau: it has none");
  double const infinite = std::numeric_limits<double>::infinity();
  CHECK_THROWS_WITH(make_cost_model("bdm", {{"tau_words", infinite}}),
                    "the cost model bdm with tau_words = inf: give it a finite number");
  CHECK_THROWS_WITH(make_cost_model("loggp", {{"operation_us", -1}}),
                    "the model loggp with operation_us = -1: give it a finite number of 0 or more");
  CHECK(make_cost_model("paragon", {{"barrier_offset_us", -1}}).name() == "paragon");
  for (auto const& one : lockstep::registered_models())
    for (auto const& [name, value] : one.parameters())
      if (name != "barrier_offset_us")
        CHECK_THROWS_AS(one.make({{std::string(name), -1}}), lockstep::invalid_argument);
  for (auto const& one : lockstep::registered_clocks())
    for (auto const& [name, value] : one.parameters())
      CHECK_THROWS_AS(one.make({{std::string(name), -1}}), lockstep::invalid_argument);
}

TEST_CASE("clocks are made by their names, with their parameters", "[cost_models]") {
  for (auto const& one : lockstep::registered_clocks()) {
    auto const clock = one.make({});
    CHECK(clock.name() == one.name);
    CHECK(clock.times(10).out_port > clock.times(1).out_port);
    CHECK(clock.has_in_ports());
    CHECK_FALSE(clock.shares_links());
  }
  auto const clock = lockstep::make_clock_model("hockney-clock", {{"alpha_us", 2}});
  CHECK(clock.times(10).transfer == 3);
  CHECK_THROWS_WITH(lockstep::make_clock_model("logp"),
                    "make_clock_model(\"logp\"): no clock model has that name; there are "
                    "loggp-clock, hockney-clock, max-rate-clock");
  CHECK_THROWS_WITH(
      lockstep::make_clock_model("max-rate-clock", {{"processors_a_node", 0.5}}),
      "the clock model max-rate-clock with processors_a_node = 0.5: give a whole number from "
      "1 to 1,000,000");
}
