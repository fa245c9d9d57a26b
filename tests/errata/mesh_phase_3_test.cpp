#include <optional>

#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "simulation.hpp"

// 4.1, Phase 3, Step 2: the groups EO and OE have each other's moves.

using namespace as_printed;

namespace {

network const mesh_6x6{{6, 6}, false};

/// Phases 1 and 2 of 4.1.
step ring_step(int phase) {
  return [phase](node const& p) -> std::optional<transmission> {
    bool const even = (p[0] + p[1]) % 2 == 0;  // EE or OO
    return transmission{even == (phase == 1) ? 1 : 0, 2, true};
  };
}

/// Phase 3, Step 2, as printed: EE and OE down, OO and EO up. OE is odd in its row.
step step_2_as_printed() {
  return [](node const& p) -> std::optional<transmission> {
    bool const column_even = p[1] % 2 == 0;
    return transmission{0, column_even ? 1 : -1, false};
  };
}

step_list algorithm_of_4_1(step const& step_2) {
  return {ring_step(1), ring_step(1), ring_step(2), ring_step(2), exchange_at_distance_1(1),
          step_2};
}

}  // namespace

TEST_CASE("erratum 10: Phase 3, Step 2 of 4.1 sends messages out of the mesh", "[errata]") {
  CHECK(strays_of(mesh_6x6, step_2_as_printed(), 2) == strays{36, 6, 12});
  CHECK(strays_of(mesh_6x6, exchange_at_distance_1(0), 2) == strays{36, 0, 0});

  auto const broken = breakdown_of<lockstep::invalid_rank>(
      [] { static_cast<void>(as_printed::run(mesh_6x6, algorithm_of_4_1(step_2_as_printed()))); });
  CHECK(broken == breakdown{1, 6});  // P(0,1) -> P(-1,1)
}

TEST_CASE("erratum 10: EE and EO down, OE and OO up is right", "[errata]") {
  auto const right =
      as_printed::run(mesh_6x6, algorithm_of_4_1(exchange_at_distance_1(0)), {.strict = true});
  CHECK(misplaced(mesh_6x6, right.results(), 1) == 0);
  CHECK(right.counts().steps == 6);
  CHECK(right.counts().words == 108);
}
