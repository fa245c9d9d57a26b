#include <lockstep/algorithms/routing/h_relation_direct.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/experiments/registry.hpp>

#include "harness/entries.hpp"
#include "harness/parameters.hpp"
#include "harness/sources.hpp"
#include "routing/expected_arrivals.hpp"
#include "routing/h_relation_claims.hpp"
#include "routing/h_relation_request.hpp"

namespace lockstep {

namespace {

[[nodiscard]] experiment_result run_direct(experiment_request const& asked) {
  auto const made = h_relation_from(asked);
  auto const order = choice(asked, "order", std::array{round_order::pex, round_order::lp});
  auto const timing =
      choice(asked, "timing", std::array{round_timing::stepwise, round_timing::pipelined});
  auto const expected = expected_arrivals::by_source(made.input);
  auto run = strict_machine(asked).run(
      [&](processor& me) -> int {
        auto const mine = labelled_elements(made.input, me.rank());
        auto const arrived = h_relation_direct(me, std::span(mine), &labelled::home, order, timing);
        return std::ranges::equal(arrived, expected.at(me.rank())) ? 1 : 0;
      },
      asked.observers);
  bool const correct = std::ranges::find(run.results(), 0) == run.results().end();
  experiment_result result{.record = std::move(run), .correct = correct};
  result.claims = direct_claims(made, order, timing, asked.options.packet);
  result.figures["largest_block"] =
      static_cast<std::int64_t>(std::ranges::max(elements_between(made.input)));
  result.bounds = bounds_of(result.record, made.input);
  result.parameters = parameters_used(asked, made);
  return result;
}

}  // namespace

experiment h_relation_direct_entry() {
  auto parameters = h_relation_parameters();
  parameters.push_back({"order",
                        "the partners of the rounds: pex (i and i xor k) or lp (from i to "
                        "(i + k) mod p)",
                        std::string("pex")});
  parameters.push_back({"timing",
                        "how the rounds are counted: stepwise (each pays a start-up and "
                        "its largest block) or pipelined (all pay one)",
                        std::string("stepwise")});
  return {
      .name = "h-relation-direct",
      .summary = "elements go anywhere, straight, in blocks as the input makes them",
      .topologies = "crossbar",
      .source = bader_helman_jaja_1996,
      .examples = {"crossbar:16", "crossbar:4", "crossbar:8", "crossbar:32"},
      .parameters = std::move(parameters),
      .run = run_direct,
  };
}

}  // namespace lockstep
