#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "simulation.hpp"

// Fig. 5, Phase 3: every condition asks for col_id, where the moves along a column need row_id.

using namespace as_printed;
using lockstep::textbook::partner_at_distance_2;

namespace {

network const torus_12x12{{12, 12}, true};

/// Fig. 5, "Begin Phase 3 Step 1" and "Step 2": the dimension of the move depends on the parity of
/// row_id + col_id, its sign on col_id.
along phase_3_of_fig_5(node const& p, int step) {
  bool const even = (p[0] + p[1]) % 2 == 0;
  int const dimension = even == (step == 1) ? 1 : 0;
  return {dimension, p[1] % 4 < 2 ? 2 : -2};
}

/// The torus algorithm with one step of Phase 3 as printed.
exchange_rules rules_with_printed_step(int printed_step) {
  auto rules = rules_of(torus_12x12);
  rules.distance_2 = [printed_step](node const& p, int step) {
    return step == printed_step ? phase_3_of_fig_5(p, step) : partner_at_distance_2(p, step);
  };
  return rules;
}

}  // namespace

TEST_CASE("erratum 4: Phase 3 of Fig. 5 sends messages out of the torus", "[errata]") {
  for (int const step : {1, 2}) {
    CHECK(strays_of(torus_12x12, phase_3_of_fig_5, step, 4) == strays{144, 12, 24});
    CHECK(strays_of(torus_12x12, partner_at_distance_2, step, 4) == strays{144, 0, 0});
  }

  auto const broken_with = [](int printed_step) {
    return breakdown_of<lockstep::invalid_rank>([&] {
      static_cast<void>(as_printed::run(torus_12x12, rules_with_printed_step(printed_step)));
    });
  };
  CHECK(broken_with(1) == breakdown{3, 5});  // P(0,3) -> P(-2,3)
  CHECK(broken_with(2) == breakdown{2, 6});  // P(0,2) -> P(-2,2)
}

TEST_CASE("erratum 4: Phase 3 by the text of 3.1.2 is right", "[errata]") {
  auto const run = as_printed::run(torus_12x12, rules_of(torus_12x12), {.strict = true});
  CHECK(misplaced(torus_12x12, run.results(), 1) == 0);
  CHECK(run.counts().steps == 8);
  CHECK(run.counts().words == 576);
}
