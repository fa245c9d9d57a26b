#include <lockstep/algorithms/sorting/multiway_merge.hpp>

#include <algorithm>
#include <array>
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

using lockstep::hypercube;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::multiway_shape;
using lockstep::processor;

namespace {

/// Merges sorted lists, and compares result and claims.
lockstep::counts check_multiway(multiway_shape const& shape,
                                std::vector<items_to_sort> const& lists,
                                machine_options const& options = all_ports_in_lock_step) {
  auto const [k, l, m, fused] = shape;
  machine const on{hypercube{2 * l + m}, options};
  auto const run = on.run([&](processor& me) {
    auto const list = index(me.rank() >> shape.m);
    auto const set = index(me.rank() & ((1 << shape.m) - 1));
    items_to_sort mine;
    if (list < lists.size()) mine = some_of(lists[list], set * shape.k, shape.k);
    return multiway_merge(me, mine, shape, by_value);
  });
  INFO("k = " << k << ", l = " << l << ", m = " << m << (fused ? ", fused" : ""));
  auto const expected = stably_sorted(joined(lists));
  int wrong = 0;
  for (int rank = 0; rank < on.size(); ++rank)
    if (run.results()[index(rank)] != some_of(expected, index(rank) * k, k)) ++wrong;
  CHECK(wrong == 0);
  for (auto const& claimed : multiway_merge_claims(shape)) {
    INFO(claimed.formula << " = " << claimed.value() << ", measured " << run.counts().steps);
    CHECK(claimed.erratum.empty());
    CHECK(holds(claimed, run.counts()));
  }
  CHECK(run.counts().queued == 0);
  return run.counts();
}

/// Sorted lists of the sequence's values, `shortest` elements or more in each.
std::vector<items_to_sort> lists_of(multiway_shape const& shape, items_to_sort const& items,
                                    std::size_t shortest, std::mt19937& random) {
  auto const most = shape.k << static_cast<unsigned>(shape.m);
  std::vector<items_to_sort> lists;
  for (std::size_t i = 0; i < std::size_t{1} << static_cast<unsigned>(shape.l); ++i) {
    auto const count = shortest + random() % (most - shortest + 1);
    lists.push_back(stably_sorted(some_of(items, i * most, count)));
    for (std::size_t at = 0; at < lists.back().size(); ++at)  // by list and place
      lists.back()[at].number = static_cast<int>(i * most + at);
  }
  return lists;
}

std::size_t elements_of(multiway_shape const& shape) {
  return shape.k << static_cast<unsigned>(shape.l + shape.m);
}

}  // namespace

TEST_CASE("the multi-way merge of the documentation's example", "[sorting][sanitize]") {
  lockstep::machine cube{lockstep::hypercube{4}, {.ports = lockstep::ports::all}};
  auto run = cube.run([](lockstep::processor& me) {
    std::vector<int> mine;  // even numbers in one list, odd ones in the other
    if (me.rank() < 8) mine = {me.rank() % 4 * 2 + me.rank() / 4};
    return lockstep::multiway_merge(me, mine, {.k = 1, .l = 1, .m = 2});
  });
  CHECK(run.results()[5] == std::vector{5});
  CHECK(run.counts().steps == 25);
}

TEST_CASE("all lists of 0 and 1 are merged by several ways, stably", "[sorting][once]") {
  for (multiway_shape const shape : {multiway_shape{1, 1, 0},
                                     {2, 1, 0},
                                     {1, 1, 1},
                                     {2, 1, 1},
                                     {1, 2, 0},
                                     {2, 2, 0},
                                     {1, 1, 2}}) {
    auto const size = shape.k << static_cast<unsigned>(shape.m);
    auto const lists = std::size_t{1} << static_cast<unsigned>(shape.l);
    std::vector<std::size_t> zeros(lists);  // of each list: all combinations
    for (bool is_last = false; !is_last;) {
      std::vector<items_to_sort> all;
      for (std::size_t i = 0; i < lists; ++i) {
        std::vector<int> values(size, 1);
        std::fill_n(values.begin(), zeros[i], 0);
        all.push_back(items_of(values));
        for (auto& item : all.back()) item.number += static_cast<int>(i * size);
      }
      check_multiway(shape, all);
      std::size_t at = 0;
      while (at < lists && zeros[at] == size) zeros[at++] = 0;
      is_last = at == lists;
      if (!is_last) ++zeros[at];
    }
  }
}

TEST_CASE("lists of any sizes and values are merged by several ways", "[sorting]") {
  std::mt19937 random(1);
  for (int l = 0; l <= 3; ++l)
    for (int m = 0; 2 * l + m <= 6; ++m)
      for (std::size_t const k : {1U, 5U}) {
        multiway_shape const shape{k, l, m};
        auto const full = k << static_cast<unsigned>(m);
        for (auto const& items : sequences_to_sort(elements_of(shape), random)) {
          check_multiway(shape, lists_of(shape, items, full, random));
          check_multiway(shape, lists_of(shape, items, 0, random));
        }
      }
}

TEST_CASE("several ways take the steps that the formula says", "[sorting]") {
  std::mt19937 random(2);
  auto const steps = [&](multiway_shape const& shape) {
    auto const items = items_of(values_below(100, elements_of(shape), random));
    return check_multiway(shape, lists_of(shape, items, 0, random)).steps;
  };
  CHECK(steps({4, 2, 2}) == 10 * 4 + 5 * 2 + 10 * 2 - 10);
  CHECK(steps({3, 1, 3}) == 10 * 3 + 5 * 1 + 10 * 3 - 10);
  CHECK(steps({4, 2, 0}) == 5 * 4 + 5 * 2 - 5);
  CHECK(steps({0, 2, 1}) == 0);
  CHECK(steps({2, 0, 7}) == 0);
  CHECK(steps({2, 1, 5}) == 2 * 10 + 5 * 1 + 10 * 5 - 10);
  CHECK(steps({2, 2, 3}) == 2 * 10 + 5 * 2 + 10 * 3 - 10);
  CHECK(steps({2, 3, 1}) == 2 * 10 + 5 * 3 + 10 * 1 - 10);
}

TEST_CASE("sets of one element are merged by several ways, on one port", "[sorting]") {
  std::mt19937 random(3);
  for (int l = 1; l <= 2; ++l)
    for (int m = 0; m <= 2; ++m) {
      multiway_shape const shape{1, l, m};
      auto const items = items_of(values_below(10, elements_of(shape), random));
      check_multiway(shape, lists_of(shape, items, 0, random), {.strict = true, .workers = 1});
    }
}

TEST_CASE("lists are merged by several ways, fused, in the steps that the formula says",
          "[sorting][sanitize]") {
  std::mt19937 random(5);
  for (int l = 0; l <= 3; ++l)
    for (int m = 0; 2 * l + m <= 7; ++m)
      for (std::size_t const k : {1U, 4U}) {
        multiway_shape const shape{.k = k, .l = l, .m = m, .fused = true};
        auto const full = k << static_cast<unsigned>(m);
        for (auto const& items : sequences_to_sort(elements_of(shape), random)) {
          auto const steps = check_multiway(shape, lists_of(shape, items, full, random)).steps;
          auto const of_each_m = m == 0 ? 0 : 5 * k + 6 * index(m) - 5;
          CHECK(steps == (l == 0 ? 0 : 5 * k + 5 * index(l) - 5 + of_each_m));
          check_multiway(shape, lists_of(shape, items, 0, random));
        }
      }
}

TEST_CASE("several ways cost the same on every engine", "[sorting][threads][sanitize]") {
  std::mt19937 random(4);
  multiway_shape const shape{3, 1, 2};
  auto const lists =
      lists_of(shape, items_of(values_below(9, elements_of(shape), random)), 2, random);
  auto const counts = check_multiway(shape, lists);
  for (auto const& choice : reference::all_engines())
    CHECK(check_multiway(shape, lists, reference::on(choice, all_ports_in_lock_step)) == counts);
}

TEST_CASE("merging by several ways refuses what it cannot merge", "[sorting][sanitize]") {
  auto const refused = [](auto const& on, multiway_shape const& shape,
                          std::vector<int> const& set) {
    return refusal_of<lockstep::invalid_argument>(
        machine{on}, [&](processor& me) { static_cast<void>(multiway_merge(me, set, shape)); });
  };
  CHECK_THAT(refused(hypercube{4}, {1, 1, 1}, {}), has_text("need a hypercube of 2l + m"));
  CHECK_THAT(refused(hypercube{0}, {1, -1, 2}, {}), has_text("need a hypercube of 2l + m"));
  CHECK_THAT(refused(lockstep::crossbar{4}, {1, 1, 0}, {}), has_text("take hypercube:4"));
  CHECK(refused(hypercube{2}, {1, 1, 0}, {1, 2}) ==
        "multi-way merge: processor 0 has a set of 2 elements, more than k = 1; give the same k "
        "everywhere, that of the largest set");
  CHECK_THAT(refused(hypercube{2}, {2, 1, 0}, {2, 1}), has_text("a list is not sorted"));
  CHECK(refusal_of<lockstep::invalid_argument>(
            machine{hypercube{2}},
            [](processor& me) {
              std::vector<int> const set(me.rank() == 2 ? 1U : 0U);
              static_cast<void>(multiway_merge(me, set, {.k = 1, .l = 1, .m = 0}));
            }) ==
        "multi-way merge: processor 2 has 1 elements, and is not in row 0, which has the "
        "lists; give it none");
}
