#include <optional>

#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "simulation.hpp"

// 3.2.1: the conditions of Phase 4, and the order of the patterns in odd planes.

using namespace as_printed;

namespace {

network const torus_8x8x8{{8, 8, 8}, true};

/// Pattern A (phase 1) or B (phase 2) of the X-Y planes, with this distance.
transmission in_plane(node const& p, int phase, int distance) {
  int const sum = (p[0] + p[1]) % 4;
  return {(sum % 2 == 0) == (phase == 1) ? 0 : 1, sum < 2 ? distance : -distance, true};
}

/// Pattern C, between planes.
transmission between_planes(node const& p) { return {2, p[2] % 4 < 2 ? 4 : -4, true}; }

/// One step of Phases 1, 2, 3 by the equations of 3.2.1: odd planes take C, B, A.
step ring_step_by_equations(int phase) {
  return [phase](node const& p) -> std::optional<transmission> {
    bool const even_plane = p[2] % 2 == 0;
    if (phase == 2) return in_plane(p, 2, 4);
    if (even_plane == (phase == 3)) return between_planes(p);
    return in_plane(p, 1, 4);
  };
}

step_list algorithm_with_rings_by_equations(network const& on) {
  auto all = torus_algorithm(on);
  auto const ring_steps = static_cast<std::size_t>(on.sizes[0] / 4 - 1);
  for (std::size_t i = 0; i < 3 * ring_steps; ++i) {
    auto const s = static_cast<int>(i % ring_steps) + 1;
    auto const by_equations = ring_step_by_equations(static_cast<int>(i / ring_steps) + 1);
    all[i] = [=](node const& p) {
      auto sent = by_equations(p);
      if (s > on.sizes[static_cast<std::size_t>(sent->dimension)] / 4 - 1) sent.reset();
      return sent;
    };
  }
  return all;
}

/// Phase 4, Steps 1 and 3, of 3.2.1. As printed, moves along x look at y mod 4, and moves along y
/// at x mod 4; put right, each looks at its own coordinate.
enum class condition { as_printed, put_right };
step phase_4_of_3_2_1(int step, condition tested) {
  return [=](node const& p) -> std::optional<transmission> {
    bool const in_plane_now = (p[2] % 2 == 0) == (step == 1);
    if (!in_plane_now) return transmission{2, p[2] % 4 < 2 ? 2 : -2, false};
    std::size_t const dimension = (p[0] + p[1]) % 2 == 0 ? 0 : 1;
    int const looked_at = p[tested == condition::put_right ? dimension : 1 - dimension];
    return transmission{static_cast<int>(dimension), looked_at % 4 < 2 ? 2 : -2, false};
  };
}

/// Phase 4, Step 2: printed right.
step phase_4_step_2_of_3_2_1() {
  return [](node const& p) -> std::optional<transmission> {
    std::size_t const dimension = (p[0] + p[1]) % 2 == 0 ? 1 : 0;
    return transmission{static_cast<int>(dimension), p[dimension] % 4 < 2 ? 2 : -2, false};
  };
}

step_list algorithm_of_3_2_1(condition tested) {
  auto all = algorithm_with_rings_by_equations(torus_8x8x8);
  all[3] = phase_4_of_3_2_1(1, tested);
  all[4] = phase_4_step_2_of_3_2_1();
  all[5] = phase_4_of_3_2_1(3, tested);
  return all;
}

}  // namespace

TEST_CASE("erratum 5: Phase 4 of 3.2.1 sends messages out of the torus", "[errata]") {
  for (int const step : {1, 3}) {
    CHECK(strays_of(torus_8x8x8, phase_4_of_3_2_1(step, condition::as_printed), 4) ==
          strays{512, 64, 64});
    CHECK(strays_of(torus_8x8x8, phase_4_of_3_2_1(step, condition::put_right), 4) ==
          strays{512, 0, 0});
  }
  CHECK(strays_of(torus_8x8x8, phase_4_step_2_of_3_2_1(), 4) == strays{512, 0, 0});

  auto const in_step_1 = breakdown_of<lockstep::invalid_rank>([] {
    static_cast<void>(as_printed::run(torus_8x8x8, algorithm_of_3_2_1(condition::as_printed)));
  });
  CHECK(in_step_1 == breakdown{16, 4});  // P(0,2,0) -> P(-2,2,0)

  auto only_step_3 = algorithm_of_3_2_1(condition::put_right);
  only_step_3[5] = phase_4_of_3_2_1(3, condition::as_printed);
  auto const in_step_3 = breakdown_of<lockstep::invalid_rank>(
      [&] { static_cast<void>(as_printed::run(torus_8x8x8, only_step_3)); });
  CHECK(in_step_3 == breakdown{17, 6});  // P(0,2,1) -> P(-2,2,1)
}

TEST_CASE("erratum 5: Phase 4 with each move looking at its own coordinate is right", "[errata]") {
  auto const run =
      as_printed::run(torus_8x8x8, algorithm_of_3_2_1(condition::put_right), {.strict = true});
  CHECK(misplaced(torus_8x8x8, run.results(), 1) == 0);
  CHECK(run.counts().steps == 9);
  CHECK(run.counts().words == 2304);
}

TEST_CASE("erratum 6: odd planes may take C, A, B or C, B, A", "[errata]") {
  for (auto const& sizes : {std::vector{8, 8, 8}, std::vector{12, 8, 4}}) {
    network const on{sizes, true};
    auto const by_words = as_printed::run(on, torus_algorithm(on), {.strict = true});
    auto const by_equations =
        as_printed::run(on, algorithm_with_rings_by_equations(on), {.strict = true});
    CHECK(misplaced(on, by_words.results(), 1) == 0);
    CHECK(misplaced(on, by_equations.results(), 1) == 0);
    CHECK(by_words.counts() == by_equations.counts());
    CHECK(by_words.counts().contention == 1);
  }
  // The orders do differ: P(0,0,1) in Phase 2.
  CHECK(way_in_phase({0, 0, 1}, 2).dimension == 0);
  CHECK(ring_step_by_equations(2)({0, 0, 1})->dimension == 1);
}
