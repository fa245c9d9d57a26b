#include "data_array.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "catch.hpp"
#include "index.hpp"
#include "simulation.hpp"

// 3.1.3: which block is at which place of the data array B, and which columns are sent.

using namespace as_printed;
using lockstep::textbook::ring_in_2d;

namespace {

/// How far a destination is away along one dimension, from 0 up.
using distance = int (*)(int size, int sign, int from, int to);

/// 3.1.3: hops.
int hops(int size, int sign, int from, int to) { return (sign * (to - from) + size) % size; }

/// What is meant: the submeshes on the way, then the place in the submesh.
int submeshes_and_place(int size, int sign, int from, int to) {
  int const submeshes = size / 4;
  return 4 * ((sign * (to / 4 - from / 4) + submeshes) % submeshes) + to % 4;
}

/// Which of the two indices the columns are that Phase 1 sends: that of Phase 1's distances, or, by
/// the letter of "B[u, 0]", that of Phase 2's.
enum class columns { distances_of_phase_1, distances_of_phase_2 };

/// Node x's array of R x C places, and what it sends in Phases 1 and 2. Distance u along the
/// dimension of Phase 1 and v along that of Phase 2 are at place u * size + v.
array_program program_of(network const& on, node const& x, distance measured, columns first) {
  auto const one = ring_in_2d(x, 1);
  auto const two = ring_in_2d(x, 2);
  int const sizes[] = {on.sizes[index(one.dimension)], on.sizes[index(two.dimension)]};
  array_program program{block_list(index(on.processors())), {}};
  for (int rank = 0; rank < on.processors(); ++rank) {
    auto const y = on.at(rank);
    auto const away = [&](along const& ring) {
      auto const d = index(ring.dimension);
      return measured(on.sizes[d], ring.offset / 4, x[d], y[d]);
    };
    program.initial[index(away(one) * sizes[1] + away(two))] = {on.rank_of(x), rank};
  }
  for (int phase : {1, 2}) {
    auto const [dimension, offset] = phase == 1 ? one : two;
    bool const by_u = (phase == 1) == (first == columns::distances_of_phase_1);
    for (int s = 1; s <= sizes[phase - 1] / 4 - 1; ++s) {
      places sent;
      for (int u = 0; u < sizes[0]; ++u)
        for (int v = 0; v < sizes[1]; ++v)
          if ((by_u ? u : v) >= 4 * s) sent.push_back(index(u * sizes[1] + v));
      program.steps.push_back({phase, dimension, offset, -offset, sent});
    }
  }
  return program;
}

/// Blocks that are not in their destination's 4x4 submesh after Phases 1 and 2.
int misplaced_after_phase_2(network const& on, distance measured, columns first) {
  auto const run =
      run_arrays(on, [&](node const& x) { return program_of(on, x, measured, first); });
  return misplaced(on, run.results(), 4);
}

}  // namespace

TEST_CASE("erratum 1: arrays indexed by hops bring blocks to the wrong submesh", "[errata]") {
  network const on{{12, 12}, true};
  CHECK(on.processors() * on.processors() == 20736);
  CHECK(misplaced_after_phase_2(on, hops, columns::distances_of_phase_1) == 12636);
  CHECK(misplaced_after_phase_2(on, submeshes_and_place, columns::distances_of_phase_1) == 0);
}

TEST_CASE("erratum 1: nodes at the origin of their submesh have the same array either way",
          "[errata]") {
  network const on{{12, 12}, true};
  int same = 0;
  for (int rank = 0; rank < on.processors(); ++rank) {
    auto const x = on.at(rank);
    auto const array_by = [&](distance measured) {
      return program_of(on, x, measured, columns::distances_of_phase_1).initial;
    };
    if (array_by(hops) == array_by(submeshes_and_place)) ++same;
  }
  CHECK(same == 9);
}

TEST_CASE("erratum 1: nodes in two of the sixteen places of a submesh send to the right submeshes",
          "[errata]") {
  network const on{{12, 12}, true};
  int right = 0;
  for (int rank = 0; rank < on.processors(); ++rank) {
    auto const x = on.at(rank);
    auto const is_right = [&](int to) {
      auto const y = on.at(to);
      return std::ranges::all_of(std::array{1, 2}, [&](int phase) {
        auto const ring = ring_in_2d(x, phase);
        auto const d = index(ring.dimension);
        int const sign = ring.offset / 4;
        return hops(on.sizes[d], sign, x[d], y[d]) / 4 ==
               submeshes_and_place(on.sizes[d], sign, x[d], y[d]) / 4;
      });
    };
    if (std::ranges::all_of(std::views::iota(0, on.processors()), is_right)) ++right;
  }
  CHECK(right == 18);
}

TEST_CASE("erratum 2: with Phase 1's distances down the rows the wrong columns are sent",
          "[errata]") {
  network const on{{12, 12}, true};
  CHECK(misplaced_after_phase_2(on, submeshes_and_place, columns::distances_of_phase_2) == 13824);
  CHECK(misplaced_after_phase_2(on, submeshes_and_place, columns::distances_of_phase_1) == 0);
}

TEST_CASE("erratum 2: on 8x16 half of the distances are outside the array's rows", "[errata]") {
  network const on{{8, 16}, true};
  int outside_rows = 0;
  for (int u = 0; u < on.sizes[1]; ++u)  // P(0,0), along +c
    if (u > on.sizes[0] - 1) ++outside_rows;
  CHECK(outside_rows == 8);
}
