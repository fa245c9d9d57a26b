#include "commands/models.hpp"

#include <string>

#include <lockstep/cost_models.hpp>

#include "../catch.hpp"
#include "commands/usage_error.hpp"

namespace {

using lockstep::cli::find_model;
using lockstep::cli::usage_error;

lockstep::counts const some{
    .steps = 7, .startups = 5, .words = 1000, .hops = 11, .barriers = 6, .rearranged = 300};

std::string refusal_of(std::string const& spec) {
  try {
    static_cast<void>(find_model(spec));
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
    auto const model = find_model(entry.name);
    CHECK(model.name() == entry.name);
    CHECK_FALSE(model.unit().empty());
    CHECK(model.time(some, 256) > 0);
    CHECK(model.time(lockstep::counts{}, 256) == 0);
  }
}

TEST_CASE("paragon on the command line is paragon in the library", "[models]") {
  CHECK(find_model("paragon").time(some, 256) == lockstep::paragon().time(some, 256));
  CHECK(find_model("paragon").unit() == "us");
  CHECK(find_model("bsp").time(some, 8) == lockstep::bsp_cluster().time(some, 8));
  CHECK(find_model("unit-steps").time(some, 8) == 7);
}

TEST_CASE("parameters of a model can be set", "[models]") {
  CHECK(find_model("bdm:tau_words=64").time(some, 8) == 5 * 64 + 1000);
  CHECK(find_model("bdm:tau_words=64").name() == "bdm:tau_words=64");
  CHECK(find_model("tau-sigma:tau_us=2,sigma_us_per_word=0.5").time(some, 8) == 5 * 2 + 500);
  CHECK(find_model("tau-sigma:tau_us=2").time(some, 8) == 5 * 2 + 1000 * 0.1);
  CHECK(find_model("paragon:startup_us=220").time(some, 256) ==
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
  for (auto const& entry : lockstep::registered_models()) {
    if (entry.name == "bdm") CHECK(lockstep::cli::parameter_values_of(entry) == "tau_words=1024");
    if (entry.name == "unit-steps") CHECK(lockstep::cli::parameter_values_of(entry).empty());
  }
}
