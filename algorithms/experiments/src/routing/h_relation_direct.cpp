#include <lockstep/algorithms/routing/h_relation_direct.hpp>

#include <algorithm>
#include <array>

#include "routing/expected_arrivals.hpp"
#include "routing/h_relation_claims.hpp"

namespace lockstep {

namespace {

constexpr choice_parameter partners{
    "order", "the partners of the rounds: pex (i and i xor k) or lp (from i to (i + k) mod p)",
    std::array{named_choice{"pex", round_order::pex}, named_choice{"lp", round_order::lp}}};
constexpr choice_parameter timing_of_rounds{
    "timing",
    "how the rounds are counted: stepwise (each pays a start-up and its largest block) or "
    "pipelined (all pay one)",
    std::array{named_choice{"stepwise", round_timing::stepwise},
               named_choice{"pipelined", round_timing::pipelined}}};

[[nodiscard]] experiment_result run_direct(arguments const& given) {
  auto const order = given[partners];
  auto const timing = given[timing_of_rounds];
  h_relation_run const what(given);
  auto const expected = expected_arrivals::by_source(what.input);
  auto run = what.run([&](processor& me) -> int {
    auto const mine = what.elements_of(me.rank());
    auto const arrived = h_relation_direct(me, std::span(mine), &labelled::home, order, timing);
    return std::ranges::equal(arrived, expected.at(me.rank())) ? 1 : 0;
  });
  bool const correct = std::ranges::find(run.results(), 0) == run.results().end();
  auto result = what.result(std::move(run), correct);
  result.claims = direct_claims(what, order, timing);
  result.figures["largest_block"] =
      static_cast<std::int64_t>(std::ranges::max(elements_between(what.input)));
  return result;
}

}  // namespace

experiment h_relation_direct_experiment() {
  return h_relation_experiment_of(
      {.name = "h-relation-direct",
       .summary = "elements go anywhere, straight, in blocks as the input makes them",
       .source = bader_helman_jaja_1996,
       .run = run_direct},
      {partners, timing_of_rounds});
}

}  // namespace lockstep
