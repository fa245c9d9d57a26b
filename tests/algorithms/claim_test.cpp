#include <string>

#include <lockstep/algorithms/claim.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"

using lockstep::claim;
using lockstep::counts;
using lockstep::relation;

namespace {

claim words_claim(double value, relation bound) {
  return {"words", "8m", value, bound, "a source"};
}

}  // namespace

TEST_CASE("a relation has a symbol") {
  CHECK(symbol(relation::equal) == "=");
  CHECK(symbol(relation::at_most) == "<=");
  CHECK(symbol(relation::order) == "order");
}

TEST_CASE("figures of counts are found by name") {
  counts measured;
  measured.steps = 8;
  measured.serialised_steps = 11;
  measured.queued = 2;
  CHECK(figure_of(measured, "steps") == 8);
  CHECK(figure_of(measured, "serialised_steps") == 11);
  CHECK(figure_of(measured, "queued") == 2);
  CHECK(figure_of(measured, "words") == 0);
  CHECK_THROWS_AS(figure_of(measured, "step"), lockstep::invalid_argument);
  CHECK_THROWS_AS(figure_of(measured, ""), lockstep::invalid_argument);
}

TEST_CASE("an equality holds for that value only") {
  counts measured;
  measured.words = 576;
  CHECK(holds(words_claim(576, relation::equal), measured));
  CHECK_FALSE(holds(words_claim(575, relation::equal), measured));
  CHECK_FALSE(holds(words_claim(576.5, relation::equal), measured));
}

TEST_CASE("an upper bound holds up to its value") {
  counts measured;
  measured.words = 576;
  CHECK(holds(words_claim(576, relation::at_most), measured));
  CHECK(holds(words_claim(576.5, relation::at_most), measured));
  CHECK_FALSE(holds(words_claim(575.5, relation::at_most), measured));
}

TEST_CASE("an order of growth never decides anything") {
  counts measured;
  measured.words = 576;
  CHECK(holds(words_claim(1, relation::order), measured));
}

TEST_CASE("a claim about no figure is an error") {
  claim claimed = words_claim(1, relation::equal);
  claimed.figure = "word";
  CHECK_THROWS_AS(holds(claimed, counts{}), lockstep::invalid_argument);
}
