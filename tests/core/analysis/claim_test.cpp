#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include <lockstep/claim.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/topologies.hpp>

#include "catch.hpp"

using lockstep::claim;
using lockstep::comparison;
using lockstep::counts;
using lockstep::problem_instance;

namespace {

[[nodiscard]] problem_instance on_grid() {
  return {std::make_shared<lockstep::torus>(lockstep::torus{{4, 8}}), {{"m", 3}, {"half", 0.5}}};
}

claim words_claim(double value, comparison bound) {
  return {"words", "8m", value, bound, "a source"};
}

}  // namespace

TEST_CASE("a relation has a symbol") {
  CHECK(symbol(comparison::equal) == "=");
  CHECK(symbol(comparison::at_most) == "<=");
  CHECK(symbol(comparison::order) == "order");
  CHECK(symbol(comparison::about) == "about");
}

TEST_CASE("figures of counts are found by name") {
  counts measured;
  measured.steps = 8;
  measured.serialised_steps = 11;
  measured.queued = 2;
  CHECK(metric_value(measured, "steps") == 8);
  CHECK(metric_value(measured, "serialised_steps") == 11);
  CHECK(metric_value(measured, "queued") == 2);
  CHECK(metric_value(measured, "words") == 0);
  CHECK_THROWS_AS(metric_value(measured, "step"), lockstep::invalid_argument);
  CHECK_THROWS_AS(metric_value(measured, ""), lockstep::invalid_argument);
  CHECK_THROWS_WITH(metric_value(measured, "step"),
                    has_text("\"step\" is not a metric of counts; they are steps, ") &&
                        has_text("serialised_steps"));
}

TEST_CASE("an equality holds for that value only") {
  counts measured;
  measured.words = 576;
  CHECK(holds(words_claim(576, comparison::equal), measured));
  CHECK_FALSE(holds(words_claim(575, comparison::equal), measured));
  CHECK_FALSE(holds(words_claim(576.5, comparison::equal), measured));
}

TEST_CASE("an upper bound holds up to its value") {
  counts measured;
  measured.words = 576;
  CHECK(holds(words_claim(576, comparison::at_most), measured));
  CHECK(holds(words_claim(576.5, comparison::at_most), measured));
  CHECK_FALSE(holds(words_claim(575.5, comparison::at_most), measured));
}

TEST_CASE("an order of growth never decides anything") {
  counts measured;
  measured.words = 576;
  CHECK(holds(words_claim(1, comparison::order), measured));
}

TEST_CASE("a claim about no figure is an error") {
  claim claimed = words_claim(1, comparison::equal);
  claimed.figure = "word";
  CHECK_THROWS_AS(holds(claimed, counts{}), lockstep::invalid_argument);
}

TEST_CASE("a formula is a number, or a function of the setting") {
  claim claimed = words_claim(576, comparison::equal);
  CHECK(claimed.value() == 576);
  CHECK(claimed.value(on_grid()) == 576);
  claimed.value = [](problem_instance const& at) { return at["m"] * std::log2(at.p()); };
  CHECK(claimed.value(on_grid()) == 15);
  counts measured;
  measured.words = 15;
  CHECK(holds(claimed, measured, on_grid()));
  CHECK(holds(claimed, 15.0, on_grid()));
  measured.words = 16;
  CHECK_FALSE(holds(claimed, measured, on_grid()));
  CHECK_THROWS_AS(claimed.value(), lockstep::invalid_argument);
  CHECK_THROWS_AS(holds(claimed, measured), lockstep::invalid_argument);
}

TEST_CASE("a problem instance has a network and numbers by their names") {
  auto const at = on_grid();
  CHECK(at.p() == 32);
  CHECK(at["p"] == 32);
  CHECK(at["half"] == 0.5);
  CHECK(at.whole("m") == 3);
  CHECK(at.topology().diameter() == 6);
  CHECK(at.as<lockstep::torus>().sizes().size() == 2);
  CHECK(to_string(at) == "torus:4x8, half 0.5, m 3");
  CHECK(to_string(problem_instance{}).empty());
  problem_instance const without_network{nullptr, {{"p", 8}}};
  CHECK(without_network.p() == 8);
  CHECK_THROWS_AS(at.whole("half"), lockstep::invalid_argument);
  CHECK_THROWS_AS((problem_instance{nullptr, {{"m", -1}}}.whole("m")), lockstep::invalid_argument);
  CHECK_THROWS_AS(at.as<lockstep::hypercube>(), lockstep::invalid_argument);
  CHECK_THROWS_AS(without_network.topology(), lockstep::invalid_argument);
  CHECK_THROWS_AS(problem_instance{}.p(), lockstep::invalid_argument);
  try {
    static_cast<void>(at["n"]);
    FAIL("there is no n");
  } catch (lockstep::invalid_argument const& refused) {
    CHECK(refused.message() ==
          "the formula needs \"n\", which the problem instance does not have; it has half, m, p");
  }
}

TEST_CASE("an order of growth has a constant") {
  auto const claimed = words_claim(8, comparison::order);
  CHECK(constant_of(claimed, 12) == 1.5);
  CHECK(constant_of(claimed, 0) == 0);
  CHECK(constant_of(words_claim(0, comparison::order), 0) == std::nullopt);
  CHECK(std::isinf(constant_of(words_claim(0, comparison::order), 1).value()));
}

TEST_CASE("a time is priced by the claim's model") {
  claim timed{.figure = "time", .formula = "tau + m", .value = 30, .bound = comparison::at_most};
  timed.model = lockstep::block_distributed_model{.tau_words = 10};
  CHECK(measured_for(timed, {.startups = 2, .words = 9}) == 29);
  CHECK(holds(timed, counts{.startups = 2, .words = 9}));
  CHECK_FALSE(holds(timed, counts{.startups = 2, .words = 11}));
}
