#include <lockstep/algorithms/routing/place_by_offset.hpp>

#include <cstdint>
#include <vector>

#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"

using lockstep::processor;

namespace {

struct placed {
  int home = 0;
  std::int64_t position = 0;
  int value = 0;
};

}  // namespace

TEST_CASE("elements that name a processor and a position are put there", "[sanitize]") {
  constexpr int p = 5;
  constexpr int size = 7;
  lockstep::machine const machine(lockstep::crossbar{p}, {.strict = true, .workers = 1});
  auto const run = machine.run([](processor& me) {
    // Element k of the whole goes to k 8 mod 35, which is one to one.
    std::vector<placed> mine;
    for (int k = me.rank() * size; k < (me.rank() + 1) * size; ++k)
      mine.push_back({k * 8 % (p * size) / size, k * 8 % (p * size) % size, k});
    auto const arrived = h_relation(me, std::span<placed const>(mine), &placed::home).elements;
    return place_by_offset(me, std::span<placed const>(arrived), &placed::position, size);
  });
  for (int at = 0; at < p * size; ++at) {
    auto const& element = run.results()[index(at / size)][index(at % size)];
    CHECK(element.value * 8 % (p * size) == at);
  }
}

TEST_CASE("positions out of range, and those that two name, are refused", "[sanitize]") {
  lockstep::machine const machine{lockstep::crossbar{1}};
  auto const refusal = [&](std::vector<placed> const& arrived, std::size_t places) {
    return refusal_of<lockstep::invalid_argument>(machine, [&](processor& me) {
      return place_by_offset(me, std::span(arrived), &placed::position, places).size();
    });
  };
  CHECK(refusal({{0, 1, 0}, {0, 0, 0}}, 2) == "not refused");
  CHECK(refusal({{0, 1, 0}, {0, 3, 0}}, 5) == "not refused");  // places may stay empty
  CHECK(
      refusal({{0, 1, 0}, {0, 2, 0}}, 2) ==
      "place_by_offset: element 1 that came to processor 0 names position 2, and there are 2, from "
      "0 on; mend its position, or give more places");
  CHECK_THAT(refusal({{0, -1, 0}}, 2), has_text("names position -1"));
  CHECK(refusal({{0, 1, 0}, {0, 0, 0}, {0, 1, 0}}, 3) ==
        "place_by_offset: element 2 that came to processor 0 names position 1, which another has "
        "taken; mend their positions");
}
