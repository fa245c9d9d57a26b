#include <lockstep/algorithms/routing/randomized_routing.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "routing/h_relation_samples.hpp"

using lockstep::processor;
using lockstep::random_draws;
using lockstep::randomized_slot;

namespace {

auto at_random(random_draws const& how) {
  return [how](processor& me, std::span<parcel const> mine) {
    return randomized_routing(me, mine, &parcel::home, how);
  };
}

/// 64 or so of each processor for each other one: slots have as many on average.
parcels equal_parcels(int p, int each) {
  return parcels_of(std::vector<std::vector<int>>(index(p), std::vector<int>(index(p), each)));
}

/// Parts in which sources, and the elements of each, follow in order.
std::size_t ordered_parts(std::vector<parcel> const& arrived) {
  std::size_t parts = 1;
  for (std::size_t i = 1; i < arrived.size(); ++i) parts += arrived[i] < arrived[i - 1] ? 1 : 0;
  return parts;
}

/// Compares the elements with a sequential computation. Result: the attempts of all together.
template <class Run>
std::uint64_t check_elements(parcels const& all, Run const& run) {
  auto const expected = lockstep::by_destination(all);
  int const attempts = run.results().front().attempts;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    auto arrived = run.results()[rank].elements;
    CHECK(ordered_parts(arrived) <= all.size());
    std::ranges::sort(arrived);
    CHECK(arrived == expected[rank]);
    CHECK(run.results()[rank].attempts == attempts);
  }
  CHECK(run.counts().queued == 0);
  return static_cast<std::uint64_t>(attempts);
}

auto check_randomized(parcels const& all, random_draws const& how) {
  auto const p = all.size();
  auto const run = run_routing(all, at_random(how));
  auto const attempts = check_elements(all, run);
  CHECK(run.counts().rounds == attempts * 2 * (p - 1));
  CHECK(run.counts().startups == (p > 1 && how.slot > 0 ? 2 * attempts : 0));
  CHECK(run.counts().words == attempts * 2 * (p - 1) * how.slot);
  return run;
}

}  // namespace

TEST_CASE("randomized routing brings every element where it goes, in slots that travel whole") {
  int const p = GENERATE(1, 2, 3, 5, 8, 16);
  for (auto const& all : sampled_parcels(p, 2 * p)) {
    auto const n = number_of(all);
    check_randomized(all, {.slot = n});  // room for everything
    check_randomized(all, {.slot = randomized_slot(n, p, 3.0 * p), .seed = 7});
  }
}

TEST_CASE("randomized routing with real sizes brings the same elements in fewer words",
          "[sanitize]") {
  bool refused = false;
  for (int const p : {1, 2, 3, 8, 16})
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
      auto const all = random_parcels(p, 3 * p, seed);
      random_draws how{.slot = randomized_slot(number_of(all), p, 1.0 + p), .seed = seed};
      auto const padded = run_routing(all, at_random(how));
      how.real_sizes = true;
      auto const real = run_routing(all, at_random(how));
      auto const attempts = static_cast<std::uint64_t>(real.results().front().attempts);
      refused = refused || attempts > 1;
      for (std::size_t rank = 0; rank < all.size(); ++rank)
        CHECK(real.results()[rank].elements == padded.results()[rank].elements);
      auto const others = static_cast<std::uint64_t>(p) - 1;
      INFO("p = " << p << ", seed " << seed);
      CHECK(real.counts().rounds == attempts * 2 * others);
      CHECK(real.counts().startups == (p > 1 ? 2 * attempts : 0));
      CHECK(real.counts().words <= attempts * 2 * others * (how.slot + 1));
      if (p > 2 && how.slot > 8) CHECK(real.counts().words < padded.counts().words);
    }
  // Slots with so little room that some overflow: refusals are heard by everybody.
  auto const all = equal_parcels(8, 64);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto const run = run_routing(all, at_random({.slot = 83, .seed = seed, .real_sizes = true}));
    refused = check_elements(all, run) > 1 || refused;
  }
  CHECK(refused);
}

TEST_CASE("randomized routing rounds slots up to whole packets") {
  auto const run = run_routing(random_parcels(4, 12, 3), at_random({.slot = 50}), {.packet = 16});
  CHECK(run.counts().words == 384);  // 2(p-1) blocks of 64
}

TEST_CASE("randomized routing draws again where slots overflow") {
  auto const all = equal_parcels(8, 64);
  int most_attempts = 0;
  std::uint64_t most_redrawn = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    for (auto const run = check_randomized(all, {.slot = 83, .seed = seed});
         auto const& one : run.results()) {
      most_attempts = std::max(most_attempts, one.attempts);
      most_redrawn = std::max(most_redrawn, one.redrawn);
    }
  CHECK(most_attempts > 1);
  CHECK(most_redrawn > 0);
}

TEST_CASE("randomized routing is the same for a seed, on every engine", "[threads][sanitize]") {
  auto const all = equal_parcels(6, 30);
  random_draws const how{.slot = 44, .seed = 3};
  auto const first = run_routing(all, at_random(how));
  auto const other_seed = run_routing(all, at_random({.slot = 44, .seed = 4}));
  bool differs = false;
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads}) {
    auto const again = run_routing(all, at_random(how), {.engine = engine});
    CHECK(first.counts() == again.counts());
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      auto const& one = first.results()[rank];
      CHECK(one.elements == again.results()[rank].elements);
      CHECK(one.redrawn == again.results()[rank].redrawn);
      differs = differs || one.elements != other_seed.results()[rank].elements;
    }
  }
  CHECK(differs);
}

TEST_CASE("processors, attempts and seeds draw other numbers") {
  using lockstep::detail::randomness_of;
  auto const first = randomness_of(1, 0, 1)();
  CHECK(first == randomness_of(1, 0, 1)());
  CHECK(first != randomness_of(1, 1, 1)());
  CHECK(first != randomness_of(1, 0, 2)());
  CHECK(first != randomness_of(2, 0, 1)());
  CHECK(first != randomness_of(1 + (std::uint64_t{1} << 32U), 0, 1)());
}

TEST_CASE("randomized routing gives up where slots cannot do, and says so") {
  auto const refusal = [](std::vector<std::vector<int>> const& numbers, random_draws const& how) {
    return refusal_to_route(parcels_of(numbers), at_random(how));
  };
  std::vector<std::vector<int>> const to_one(4, {8, 0, 0, 0});
  CHECK(refusal(to_one, {.slot = 1}) ==
        "randomized_routing: processor 0 has 8 elements, and 4 slots of 1 have room for fewer; "
        "take a larger c");
  // 32 elements for processor 0 do not come from four slots of 7.
  CHECK(refusal(to_one, {.slot = 7, .attempts = 3}) ==
        "randomized_routing: in Step 3 slots of 7 elements overflow in each of 3 draws; take a "
        "larger c");
  std::vector<std::vector<int>> many(4, std::vector<int>(4));
  many[0][0] = 3000;
  CHECK(refusal(many, {.slot = 750}) ==
        "randomized_routing: in Step 1 slots of 750 elements overflow in each of 1000 draws; take "
        "a larger c");
  CHECK_THAT(refusal({{1, 0}, {0, 0}}, {.slot = 0}), has_text("1 elements"));
  CHECK(refusal({{0, 0}, {0, 0}}, {.slot = 0}) == "not refused");
}

TEST_CASE("slots have room for c n/p^2 elements, rounded up") {
  CHECK(randomized_slot(4096, 16, 3) == 48);
  CHECK(randomized_slot(4097, 16, 3) == 49);
  CHECK(randomized_slot(0, 16, 3) == 0);
  CHECK(randomized_slot(1, 16, 1) == 1);
  CHECK(randomized_slot(1000, 10, 1.1) == 11);  // 1.1 is not quite 11/10
  CHECK(randomized_slot(2048, 16, 1.71) == 14);
  for (auto const c : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), 1e300})
    CHECK_THROWS_AS(randomized_slot(10, 2, c), lockstep::invalid_argument);
}
