#include <lockstep/algorithms/routing/two_record_routes.hpp>

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "catch.hpp"
#include "routing/hypercube_routing.hpp"

using lockstep::hypercube;
using lockstep::machine;
using lockstep::processor;
using lockstep::routed;
using lockstep::routed_pair;

namespace {

/// A subset of the numbers below `most`.
using number_set = std::vector<int>;

number_set random_set(int most, std::mt19937& random) {
  number_set set;
  auto const odds = random() % 5;
  for (int i = 0; i < most; ++i)
    if (random() % 4 < odds) set.push_back(i);
  return set;
}

std::int32_t tag_of_pair(std::size_t j, int i) { return static_cast<std::int32_t>(j) * 1000 + i; }

/// Processors 0, 1, ... send to the slots of each set, of 2p, an instance a set.
lockstep::counts check_spread(int d, std::vector<number_set> const& slots,
                              lockstep::machine_options const& options = all_ports_strict) {
  machine const on{hypercube{d}, options};
  auto const run = on.run([&](processor& me) {
    std::vector<routed<std::int32_t>> mine(slots.size());
    for (std::size_t j = 0; j < slots.size(); ++j)
      if (index(me.rank()) < slots[j].size())
        mine[j] = {tag_of_pair(j, me.rank()), slots[j][index(me.rank())]};
    return inverse_concentrate_two(me, std::span<routed<std::int32_t> const>(mine));
  });
  int misplaced = 0;
  for (std::size_t j = 0; j < slots.size(); ++j) {
    std::vector<std::optional<std::int32_t>> expected(index(2 << d));
    for (std::size_t i = 0; i < slots[j].size(); ++i)
      expected[index(slots[j][i])] = tag_of_pair(j, static_cast<int>(i));
    for (int slot = 0; slot < 2 << d; ++slot)
      if (run.results()[index(slot / 2)][j][index(slot % 2)] != expected[index(slot)]) ++misplaced;
  }
  CHECK(misplaced == 0);
  return run.counts();
}

/// The members of each set, places of which each processor has two, go to processors 0, 1, ...
lockstep::counts check_concentrated(int d, std::vector<number_set> const& places,
                                    lockstep::machine_options const& options = all_ports_strict) {
  machine const on{hypercube{d}, options};
  auto const run = on.run([&](processor& me) {
    std::vector<routed_pair<std::int32_t>> mine(places.size());
    for (std::size_t j = 0; j < places.size(); ++j)
      for (std::size_t i = 0; i < places[j].size(); ++i)
        if (places[j][i] / 2 == me.rank())
          mine[j][index(places[j][i] % 2)] = {tag_of_pair(j, static_cast<int>(i)),
                                              static_cast<int>(i)};
    return concentrate_two(me, std::span<routed_pair<std::int32_t> const>(mine));
  });
  int misplaced = 0;
  for (std::size_t j = 0; j < places.size(); ++j)
    for (int rank = 0; rank < 1 << d; ++rank) {
      std::optional<std::int32_t> expected;
      if (index(rank) < places[j].size()) expected = tag_of_pair(j, rank);
      if (run.results()[index(rank)][j] != expected) ++misplaced;
    }
  CHECK(misplaced == 0);
  return run.counts();
}

/// All sets of at most p numbers below 2p.
std::vector<number_set> all_sets(int d) {
  std::vector<number_set> sets;
  for (unsigned members = 0; members < 1U << (2U << d); ++members)
    if (auto set = members_of(members); set.size() <= index(1 << d)) sets.push_back(std::move(set));
  return sets;
}

}  // namespace

TEST_CASE("every set of slots of up to 8 processors, in lock step", "[routing]") {
  for (int d = 0; d <= 3; ++d) {
    check_spread(d, all_sets(d));
    check_concentrated(d, all_sets(d));
  }
}

TEST_CASE("k routes with two records of a processor take k + d - 1 steps", "[routing]") {
  std::mt19937 random(1);
  for (int d = 0; d <= 8; ++d)
    for (int const k : {0, 1, 2, 7, 30}) {
      std::vector<number_set> sets(index(k));
      for (auto& set : sets) {
        set = random_set(2 << d, random);
        if (set.size() > index(1 << d)) set.resize(index(1 << d));
      }
      auto const steps = static_cast<std::uint64_t>(d > 0 && k > 0 ? k + d - 1 : 0);
      CHECK(check_spread(d, sets).steps == steps);
      CHECK(check_concentrated(d, sets).steps == steps);
    }
}

TEST_CASE("routes with two records of a processor, on every engine",
          "[routing][threads][sanitize]") {
  for (auto const& options : on_all_engines(all_ports_strict)) {
    CHECK(check_spread(3, {{1, 3, 5, 7, 9, 11, 13, 15}}, options).steps == 3);
    CHECK(check_concentrated(3, {{0, 1, 6, 15}}, options).steps == 3);
  }
}

TEST_CASE("two records that need one link, or a third one in a processor, are refused",
          "[routing][sanitize]") {
  auto const refused = [](std::vector<int> const& of_0, std::vector<int> const& of_1) {
    return refusal_on(machine{hypercube{1}, all_ports_strict}, [&](processor& me) {
      std::vector<routed_pair<int>> mine(1);
      auto const& here = me.rank() == 0 ? of_0 : of_1;
      for (std::size_t i = 0; i < here.size(); ++i) mine[0][i] = {1, here[i]};
      static_cast<void>(concentrate_two(me, std::span<routed_pair<int> const>(mine)));
    });
  };
  CHECK_THAT(refused({1, 1}, {}), has_text("both have to cross dimension 0"));
  CHECK_THAT(refused({0, 0}, {0}), has_text("meet in processor 0"));
  CHECK_THAT(refused({2}, {}), has_text("destination 2 of a record of instance 0 is not a rank"));
}
