#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "simulation.hpp"

// 4.1, Phase 3, Step 2: the groups EO and OE have each other's moves.

using namespace as_printed;

namespace {

network const mesh_6x6{{6, 6}, false};

/// Phase 3, Step 2, as printed: EE and OE down, OO and EO up. OE is odd in its row.
along phase_3_as_printed(node const& p, int step) {
  if (step == 1) return lockstep::textbook::partner_at_distance_1(p, step);
  bool const column_even = p[1] % 2 == 0;
  return {0, column_even ? 1 : -1};
}

exchange_rules rules_as_printed() {
  auto printed = rules_of(mesh_6x6);
  printed.distance_1 = phase_3_as_printed;
  return printed;
}

}  // namespace

TEST_CASE("erratum 10: Phase 3, Step 2 of 4.1 sends messages out of the mesh", "[errata]") {
  CHECK(strays_of(mesh_6x6, phase_3_as_printed, 2, 2) == strays{36, 6, 12});
  CHECK(strays_of(mesh_6x6, lockstep::textbook::partner_at_distance_1, 2, 2) == strays{36, 0, 0});

  auto const broken = breakdown_of<lockstep::invalid_rank>(
      [] { static_cast<void>(as_printed::run(mesh_6x6, rules_as_printed())); });
  CHECK(broken == breakdown{1, 6});  // P(0,1) -> P(-1,1)
}

TEST_CASE("erratum 10: EE and EO down, OE and OO up is right", "[errata]") {
  auto const right = as_printed::run(mesh_6x6, rules_of(mesh_6x6), {.strict = true});
  CHECK(misplaced(mesh_6x6, right.results(), 1) == 0);
  CHECK(right.counts().steps == 6);
  CHECK(right.counts().words == 108);
}
