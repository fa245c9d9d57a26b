#include <lockstep/algorithms/sorting/multiway_merge_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "core/machines.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "sorting/sorted_on_cube.hpp"

using lockstep::even_block;
using lockstep::hypercube;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::multiway_sort_plan;
using lockstep::processor;

namespace {

/// Sorts items by a plan, and compares result and claims.
lockstep::counts check_multiway_sort(multiway_sort_plan const& plan, items_to_sort const& items,
                                     machine_options const& options = all_ports_in_lock_step) {
  machine const on{hypercube{plan.d()}, options};
  auto const run = on.run([&](processor& me) {
    auto const [first, count] = even_block(items.size(), me.size(), me.rank());
    return multiway_merge_sort(me, some_of(items, first, count), plan, by_value);
  });
  INFO("d = " << plan.d() << ", l = " << plan.l() << ", n = " << items.size());
  CHECK(joined(run.results()) == stably_sorted(items));
  if (plan.l() > 0)
    for (int rank = 0; rank < on.size(); ++rank)
      CHECK(run.results()[index(rank)].size() == even_block(items.size(), on.size(), rank).count);
  for (auto const& claimed : multiway_merge_sort_claims(plan)) {
    INFO(claimed.formula << " = " << claimed.value() << ", measured " << run.counts().steps);
    CHECK((holds(claimed, run.counts()) || !claimed.erratum.empty()));
    CHECK((claimed.erratum.empty() || (plan.m() > 0 && plan.m() < plan.l())));
  }
  CHECK(plan.steps() == static_cast<double>(run.counts().steps));
  CHECK(run.counts().queued == 0);
  return run.counts();
}

/// Adds up the steps: gathering columns, calls of MultiWayMerge, and spreading. Precondition: l >= 1.
std::size_t steps_of_all_calls(int d, int k, int l) {
  int steps = k + l - 1 + k + d - 1;
  for (int merged = 0; merged < d - l; merged += l) {
    int const ways = std::min(l, d - l - merged);
    steps += merged == 0 ? 5 * k + 5 * ways - 5 : 10 * k + 5 * ways + 10 * merged - 10;
  }
  return index(steps);
}

}  // namespace

TEST_CASE("the multi-way merge sort of the documentation's example", "[sorting][sanitize]") {
  lockstep::machine cube{lockstep::hypercube{4}, {.ports = lockstep::ports::all}};
  lockstep::multiway_sort_plan const plan(4, 16, 1);
  auto run = cube.run([&](lockstep::processor& me) {
    return lockstep::multiway_merge_sort(me, std::vector{-me.rank()}, plan);
  });
  CHECK(run.results()[0] == std::vector{-15});
  CHECK(run.counts().steps == 77);
}

TEST_CASE("multi-way merge sort sorts all sequences of 0 and 1, stably", "[sorting][once]") {
  for (int d = 1; d <= 3; ++d)
    for (int l = 1; l <= d; ++l)
      for (std::size_t const n : {1U, 3U, 8U})
        for (unsigned word = 0; word < 1U << n; ++word) {
          std::vector<int> values;
          for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<int>(word >> i & 1U));
          check_multiway_sort(multiway_sort_plan(d, n, l), items_of(values));
        }
}

TEST_CASE("multi-way merge sort sorts any number of any values with any rows", "[sorting]") {
  std::mt19937 random(1);
  for (int d = 0; d <= 4; ++d)
    for (int l = 0; l <= d; ++l)
      for (std::size_t const n : {0U, 1U, 13U, 32U, 67U})
        for (auto const& items : sequences_to_sort(n, random))
          check_multiway_sort(multiway_sort_plan(d, n, l), items);
}

TEST_CASE("multi-way merge sort takes the steps of its formula on hypercubes up to 7",
          "[sorting]") {
  std::mt19937 random(2);
  auto const steps = [&](int d, int k, int l) {
    auto const n = index(k << (d - l));
    return check_multiway_sort(multiway_sort_plan(d, n, l), items_of(values_below(1000, n, random)))
        .steps;
  };
  for (int d = 6; d <= 7; ++d) {
    CHECK(steps(d, 3, 0) == index(4 * 3 * d + 3 * d * d - d));  // MergeSort
    for (int l = 1; l <= d; ++l) CHECK(steps(d, 3, l) == steps_of_all_calls(d, 3, l));
  }
  CHECK(steps(4, 2, 1) == 77);
  CHECK(steps(6, 4, 2) == 99);
  CHECK(steps(7, 8, 3) == 179);  // 8 lists, then 2 in the last call
}

TEST_CASE("multi-way merge sort with as many columns as values, on one port", "[sorting]") {
  std::mt19937 random(3);
  for (int d = 1; d <= 6; ++d)
    for (int l = 0; l <= d; ++l) {
      auto const n = index(1 << (d - l));
      check_multiway_sort(multiway_sort_plan(d, n, l), items_of(values_below(9, n, random)),
                          {.strict = true, .workers = 1});
    }
}

TEST_CASE("multi-way merge sort costs the same on every engine", "[sorting][threads][sanitize]") {
  std::mt19937 random(4);
  multiway_sort_plan const plan(4, 19, 2);
  auto const items = items_of(values_below(6, 19, random));
  auto const counts = check_multiway_sort(plan, items);
  for (auto const& choice : reference::all_engines())
    CHECK(check_multiway_sort(plan, items, reference::on(choice, all_ports_in_lock_step)) ==
          counts);
}

TEST_CASE("the cheapest plan takes the fewest steps", "[sorting]") {
  for (int d = 0; d <= 7; ++d)
    for (std::uint64_t const n : {0U, 1U, 7U, 100U, 5000U}) {
      auto const best = multiway_sort_plan::cheapest(d, n);
      for (int l = 0; l <= d; ++l)
        CHECK((multiway_sort_plan(d, n, l).steps() > best.steps() ||
               (l >= best.l() && multiway_sort_plan(d, n, l).steps() == best.steps())));
    }
  CHECK(multiway_sort_plan::cheapest(7, std::uint64_t{64} << 7U).l() == 0);
  CHECK(multiway_sort_plan::cheapest(7, 3).l() == 7);  // all in one column
}

TEST_CASE("multi-way merge sort, fused, takes the steps of its formula on hypercubes up to 7",
          "[sorting]") {
  std::mt19937 random(5);
  auto const steps = [&](int d, int k, int l) {
    multiway_sort_plan const plan(d, index(k << (d - l)), l, true);
    CHECK(plan.fused());
    return check_multiway_sort(plan, items_of(values_below(20, plan.n(), random))).steps;
  };
  for (int d = 0; d <= 7; ++d)
    for (int l = 0; l <= d; ++l)
      for (int const k : {1, 3}) {
        auto const fewer = multiway_sort_plan(d, index(k << (d - l)), l).steps();
        CHECK(static_cast<double>(steps(d, k, l)) <= fewer);
      }
  CHECK(steps(4, 2, 1) == 77 - 4 * (1 + 2));
  CHECK(steps(6, 4, 2) == 99 - 4 * 2);
  CHECK(steps(7, 8, 3) == 179 - 4 * 3);  // 8 lists, then 2 in the last call
  CHECK(steps(5, 4, 0) == 3 * 4 * 5 + 3 * 5 * 4 / 2);
  for (int d = 0; d <= 4; ++d)
    for (int l = 0; l <= d; ++l)
      for (std::size_t const n : {0U, 1U, 13U, 67U})
        for (auto const& items : sequences_to_sort(n, random))
          check_multiway_sort(multiway_sort_plan(d, n, l, true), items);
}

TEST_CASE("the cheapest fused plan takes the fewest steps of those", "[sorting]") {
  for (int d = 0; d <= 7; ++d)
    for (std::uint64_t const n : {0U, 1U, 7U, 100U, 5000U}) {
      auto const best = multiway_sort_plan::cheapest(d, n, true);
      CHECK(best.fused());
      for (int l = 0; l <= d; ++l)
        CHECK((multiway_sort_plan(d, n, l, true).steps() > best.steps() ||
               (l >= best.l() && multiway_sort_plan(d, n, l, true).steps() == best.steps())));
    }
}

TEST_CASE("a plan is made for the dimensions of a hypercube", "[sorting]") {
  for (int const d : {-1, 31, 64}) {
    CHECK_THROWS_WITH(multiway_sort_plan(d, 1, 0), has_text("is not in 0 to 30"));
    CHECK_THROWS_WITH(multiway_sort_plan::cheapest(d, 1), has_text("take one of these"));
  }
  CHECK(multiway_sort_plan(30, 1U << 30U, 0).k() == 1);
}

TEST_CASE("the approximate bound of multi-way merge sort fails only where it counts part of a call",
          "[sorting]") {
  int exceeded = 0;
  for (int d = 1; d <= 7; ++d)
    for (int l = 1; l <= d; ++l)
      for (std::uint64_t k = 1; k <= 100; ++k) {
        multiway_sort_plan const plan(d, k << static_cast<unsigned>(d - l), l);
        auto const approximate = multiway_merge_sort_claims(plan).back();
        INFO("d = " << d << ", l = " << l << ", k = " << k);
        bool const counts_part_of_a_call = plan.m() > 0 && plan.m() < l;
        CHECK(approximate.erratum.empty() != counts_part_of_a_call);
        bool const is_kept = plan.steps() <= approximate.value();
        CHECK((is_kept || counts_part_of_a_call));
        if (!is_kept) ++exceeded;
      }
  CHECK(exceeded > 0);
}

TEST_CASE("the last call of multi-way merge sort merges what is left", "[sorting]") {
  multiway_sort_plan const plan(7, 128, 3);
  auto const calls = plan.calls();
  REQUIRE(calls.size() == 2);
  CHECK(plan.k() == 8);
  CHECK(calls[0].l == 3);
  CHECK(calls[0].m == 0);
  CHECK(calls[1].l == 1);
  CHECK(calls[1].m == 3);
}

TEST_CASE("multi-way merge sort refuses what it cannot sort", "[sorting][sanitize]") {
  CHECK_THROWS_AS(multiway_sort_plan(3, 8, 4), lockstep::invalid_argument);
  CHECK_THROWS_AS(multiway_sort_plan(3, 8, -1), lockstep::invalid_argument);
  CHECK_THROWS_AS(multiway_sort_plan(3, std::uint64_t{1} << 50U, 1), lockstep::invalid_argument);
  auto const refused = [](auto const& on, std::size_t values) {
    return refusal_of<lockstep::invalid_argument>(machine{on}, [&](processor& me) {
      static_cast<void>(
          multiway_merge_sort(me, std::vector<int>(values), multiway_sort_plan(2, 4, 1)));
    });
  };
  CHECK_THAT(refused(hypercube{2}, 2), has_text("has 2 values, and its even block of 4 has 1"));
  CHECK_THAT(refused(hypercube{3}, 1), has_text("the plan is for hypercube:2, and not for"));
  CHECK_THAT(refused(lockstep::crossbar{4}, 1), has_text("take hypercube:4"));
}
