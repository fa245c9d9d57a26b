#include <lockstep/algorithms/routing/h_relation.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "routing/h_relation_samples.hpp"

using lockstep::processor;

namespace {

auto routed_in_two_phases(parcels const& all, lockstep::engine engine = lockstep::engine::fibers) {
  lockstep::machine const machine(lockstep::crossbar{static_cast<int>(all.size())},
                                  {.strict = true, .engine = engine, .workers = 1});
  return machine.run([&](processor& me) {
    return h_relation(me, std::span(all[static_cast<std::size_t>(me.rank())]), &parcel::home);
  });
}

/// What a plain loop over all elements makes of them.
struct plain_routing {
  explicit plain_routing(parcels const& all)
      : p(all.size()), out(p * p), through(p * p), arrived(p) {
    std::vector<parcels> by_intermediate(p, parcels(p));
    for (std::size_t i = 0; i < p; ++i) {
      std::vector<std::size_t> seen(p);
      for (auto const& one : all[i]) {
        auto const j = static_cast<std::size_t>(one.home);
        auto const l = (i + j + seen[j]++) % p;
        ++out[i * p + l];
        ++through[l * p + j];
        by_intermediate[j][l].push_back(one);
      }
    }
    for (std::size_t j = 0; j < p; ++j)
      for (auto const& part : by_intermediate[j])
        arrived[j].insert(arrived[j].end(), part.begin(), part.end());
  }

  /// Of a phase whose bin l of processor i is bins[i p + l]; the own one stays.
  [[nodiscard]] std::uint64_t words(std::vector<std::uint64_t> const& bins) const {
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < p; ++i) {
      std::uint64_t sent = 0;
      std::uint64_t received = 0;
      for (std::size_t l = 0; l < p; ++l) {
        sent += l == i ? 0 : bins[i * p + l];
        received += l == i ? 0 : bins[l * p + i];
      }
      most = std::max({most, sent, received});
    }
    return most;
  }

  std::size_t p;
  std::vector<std::uint64_t> out;      ///< bin l of Step 2 of processor i at i p + l
  std::vector<std::uint64_t> through;  ///< bin j of Step 4 of processor l at l p + j
  parcels arrived;
};

void check_two_phases(parcels const& all) {
  plain_routing const plain(all);
  auto const p = plain.p;
  auto const run = routed_in_two_phases(all);
  for (std::size_t rank = 0; rank < p; ++rank) {
    auto const& got = run.results()[rank];
    INFO("processor " << rank << " of " << p);
    CHECK(got.elements == plain.arrived[rank]);
    auto const row = [&](std::vector<std::uint64_t> const& bins) {
      auto const first = bins.begin() + static_cast<std::ptrdiff_t>(rank * p);
      return std::vector<std::uint64_t>(first, first + static_cast<std::ptrdiff_t>(p));
    };
    CHECK(got.largest_bin_out == std::ranges::max(row(plain.out)));
    CHECK(got.largest_bin_through == std::ranges::max(row(plain.through)));
    std::uint64_t held = 0;
    for (auto const bin : row(plain.through)) held += bin;
    CHECK(got.elements_through == held);
    CHECK(got.largest_bin_out <= lockstep::largest_bin(all[rank].size(), static_cast<int>(p)));
  }
  auto const first = plain.words(plain.out);
  auto const second = plain.words(plain.through);
  CHECK(run.counts().words == first + second);
  CHECK(run.counts().startups == (first > 0 ? 1U : 0U) + (second > 0 ? 1U : 0U));
  CHECK(run.counts().rounds == 2 * (p - 1));
  CHECK(run.counts().queued == 0);
  std::uint64_t h2 = 0;
  for (auto const& of_one : plain.arrived) h2 = std::max<std::uint64_t>(h2, of_one.size());
  CHECK(std::ranges::max(plain.through) <= lockstep::largest_bin(h2, static_cast<int>(p)));
}

}  // namespace

TEST_CASE("h_relation brings every element where it goes, by way of successive bins") {
  int const p = GENERATE(1, 2, 3, 4, 5, 7, 8, 16);
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    INFO("seed " << seed);
    check_two_phases(parcels_of(random_numbers(p, 3 * p, seed), seed));
  }
}

TEST_CASE("h_relation of few elements, of all to one and of all local ones") {
  int const p = GENERATE(1, 2, 3, 5, 8, 16);
  for (auto const& all : special_parcels(p)) check_two_phases(all);
}

TEST_CASE("h_relation deals out from bin rank + destination on") {
  constexpr int p = 8;
  std::vector<std::vector<int>> numbers(p, std::vector<int>(p));
  for (auto& of_one : numbers) of_one[0] = p / 2;
  std::uint64_t largest = 0;
  auto const run = routed_in_two_phases(parcels_of(numbers));
  for (auto const& one : run.results()) largest = std::max(largest, one.largest_bin_through);
  CHECK(largest == p / 2);  // p if all began with the same bin
}

TEST_CASE("h_relation deals out evenly where p divides every n_ij") {
  constexpr int p = 4;
  std::vector<std::vector<int>> const numbers{
      {8, 0, 4, 0}, {12, 4, 0, 0}, {0, 8, 8, 4}, {4, 0, 0, 0}};
  auto const run = routed_in_two_phases(parcels_of(numbers, 1));
  constexpr std::uint64_t sent = 20;
  constexpr std::uint64_t received = 24;
  constexpr std::uint64_t n = 52;
  constexpr std::uint64_t least_sent = 4;
  constexpr std::uint64_t least_received = 4;
  for (auto const& one : run.results()) CHECK(one.largest_bin_through == received / p);
  CHECK(run.results()[2].largest_bin_out == sent / p);
  CHECK(run.results()[3].largest_bin_out == 1);
  CHECK(run.counts().words == std::max(sent - sent / p, (n - least_sent) / p) +
                                  std::max(received - received / p, (n - least_received) / p));
}

TEST_CASE("h_relation is counted alike on both engines") {
  auto const all = parcels_of(random_numbers(6, 20, 9), 9);
  auto const on_fibers = routed_in_two_phases(all, lockstep::engine::fibers);
  auto const on_threads = routed_in_two_phases(all, lockstep::engine::threads);
  CHECK(on_fibers.counts() == on_threads.counts());
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    CHECK(on_fibers.results()[rank].elements == on_threads.results()[rank].elements);
}

TEST_CASE("h_relation with threads", "[threads][sanitize]") {
  auto const all = parcels_of(random_numbers(5, 20, 10), 10);
  plain_routing const plain(all);
  auto const run = routed_in_two_phases(all, lockstep::engine::threads);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    CHECK(run.results()[rank].elements == plain.arrived[rank]);
}

TEST_CASE("the example of h_relation gives what it says") {
  struct person {
    int home;
    int age;
  };
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const run = machine.run([&](processor& me) {
    std::vector<person> const people(8, person{0, me.rank()});
    return h_relation(me, std::span<person const>(people), &person::home).elements.size();
  });
  CHECK(run.results()[0] == 32);
  CHECK(run.counts().words == 30);
}

TEST_CASE("h_relation refuses a destination that is not a rank") {
  lockstep::machine const machine{lockstep::crossbar{2}};
  auto const refusal_to = [&](int home) {
    return refusal_of<lockstep::invalid_argument>(machine, [home](processor& me) {
      std::vector<parcel> const mine{parcel{home, 0, 0}};
      return h_relation(me, std::span(mine), &parcel::home).elements.size();
    });
  };
  CHECK_THAT(refusal_to(2), has_text("its element 0 to processor 2"));
  CHECK_THAT(refusal_to(-1), has_text("its element 0 to processor -1"));
  CHECK(refusal_to(1) == "not refused");
}
