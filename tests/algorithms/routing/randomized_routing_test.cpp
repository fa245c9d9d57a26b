#include <lockstep/algorithms/routing/randomized_routing.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "routing/h_relation_samples.hpp"

using lockstep::processor;
using lockstep::random_draws;
using lockstep::randomized_slot;

namespace {

lockstep::machine crossbar_of(int p, lockstep::machine_options options = {}) {
  options.strict = true;
  options.workers = 1;
  return lockstep::machine(lockstep::crossbar{p}, options);
}

auto routed_at_random(parcels const& all, random_draws const& how,
                      lockstep::machine_options const& options = {}) {
  return crossbar_of(static_cast<int>(all.size()), options).run([&](processor& me) {
    return randomized_routing(me, std::span(all[static_cast<std::size_t>(me.rank())]),
                              &parcel::home, how);
  });
}

std::string refusal_to(parcels const& all, random_draws const& how) {
  return refusal_of<lockstep::invalid_argument>(
      crossbar_of(static_cast<int>(all.size())), [&](processor& me) {
        return randomized_routing(me, std::span(all[static_cast<std::size_t>(me.rank())]),
                                  &parcel::home, how)
            .attempts;
      });
}

/// What comes to each processor, sorted.
parcels sorted_by_home(parcels const& all) {
  parcels arrived(all.size());
  for (auto const& of_one : all)
    for (auto const& one : of_one) arrived[static_cast<std::size_t>(one.home)].push_back(one);
  for (auto& of_one : arrived) std::ranges::sort(of_one);
  return arrived;
}

/// Parts in which sources, and the elements of each, follow in order.
std::size_t ordered_parts(std::vector<parcel> const& arrived) {
  std::size_t parts = 1;
  for (std::size_t i = 1; i < arrived.size(); ++i) parts += arrived[i] < arrived[i - 1] ? 1 : 0;
  return parts;
}

void check_randomized(parcels const& all, random_draws const& how) {
  auto const p = all.size();
  auto const run = routed_at_random(all, how);
  auto const expected = sorted_by_home(all);
  auto const attempts = static_cast<std::uint64_t>(run.results().front().attempts);
  for (std::size_t rank = 0; rank < p; ++rank) {
    auto arrived = run.results()[rank].elements;
    CHECK(ordered_parts(arrived) <= p);
    std::ranges::sort(arrived);
    CHECK(arrived == expected[rank]);
    CHECK(static_cast<std::uint64_t>(run.results()[rank].attempts) == attempts);
  }
  CHECK(run.counts().rounds == attempts * 2 * (p - 1));
  CHECK(run.counts().startups == (p > 1 && how.slot > 0 ? 2 * attempts : 0));
  CHECK(run.counts().words == attempts * 2 * (p - 1) * how.slot);
  CHECK(run.counts().queued == 0);
}

}  // namespace

TEST_CASE("randomized routing brings every element where it goes, in slots that travel whole") {
  int const p = GENERATE(1, 2, 3, 5, 8, 16);
  auto samples = special_parcels(p);
  for (std::uint32_t seed = 1; seed <= 4; ++seed)
    samples.push_back(parcels_of(random_numbers(p, 2 * p, seed), seed));
  for (auto const& all : samples) {
    std::uint64_t n = 0;
    for (auto const& of_one : all) n += of_one.size();
    check_randomized(all, {.slot = n});  // room for everything
    check_randomized(all, {.slot = randomized_slot(n, p, 3.0 * p), .seed = 7});
  }
}

TEST_CASE("randomized routing with real sizes brings the same elements in fewer words",
          "[sanitize]") {
  bool refused = false;
  for (int const p : {1, 2, 3, 8, 16})
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
      auto const all = parcels_of(random_numbers(p, 3 * p, seed), seed);
      std::uint64_t n = 0;
      for (auto const& of_one : all) n += of_one.size();
      random_draws how{.slot = randomized_slot(n, p, 1.0 + p), .seed = seed};
      auto const padded = routed_at_random(all, how);
      how.real_sizes = true;
      auto const real = routed_at_random(all, how);
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
  auto const all = parcels_of(std::vector<std::vector<int>>(8, std::vector<int>(8, 64)));
  auto const expected = sorted_by_home(all);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto const run = routed_at_random(all, {.slot = 83, .seed = seed, .real_sizes = true});
    refused = refused || run.results().front().attempts > 1;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      auto arrived = run.results()[rank].elements;
      std::ranges::sort(arrived);
      CHECK(arrived == expected[rank]);
      CHECK(run.results()[rank].attempts == run.results().front().attempts);
    }
  }
  CHECK(refused);
}

TEST_CASE("randomized routing rounds slots up to whole packets") {
  auto const all = parcels_of(random_numbers(4, 12, 3), 3);
  auto const run = routed_at_random(all, {.slot = 50}, {.packet = 16});
  CHECK(run.counts().words == 384);  // 2(p-1) blocks of 64
}

TEST_CASE("randomized routing draws again where slots overflow") {
  // Eight processors with 64 for each other one: slots of 64 on average, with room for some more.
  auto const all = parcels_of(std::vector<std::vector<int>>(8, std::vector<int>(8, 64)));
  int most_attempts = 0;
  std::uint64_t most_redrawn = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    random_draws const how{.slot = 83, .seed = seed};
    check_randomized(all, how);
    auto const run = routed_at_random(all, how);
    most_attempts = std::max(most_attempts, run.results().front().attempts);
    for (auto const& one : run.results()) most_redrawn = std::max(most_redrawn, one.redrawn);
  }
  CHECK(most_attempts > 1);
  CHECK(most_redrawn > 0);
}

TEST_CASE("randomized routing is the same for a seed, on every engine") {
  auto const all = parcels_of(std::vector<std::vector<int>>(6, std::vector<int>(6, 30)));
  random_draws const how{.slot = 44, .seed = 3};
  auto const first = routed_at_random(all, how);
  auto const again = routed_at_random(all, how);
  auto const on_threads = routed_at_random(all, how, {.engine = lockstep::engine::threads});
  auto const other_seed = routed_at_random(all, {.slot = 44, .seed = 4});
  CHECK(first.counts() == on_threads.counts());
  bool differs = false;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    CHECK(first.results()[rank].elements == again.results()[rank].elements);
    CHECK(first.results()[rank].elements == on_threads.results()[rank].elements);
    CHECK(first.results()[rank].redrawn == on_threads.results()[rank].redrawn);
    differs = differs || first.results()[rank].elements != other_seed.results()[rank].elements;
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

TEST_CASE("randomized routing with threads", "[threads][sanitize]") {
  auto const all = parcels_of(random_numbers(4, 12, 3), 3);
  auto const run = routed_at_random(all, {.slot = 60}, {.engine = lockstep::engine::threads});
  auto const expected = sorted_by_home(all);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    auto arrived = run.results()[rank].elements;
    std::ranges::sort(arrived);
    CHECK(arrived == expected[rank]);
  }
}

TEST_CASE("randomized routing gives up where slots cannot do, and says so") {
  auto const to_one = parcels_of({{8, 0, 0, 0}, {8, 0, 0, 0}, {8, 0, 0, 0}, {8, 0, 0, 0}});
  CHECK(refusal_to(to_one, {.slot = 1}) ==
        "randomized_routing: processor 0 has 8 elements, and 4 slots of 1 have room for fewer; "
        "take a "
        "larger c");
  // 32 elements for processor 0 do not come from four slots of 7.
  CHECK(refusal_to(to_one, {.slot = 7, .attempts = 3}) ==
        "randomized_routing: in Step 3 slots of 7 elements overflow in each of 3 draws; take a "
        "larger "
        "c");
  auto const many = parcels_of({{3000, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}});
  CHECK(
      refusal_to(many, {.slot = 750}) ==
      "randomized_routing: in Step 1 slots of 750 elements overflow in each of 1000 draws; take a "
      "larger c");
  CHECK_THAT(refusal_to(parcels_of({{1, 0}, {0, 0}}), {.slot = 0}), has_text("1 elements"));
  CHECK(refusal_to(parcels_of({{0, 0}, {0, 0}}), {.slot = 0}) == "not refused");
}

TEST_CASE("randomized routing refuses a destination that is not a rank before it sends") {
  parcels all(3);
  all[1].push_back({3, 1, 0});
  CHECK_THAT(refusal_to(all, {.slot = 5}), has_text("its element 0 to processor 3"));
}

TEST_CASE("the example of randomized routing gives what it says") {
  struct person {
    int home;
    int age;
  };
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const run = machine.run([&](processor& me) {
    std::vector<person> people;
    people.reserve(64);
    for (int i = 0; i < 64; ++i) people.push_back({i % 4, i});
    auto const slot = randomized_slot(256, 4, 3);
    return randomized_routing(me, std::span<person const>(people), &person::home, {slot})
        .elements.size();
  });
  CHECK(run.results()[0] == 64);
  CHECK(run.counts().words == 288);
}

TEST_CASE("slots have room for c n/p^2 elements, rounded up") {
  CHECK(randomized_slot(4096, 16, 3) == 48);
  CHECK(randomized_slot(4097, 16, 3) == 49);
  CHECK(randomized_slot(0, 16, 3) == 0);
  CHECK(randomized_slot(1, 16, 1) == 1);
  CHECK(randomized_slot(1000, 10, 1.1) == 11);  // 1.1 is not quite 11/10
  CHECK(randomized_slot(2048, 16, 1.71) == 14);
  CHECK_THROWS_AS(randomized_slot(10, 2, 0), lockstep::invalid_argument);
  CHECK_THROWS_AS(randomized_slot(10, 2, -1), lockstep::invalid_argument);
  CHECK_THROWS_AS(randomized_slot(10, 2, std::numeric_limits<double>::quiet_NaN()),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(randomized_slot(10, 2, 1e300), lockstep::invalid_argument);
}
