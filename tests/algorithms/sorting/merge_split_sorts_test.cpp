#include <bit>
#include <cstddef>
#include <string>
#include <vector>

#include <lockstep/algorithms/sorting/bitonic_sort.hpp>
#include <lockstep/algorithms/sorting/odd_even_merge_sort.hpp>
#include <lockstep/algorithms/sorting/odd_even_transposition_sort.hpp>
#include <lockstep/algorithms/sorting/shear_sort.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "sorting/sort_runs.hpp"

// Sorts of k values on each processor, by exchanges in which the lower processor keeps the lower half: what is
// particular to each.

using lockstep::mesh_shape;
using lockstep::processor;
using lockstep::detail::gray_code;
using lockstep::detail::odd_even_partner;

namespace {

/// Runs the columns of comparators on a word of p bits, one for each line.
unsigned sorted_bits(unsigned word, unsigned p) {
  for (unsigned half = 1; half < p; half *= 2)
    for (unsigned distance = half; distance > 0; distance /= 2) {
      unsigned next = word;
      for (unsigned line = 0; line < p; ++line) {
        auto const partner = odd_even_partner(line, half, distance);
        if (partner <= line) continue;
        bool const out_of_order = (word >> line & 1U) > (word >> partner & 1U);
        if (out_of_order) next ^= 1U << line | 1U << partner;
      }
      word = next;
    }
  return word;
}

}  // namespace

TEST_CASE("Batcher's odd-even network sorts all sequences of 16 bits", "[sorting]") {
  for (unsigned const p : {1U, 2U, 4U, 8U, 16U}) {
    int wrong = 0;
    for (unsigned word = 0; word < 1U << p; ++word) {
      auto const ones = static_cast<unsigned>(std::popcount(word));
      if (sorted_bits(word, p) != ((1U << ones) - 1) << (p - ones)) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("each comparator of the odd-even network has one partner at most two links off",
          "[sorting]") {
  unsigned const p = 64;
  for (unsigned half = 1; half < p; half *= 2)
    for (unsigned distance = half; distance > 0; distance /= 2) {
      int waiting = 0;
      for (unsigned line = 0; line < p; ++line) {
        auto const partner = odd_even_partner(line, half, distance);
        REQUIRE(partner < p);
        CHECK(odd_even_partner(partner, half, distance) == line);
        if (partner == line) {
          ++waiting;
          continue;
        }
        CHECK(std::popcount(gray_code(line) ^ gray_code(partner)) == (distance == 1 ? 1 : 2));
        CHECK((distance == half ||
               std::popcount(line ^ partner) >= 2));  // not neighbours without Gray's code
      }
      CHECK(waiting == (distance == half ? 0 : static_cast<int>(p * distance / half)));
    }
}

TEST_CASE("shear sort sorts all sequences of 0 and 1 on a 4x4 mesh", "[sorting]") {
  lockstep::machine const on(lockstep::mesh{{4, 4}}, {.strict = true, .workers = 1});
  constexpr unsigned at_once = 1024;  // one after the other, in one run
  for (unsigned first = 0; first < 1U << 16U; first += at_once) {
    auto const run = on.run([&](processor& me) {
      std::vector<int> found;
      for (unsigned word = first; word < first + at_once; ++word)
        found.push_back(
            lockstep::shear_sort(me, std::vector{sorts::bits_of(word, 16)[index(me.rank())]})[0]);
      return found;
    });
    for (unsigned i = 0; i < at_once; ++i) {
      auto const zeros = 16 - std::popcount(first + i);
      for (int rank = 0; rank < 16; ++rank) {
        auto const place = mesh_shape{4, 4}.place_of(rank);
        if (run.results()[index(rank)][i] != (place < zeros ? 0 : 1))
          FAIL("sequence " << first + i << " is not sorted at rank " << rank);
      }
    }
  }
}

TEST_CASE("the snake of shear sort goes back on odd rows, and 4 rows need two phases of columns",
          "[sorting]") {
  std::vector<int> places;
  for (int rank = 0; rank < 6; ++rank) places.push_back(mesh_shape{2, 3}.place_of(rank));
  CHECK(places == std::vector{0, 1, 2, 5, 4, 3});
  CHECK(mesh_shape{1, 3}.halvings() == 0);
  CHECK(mesh_shape{4, 3}.halvings() == 2);
  CHECK(mesh_shape{5, 3}.halvings() == 3);
}

TEST_CASE("odd-even transposition sort needs all of its p rounds", "[sorting]") {
  // The least value is last, and its processor waits in round 0.
  lockstep::machine const on(lockstep::mesh{{3}}, {.strict = true});
  auto const run = on.run([](processor& me) {
    std::vector const values{2, 3, 1};
    return odd_even_transposition_sort(me, std::vector{values[index(me.rank())]}).front();
  });
  CHECK(run.results() == std::vector{1, 2, 3});
  CHECK(lockstep::detail::transposition_rounds(3) == 3);
}

TEST_CASE("odd-even transposition sort sorts a row of a mesh as a subset", "[sorting]") {
  lockstep::machine const on(lockstep::mesh{{2, 4}}, {.strict = true});
  auto const run = on.run([](processor& me) {
    auto row = me.subset(lockstep::dimensions{1});
    return lockstep::odd_even_transposition_sort(row, std::vector{8 - me.rank()}).front();
  });
  CHECK(run.results() == std::vector{5, 6, 7, 8, 1, 2, 3, 4});
  CHECK(run.counts().steps == 4);
}

TEST_CASE("sorts of k values on each processor refuse other networks", "[sorting]") {
  auto const refused = [](int p, auto const& sort) {
    return refusal_of<lockstep::invalid_argument>(
        lockstep::machine(lockstep::crossbar{p}),
        [&](processor& me) { static_cast<void>(sort(me, std::vector{1})); });
  };
  CHECK(refused(3, [](auto& me, auto mine) { return bitonic_sort(me, mine); }) != "not refused");
  CHECK(refused(3, [](auto& me, auto mine) { return odd_even_merge_sort(me, mine); }) !=
        "not refused");
  CHECK(refused(4, [](auto& me, auto mine) { return shear_sort(me, mine); }) != "not refused");
  CHECK_THROWS_AS(mesh_shape::of(lockstep::mesh{{8}}), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::shear_sort_claims({0, 3}, 1), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::odd_even_transposition_sort_claims(0, 1), lockstep::invalid_argument);
}

TEST_CASE("a processor says which half it keeps, at each exchange") {
  reference::call_log log;
  lockstep::machine(lockstep::hypercube{2})
      .run(
          [](processor& me) {
            static_cast<void>(lockstep::bitonic_sort(me, std::vector<int>{7 - me.rank()}));
          },
          log);
  std::vector<std::string> of_rank_1;
  for (auto const& [made, text] : log.texts)
    if (made.rank == 1) of_rank_1.push_back(text);
  // Up with 0, then with 3 and 0 in the stage that merges all.
  CHECK(of_rank_1 == std::vector<std::string>{"keeps the larger half", "keeps the smaller half",
                                              "keeps the larger half"});
  CHECK(log.texts.size() == 12);
}
