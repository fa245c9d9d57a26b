#include <lockstep/formula.hpp>

#include <cmath>
#include <string>

#include "catch.hpp"

namespace {

lockstep::formula_letters const known{
    .numbers = {{"p", 8}, {"m", 3}, {"k", 2}, {"d", 3}, {"h", 100}, {"h1", 9}, {"n", 10}},
    .lists = {{"N_i", {4, 6}}}};

double number_of(std::string_view formula) {
  auto const value = lockstep::value_of(formula, known);
  INFO(formula);
  REQUIRE(value);
  return *value;
}

}  // namespace

TEST_CASE("factors stand next to each other, and a quotient has one below", "[formula]") {
  CHECK(number_of("2") == 2);
  CHECK(number_of("p(p - 1)m/4") == 42);
  CHECK(number_of("3pm^2 - 4d") == 204);
  CHECK(number_of("n/(pm)") == 10.0 / 24);
  CHECK(number_of("h1/d + 1") == 4);
  CHECK(number_of("2^ceil(log2 p) - 1") == 7);
}

TEST_CASE("logarithms, roundings, sums and bounds are as formulas have them", "[formula]") {
  CHECK(number_of("p/2 log2 p m") == 36);
  CHECK(number_of("(3p - 4) log p") == 60);
  CHECK(number_of("ceil(log_k p)") == 3);
  CHECK(number_of("n/(2 ln n)") == 5 / std::log(10.0));
  CHECK(number_of("d + sqrt(2p) d/2") == 9);
  CHECK(number_of("1/sqrt 4") == 0.5);
  CHECK(number_of("floor(ceil(n/m)/d + 1/2)") == 1);
  CHECK(number_of("max(p, n) + min(d, m, k)") == 12);
  CHECK(number_of("2 (sum of ceil(k/2^i), i = 1 .. d)") == 6);
  CHECK(number_of("2 (sum of ceil(k/2^i), i = 1 .. d, and again, i = 1 .. d - 1)") == 10);
  CHECK(number_of("m sum (N_i - 1)/2 - 1") == 11);
  CHECK(number_of("d/6, at least 1") == 1);
  CHECK(number_of("2(p-1) in each of 3 attempts") == 42);
}

TEST_CASE("what a formula says of its letters goes before what is known", "[formula]") {
  CHECK(number_of("h1/d, with h1 = 6, h2 = 7 of this input") == 2);
  CHECK(number_of("b - 1 + h2, b = min(m, ceil(sqrt p)), with h2 = 4") == 6);
  CHECK(number_of("2 k, k = n/m + 1") == 2 * (10.0 / 3 + 1));
  CHECK(number_of("n/2, for p divides every n_ij") == 5);
}

TEST_CASE("a quotient that is small, or nearly whole, is rounded as it is", "[formula]") {
  lockstep::formula_letters const large{.numbers = {{"n", 1}, {"p", 8}, {"m", 134217728.0}}};
  CHECK(lockstep::value_of("ceil(n/(pm))", large) == 1);
  CHECK(lockstep::value_of("n/(pm)", large) == 1 / (8 * 134217728.0));
  CHECK(lockstep::value_of("m + n/2", large) == 134217728.5);
  CHECK(number_of("ceil(log_k p)") == 3);
  CHECK(number_of("floor(log2 p)") == 3);
}

TEST_CASE("a formula without end, or nested without end, is not one", "[formula][sanitize]") {
  for (auto const* const part : {"(", "sqrt ", "sqrt(", "ln ", "2^"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += part;
    CHECK_FALSE(lockstep::value_of(text + "2", known));
  }
  CHECK_FALSE(lockstep::value_of("sum of i, i = 1 .. 1000000000000000000", known));
  CHECK_FALSE(lockstep::value_of("sum of i, i = 1 .. 1/0", known));
  CHECK_FALSE(lockstep::value_of("sum of (sum of i, i = 1 .. 9999), i = 1 .. 9999", known));
  CHECK_FALSE(lockstep::value_of("sum a", {.numbers = {}, .lists = {{"a", {1, 2}}, {"b", {1}}}}));
}

TEST_CASE("words are not arithmetic", "[formula]") {
  for (auto const* const words : {"turns with a message", "sum of the largest messages", "x + 1",
                                  "m ceil(n/m) for each round", "(p - 1", ""})
    CHECK_FALSE(lockstep::value_of(words, known));
}
