#include "commands/models.hpp"

#include <string>

#include <lockstep/cost_models.hpp>

#include "../catch.hpp"
#include "commands/usage_error.hpp"

namespace {

/// The cost model of that name.
lockstep::chosen_model cost_model_of(std::string_view spec) {
  return std::get<lockstep::chosen_model>(lockstep::cli::find_model(spec));
}

using lockstep::cli::usage_error;

lockstep::counts const some{
    .steps = 7, .startups = 5, .words = 1000, .hops = 11, .barriers = 6, .rearranged = 300};

std::string refusal_of(std::string const& spec) {
  try {
    static_cast<void>(lockstep::cli::find_model(spec));
  } catch (usage_error const& refused) {
    return refused.what();
  }
  return "not refused";
}

static_assert(lockstep::cost_model<lockstep::chosen_model>);

}  // namespace

TEST_CASE("every listed model is found by its name, and prices with what it says", "[models]") {
  for (auto const& entry : lockstep::registered_models()) {
    INFO(entry.name);
    auto const model = cost_model_of(entry.name);
    CHECK(model.name() == entry.name);
    CHECK_FALSE(model.unit().empty());
    CHECK(model.time(some, 256) > 0);
    CHECK(model.time(lockstep::counts{}, 256) == 0);
  }
}

TEST_CASE("paragon on the command line is paragon in the library", "[models]") {
  CHECK(cost_model_of("paragon").time(some, 256) == lockstep::paragon().time(some, 256));
  CHECK(cost_model_of("paragon").unit() == "us");
  CHECK(cost_model_of("bsp").time(some, 8) == lockstep::bsp_cluster().time(some, 8));
  CHECK(cost_model_of("unit-steps").time(some, 8) == 7);
}

TEST_CASE("parameters of a model can be set", "[models]") {
  CHECK(cost_model_of("bdm:tau_words=64").time(some, 8) == 5 * 64 + 1000);
  CHECK(cost_model_of("bdm:tau_words=64").name() == "bdm:tau_words=64");
  CHECK(cost_model_of("tau-sigma:tau_us=2,sigma_us_per_word=0.5").time(some, 8) == 5 * 2 + 500);
  CHECK(cost_model_of("tau-sigma:tau_us=2").time(some, 8) == 5 * 2 + 1000 * 0.1);
  CHECK(cost_model_of("paragon:startup_us=220").time(some, 256) ==
        lockstep::paragon_slow_startup().time(some, 256));
}

TEST_CASE("a model that is not there is refused with a near name", "[models]") {
  CHECK(refusal_of("paragn") == "--model: there is no cost model 'paragn'; did you mean paragon?");
  CHECK(refusal_of("xyzzy").starts_with("--model: there is no cost model 'xyzzy'; there are: "));
  CHECK(refusal_of("").starts_with("--model: there is no cost model ''"));
}

TEST_CASE("settings that a model cannot use are refused", "[models]") {
  CHECK(refusal_of("bdm:tau_word=64") ==
        "--model: bdm has no parameter 'tau_word'; did you mean tau_words?");
  CHECK(refusal_of("unit-steps:tau=1") ==
        "--model: unit-steps has no parameter 'tau'; it has none");
  CHECK(refusal_of("bdm:tau_words") ==
        "--model: write PARAMETER=VALUE instead of 'tau_words', as in bdm:tau_words=64");
  CHECK(refusal_of("bdm:tau_words=64,tau_words=8") ==
        "--model: tau_words is given twice; give it once");
  for (std::string const value : {"", "x", "-1", "1e999", "nan", "inf", "3x"}) {
    INFO(value);
    CHECK(refusal_of("bdm:tau_words=" + value) ==
          "--model: 'tau_words=" + value + "' wants a number of 0 or more after its =");
  }
}

TEST_CASE("a model's parameters are told with their defaults", "[models]") {
  for (auto const& entry : lockstep::cli::model_entries()) {
    if (entry.name == "bdm")
      CHECK(lockstep::cli::parameter_values_of(entry) == "tau_words=1024, operation_words=0");
    if (entry.name == "unit-steps") CHECK(lockstep::cli::parameter_values_of(entry).empty());
  }
}

TEST_CASE("clocks are found by name, with their parameters", "[models]") {
  auto const clock = std::get<lockstep::chosen_clock>(
      lockstep::cli::find_model("hockney-clock:alpha_us=3,beta_us_per_word=2,operation_us=0.5"));
  CHECK(clock.name() == "hockney-clock:alpha_us=3,beta_us_per_word=2,operation_us=0.5");
  CHECK(clock.times(4).transfer == 11);
  CHECK(clock.operation() == 0.5);
  CHECK(refusal_of("loggp-clock:gap=2").starts_with("--model: loggp-clock has no parameter 'gap'"));
  CHECK(refusal_of("max-rate-clock:node_words_per_us=0").find("above 0") != std::string::npos);
  CHECK(refusal_of("max-rate-clock:processors_a_node=0").find("processors_a_node = 0") !=
        std::string::npos);
}
