#include <lockstep/judgement.hpp>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>

#include "catch.hpp"

using lockstep::all_claim_verdicts;
using lockstep::claim;
using lockstep::claim_verdict;
using lockstep::comparison;
using lockstep::judge;
using lockstep::judge_order;
using lockstep::judgement;
using lockstep::order_point;
using lockstep::problem_instance;

namespace {

[[nodiscard]] claim claim_of_8(comparison bound) {
  return {.figure = "words", .formula = "8", .value = 8, .bound = bound};
}

/// A claim with each of the things that a verdict rests on, or without.
struct grounds {
  comparison bound;
  bool is_met;
  bool has_evidence;
  bool has_erratum;
};

[[nodiscard]] claim claim_with(grounds const& of) {
  auto claimed = claim_of_8(of.bound);
  claimed.where = {{"p > 1", true}, {"n >= p^3", of.is_met}};
  if (of.has_evidence) claimed.evidence = "a lower bound";
  if (of.has_erratum) claimed.erratum = "our tree is deeper";
  return claimed;
}

[[nodiscard]] std::vector<grounds> all_grounds() {
  std::vector<grounds> all;
  for (auto const bound :
       {comparison::equal, comparison::at_most, comparison::order, comparison::about})
    for (bool const is_met : {false, true})
      for (bool const has_evidence : {false, true})
        for (bool const has_erratum : {false, true})
          all.push_back({bound, is_met, has_evidence, has_erratum});
  return all;
}

/// The constants of runs at these sizes.
template <class Constant>
[[nodiscard]] std::vector<order_point> runs_at(std::vector<double> const& sizes,
                                               Constant constant) {
  std::vector<order_point> runs;
  for (double const size : sizes) runs.push_back({size, constant(size)});
  return runs;
}

[[nodiscard]] std::vector<double> doubled(double from, double to) {
  std::vector<double> sizes;
  for (; from <= to; from *= 2) sizes.push_back(from);
  return sizes;
}

}  // namespace

TEST_CASE("the words are seven, and each is another", "[judgement]") {
  using enum claim_verdict;
  std::set<std::string> words;
  for (auto const verdict : all_claim_verdicts) words.insert(std::string(name_of(verdict)));
  CHECK(words == std::set<std::string>{"equal", "holds", "refuted", "our program exceeds",
                                       "outside the claim", "decides nothing", "not run"});
  CHECK_THROWS_AS(name_of(static_cast<claim_verdict>(99)), lockstep::invalid_argument);
}

TEST_CASE("equal is for an equality, and a bound that is met holds", "[judgement]") {
  using enum claim_verdict;
  CHECK(judge(claim_of_8(comparison::equal), 8) == judgement{equal});
  CHECK(judge(claim_of_8(comparison::at_most), 8) == judgement{holds});
  CHECK(judge(claim_of_8(comparison::at_most), 7) == judgement{holds});
  CHECK(judge(claim_of_8(comparison::about), 8) == judgement{holds});
  CHECK(judge(claim_of_8(comparison::at_most), lockstep::counts{.words = 8}) == judgement{holds});
}

TEST_CASE("an order is not decided by one size, nor what is claimed about by more than that",
          "[judgement]") {
  using enum claim_verdict;
  auto const order = judge(claim_of_8(comparison::order), 1);
  CHECK(order.verdict == decides_nothing);
  CHECK(order.reason == "one size decides nothing");
  CHECK_FALSE(order.is_fault);
  auto const about = judge(claim_of_8(comparison::about), 9);
  CHECK(about.verdict == decides_nothing);
  CHECK_FALSE(about.is_fault);
}

TEST_CASE("beyond a bound, evidence refutes, and a reason says that it is our program",
          "[judgement]") {
  using enum claim_verdict;
  CHECK(judge(claim_with({comparison::at_most, true, true, true}), 9) ==
        judgement{refuted, "a lower bound"});
  CHECK(judge(claim_with({comparison::at_most, true, false, true}), 9) ==
        judgement{our_program_exceeds, "our tree is deeper"});
  auto const unknown = judge(claim_with({comparison::at_most, true, false, false}), 9);
  CHECK(unknown.verdict == our_program_exceeds);
  CHECK(unknown.is_fault);
  CHECK(judge(claim_with({comparison::equal, true, false, true}), 7) ==
        judgement{decides_nothing, "our tree is deeper"});
  CHECK(judge(claim_with({comparison::equal, true, false, false}), 7).is_fault);
}

TEST_CASE("nothing is judged outside the hypotheses", "[judgement]") {
  using enum claim_verdict;
  for (auto const& of : all_grounds())
    for (double const measured : {7.0, 8.0, 9.0}) {
      auto const found = judge(claim_with(of), measured);
      INFO(symbol(of.bound) << ", measured " << measured);
      CHECK((found.verdict == outside_the_claim) == !of.is_met);
      if (!of.is_met) CHECK(found.reason == "made for n >= p^3");
      if (found.verdict == refuted) CHECK((of.has_evidence && measured > 8));
      if (found.verdict == equal) CHECK((of.bound == comparison::equal && measured == 8));
      if (found.verdict == holds) CHECK((of.bound != comparison::equal && measured <= 8));
      if (found.verdict == our_program_exceeds) CHECK(measured > 8);
      if (found.is_fault)
        CHECK((of.is_met && !of.has_erratum && (!of.has_evidence || measured < 8)));
    }
}

TEST_CASE("hypotheses are functions of where a program runs", "[judgement]") {
  using enum claim_verdict;
  auto claimed = claim_of_8(comparison::at_most);
  claimed.where = {{"m >= 2", [](problem_instance const& at) { return at["m"] >= 2; }}};
  CHECK(judge(claimed, 8, {{}, {{"m", 2}}}).verdict == holds);
  CHECK(judge(claimed, 8, {{}, {{"m", 1}}}).verdict == outside_the_claim);
  CHECK_THROWS_AS(judge(claimed, 8), lockstep::invalid_argument);
}

TEST_CASE("constants that go on rising fail, and those that tend to a limit pass", "[judgement]") {
  using enum claim_verdict;
  auto const sizes = doubled(4, 1024);
  auto const verdict = [&](auto constant) { return judge_order(runs_at(sizes, constant)).verdict; };
  SECTION("right orders") {
    CHECK(verdict([](double) { return 3.0; }) == holds);
    CHECK(verdict([](double p) { return 4 - 8 / p; }) == holds);
    CHECK(verdict([](double p) { return 4 - 4 / std::log2(p); }) == holds);
    CHECK(verdict([](double p) { return 1 + 10 / std::log2(p); }) == holds);
    CHECK(verdict([](double p) { return 1 / p; }) == holds);
    CHECK(verdict([](double p) { return std::ceil(p / 3) * 3 / p; }) == holds);
  }
  SECTION("wrong orders") {
    CHECK(verdict([](double p) { return (p - 1) / std::log2(p); }) == our_program_exceeds);
    CHECK(verdict([](double p) { return std::log2(p); }) == our_program_exceeds);
    CHECK(verdict([](double p) { return std::sqrt(p); }) == our_program_exceeds);
    CHECK(verdict([](double p) { return std::sqrt(std::log2(p)); }) == our_program_exceeds);
    CHECK(judge_order(runs_at(sizes, [](double p) { return p; })).is_fault);
  }
}

TEST_CASE("few sizes decide nothing of an order", "[judgement]") {
  using enum claim_verdict;
  auto const rising = [](double p) { return p; };
  CHECK(judge_order({}).verdict == decides_nothing);
  CHECK(judge_order(runs_at({8, 8, 8}, rising)).reason == "one size decides nothing");
  CHECK(judge_order(runs_at({8, 64}, rising)).verdict == decides_nothing);
  CHECK(judge_order(runs_at({8, 9, 10}, rising)).verdict == decides_nothing);
  CHECK(judge_order(runs_at({32, 8, 16}, rising)).verdict == our_program_exceeds);
  // Tori of 4, 8 and 12 a side: none between 16 and 48.
  auto const to_a_limit = [](double p) { return 4 - 8 / p; };
  CHECK(judge_order(runs_at({16, 64, 144}, to_a_limit)).verdict == decides_nothing);
  CHECK(judge_order(runs_at({0, 8, 64}, rising)).verdict == decides_nothing);
}

TEST_CASE("what is not a finite number is a fault", "[judgement]") {
  using enum claim_verdict;
  double const nan = std::nan("");
  double const infinity = HUGE_VAL;
  for (auto const bound : {comparison::equal, comparison::at_most, comparison::about})
    for (double const measured : {nan, infinity}) {
      auto const found = judge(claim_of_8(bound), measured);
      CHECK(found.is_fault);
      CHECK(found.verdict == decides_nothing);
    }
  auto claimed = claim_of_8(comparison::about);
  claimed.value = nan;
  CHECK(judge(claimed, 8).is_fault);
  CHECK(judge_order(runs_at({4, 16, 64}, [&](double p) { return p > 4 ? nan : 1; })).is_fault);
}

TEST_CASE("evidence that a bound is too low says nothing of a run below an equality",
          "[judgement]") {
  auto claimed = claim_of_8(comparison::equal);
  claimed.evidence = "a lower bound";
  CHECK(judge(claimed, 7).verdict == claim_verdict::decides_nothing);
  CHECK(judge(claimed, 9).verdict == claim_verdict::refuted);
}
