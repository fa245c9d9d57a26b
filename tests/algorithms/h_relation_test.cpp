#include <lockstep/algorithms/routing/h_relation.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "refusal_of.hpp"

using lockstep::processor;

namespace {

struct parcel {
  int home = 0;
  int source = 0;
  int number = 0;  ///< among those of its source

  friend auto operator<=>(parcel const&, parcel const&) = default;
};

/// Any number of parcels in each processor, for anybody.
std::vector<std::vector<parcel>> random_parcels(int p, int most, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<parcel>> all(static_cast<std::size_t>(p));
  for (int source = 0; source < p; ++source) {
    int const count = std::uniform_int_distribution(0, most)(random);
    for (int number = 0; number < count; ++number)
      all[static_cast<std::size_t>(source)].push_back(
          {std::uniform_int_distribution(0, p - 1)(random), source, number});
  }
  return all;
}

}  // namespace

TEST_CASE("h_relation brings every element where it goes") {
  int const p = GENERATE(1, 2, 3, 4, 7, 8);
  auto const seed = GENERATE(1U, 2U, 3U);
  auto const parcels = random_parcels(p, 40, seed);
  lockstep::machine const machine(lockstep::crossbar{p}, {.strict = true, .workers = 1});
  auto const run = machine.run([&](processor& me) {
    std::span<parcel const> const mine = parcels[static_cast<std::size_t>(me.rank())];
    return h_relation(me, mine, &parcel::home);
  });
  INFO("p = " << p << ", seed " << seed);
  std::vector<std::vector<parcel>> expected(static_cast<std::size_t>(p));
  for (auto const& of_one : parcels)
    for (auto const& one : of_one) expected[static_cast<std::size_t>(one.home)].push_back(one);
  for (std::size_t rank = 0; rank < expected.size(); ++rank) {
    auto arrived = run.results()[rank].elements;
    std::ranges::sort(arrived);
    std::ranges::sort(expected[rank]);
    CHECK(arrived == expected[rank]);
  }
  CHECK(run.counts().rounds == 2 * static_cast<std::uint64_t>(p - 1));
  CHECK(run.counts().queued == 0);
}

TEST_CASE("h_relation deals out from bin rank + destination on") {
  constexpr int p = 8;
  lockstep::machine const machine(lockstep::crossbar{p}, {.strict = true, .workers = 1});
  auto const run = machine.run([](processor& me) {
    std::vector<parcel> const mine(p / 2, parcel{0, me.rank(), 0});
    return h_relation(me, std::span(mine), &parcel::home);
  });
  std::uint64_t largest = 0;
  for (auto const& one : run.results()) largest = std::max(largest, one.largest_bin_through);
  CHECK(largest == p / 2);  // p if all began with the same bin
}

TEST_CASE("h_relation refuses a destination that is none") {
  lockstep::machine const machine{lockstep::crossbar{2}};
  auto const refusal_to = [&](int home) {
    return refusal_of<lockstep::invalid_argument>(machine, [home](processor& me) {
      std::vector<parcel> const mine{parcel{home, 0, 0}};
      return h_relation(me, std::span(mine), &parcel::home).elements.size();
    });
  };
  CHECK_THAT(refusal_to(2), Catch::Contains("its element 0 to processor 2"));
  CHECK_THAT(refusal_to(-1), Catch::Contains("its element 0 to processor -1"));
  CHECK(refusal_to(1) == "not refused");
}
