#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "index.hpp"
#include "simulation.hpp"

// 3.2.1: the conditions of Phase 4, and the order of the patterns in odd planes.

using namespace as_printed;

namespace {

network const torus_8x8x8{{8, 8, 8}, true};

/// Pattern A (phase 1) or B (phase 2) of the X-Y planes.
along in_plane(node const& p, int phase) {
  int const sum = (p[0] + p[1]) % 4;
  return {(sum % 2 == 0) == (phase == 1) ? 0 : 1, sum < 2 ? 4 : -4};
}

/// Pattern C, between planes.
along between_planes(node const& p) { return {2, p[2] % 4 < 2 ? 4 : -4}; }

/// Phases 1, 2, 3 by the equations of 3.2.1: odd planes take C, B, A.
along ring_by_equations(node const& p, int phase) {
  bool const even_plane = p[2] % 2 == 0;
  if (phase == 2) return in_plane(p, 2);
  if (even_plane == (phase == 3)) return between_planes(p);
  return in_plane(p, 1);
}

/// Phase 4 of 3.2.1, which moves along x, y or z by the coordinate that it looks at, mod 4.
along phase_4_looking_at(node const& p, int dimension, int looked_at) {
  return {dimension, p[index(looked_at)] % 4 < 2 ? 2 : -2};
}
along phase_4(node const& p, int step) {
  bool const even = (p[0] + p[1]) % 2 == 0;
  int const in_plane_now = even == (step != 2) ? 0 : 1;
  bool const stays_in_plane = step == 2 || (p[2] % 2 == 0) == (step == 1);
  int const dimension = stays_in_plane ? in_plane_now : 2;
  return phase_4_looking_at(p, dimension, dimension);
}

/// The same as printed: moves along x look at y mod 4, and moves along y at x mod 4.
along phase_4_as_printed(node const& p, int step) {
  int const dimension = phase_4(p, step).dimension;
  bool const wrong = dimension != 2;
  return phase_4_looking_at(p, dimension, wrong ? 1 - dimension : dimension);
}

exchange_rules by_equations(network const& on) {
  auto rules = rules_of(on);
  rules.ring = ring_by_equations;
  return rules;
}

/// 3.2.1 with its Phase 4 as it is printed from a step on, and put right before it.
exchange_rules rules_of_3_2_1(int printed_from) {
  auto rules = by_equations(torus_8x8x8);
  rules.distance_2 = [printed_from](node const& p, int step) {
    return step < printed_from ? phase_4(p, step) : phase_4_as_printed(p, step);
  };
  return rules;
}

breakdown broken_with(exchange_rules const& rules) {
  return breakdown_of<lockstep::invalid_rank>(
      [&] { static_cast<void>(as_printed::run(torus_8x8x8, rules)); });
}

}  // namespace

TEST_CASE("erratum 5: Phase 4 of 3.2.1 sends messages out of the torus", "[errata]") {
  for (int const step : {1, 2, 3})
    CHECK(strays_of(torus_8x8x8, phase_4, step, 4) == strays{512, 0, 0});
  for (int const step : {1, 3})
    CHECK(strays_of(torus_8x8x8, phase_4_as_printed, step, 4) == strays{512, 64, 64});
  CHECK(strays_of(torus_8x8x8, phase_4_as_printed, 2, 4) == strays{512, 128, 128});
  CHECK(broken_with(rules_of_3_2_1(1)) == breakdown{16, 4});  // P(0,2,0) -> P(-2,2,0)
  CHECK(broken_with(rules_of_3_2_1(2)) == breakdown{24, 5});  // P(0,3,0) -> P(-2,3,0)
  CHECK(broken_with(rules_of_3_2_1(3)) == breakdown{17, 6});  // P(0,2,1) -> P(-2,2,1)
}

TEST_CASE("erratum 5: Phase 4 with each move looking at its own coordinate is right", "[errata]") {
  auto const run = as_printed::run(torus_8x8x8, rules_of_3_2_1(4), {.strict = true});
  CHECK(misplaced(torus_8x8x8, run.results(), 1) == 0);
  CHECK(run.counts().steps == 9);
  CHECK(run.counts().words == 2304);
}

TEST_CASE("erratum 6: odd planes may take C, A, B or C, B, A", "[errata]") {
  for (auto const& sizes : {std::vector{8, 8, 8}, std::vector{12, 8, 4}}) {
    network const on{sizes, true};
    auto const by_words = as_printed::run(on, rules_of(on), {.strict = true});
    auto const as_equations = as_printed::run(on, by_equations(on), {.strict = true});
    CHECK(misplaced(on, by_words.results(), 1) == 0);
    CHECK(misplaced(on, as_equations.results(), 1) == 0);
    CHECK(by_words.counts() == as_equations.counts());
    CHECK(by_words.counts().contention == 1);
  }
  // The orders do differ: P(0,0,1) in Phase 2.
  CHECK(lockstep::textbook::ring_in_nd({0, 0, 1}, 2).dimension == 0);
  CHECK(ring_by_equations({0, 0, 1}, 2).dimension == 1);
}
