#include <lockstep/algorithms/sorting/multiway_merge.hpp>

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
#include "sorting/sort_runs.hpp"

using lockstep::hypercube;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::multiway_shape;
using lockstep::processor;

namespace {

constexpr machine_options all_ports_in_lock_step{
    .ports = lockstep::ports::all, .strict = true, .workers = 1};

/// Merges sorted lists, and compares result and claims.
lockstep::counts check_multiway(multiway_shape const& shape,
                                std::vector<sorts::wide_records> const& lists,
                                machine_options const& options = all_ports_in_lock_step) {
  auto const [k, l, m, fused] = shape;
  machine const on{hypercube{2 * l + m}, options};
  auto const run = on.run([&](processor& me) {
    auto const list = index(me.rank() >> shape.m);
    auto const set = index(me.rank() & ((1 << shape.m) - 1));
    sorts::wide_records mine;
    if (list < lists.size()) mine = sorts::set_of(lists[list], set, shape.k);
    return multiway_merge(me, mine, shape, sorts::key_is_less{});
  });
  INFO("k = " << k << ", l = " << l << ", m = " << m << (fused ? ", fused" : ""));
  auto const expected = sorts::stably_sorted(sorts::joined(lists));
  int wrong = 0;
  for (int rank = 0; rank < on.size(); ++rank)
    if (run.results()[index(rank)] != sorts::set_of(expected, index(rank), k)) ++wrong;
  CHECK(wrong == 0);
  CHECK(sorts::check_claims(multiway_merge_claims(shape), run.counts()) == 0);
  CHECK(run.counts().queued == 0);
  return run.counts();
}

/// Sorted lists of the keys, `shortest` elements or more in each, numbered by list and place.
std::vector<sorts::wide_records> lists_of(multiway_shape const& shape, std::vector<int> const& keys,
                                          std::size_t shortest, std::mt19937& random) {
  auto const most = shape.k << static_cast<unsigned>(shape.m);
  std::vector<sorts::wide_records> lists;
  for (std::size_t i = 0; i < std::size_t{1} << static_cast<unsigned>(shape.l); ++i) {
    auto list = sorts::set_of(keys, i, most);
    list.resize(shortest + random() % (most - shortest + 1));
    std::ranges::sort(list);
    lists.push_back(sorts::with_numbers<sorts::wide_record>(list, static_cast<int>(i * most)));
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
      std::vector<sorts::wide_records> all;
      for (std::size_t i = 0; i < lists; ++i) {
        std::vector<int> values(size, 1);
        std::fill_n(values.begin(), zeros[i], 0);
        all.push_back(sorts::with_numbers<sorts::wide_record>(values, static_cast<int>(i * size)));
      }
      check_multiway(shape, all);
      std::size_t at = 0;
      while (at < lists && zeros[at] == size) zeros[at++] = 0;
      is_last = at == lists;
      if (!is_last) ++zeros[at];
    }
  }
}

TEST_CASE("lists of any sizes and values are merged by several ways, in the steps of the formulas",
          "[sorting][sanitize]") {
  std::mt19937 random(1);
  for (bool const fused : {false, true})
    for (int l = 0; l <= 3; ++l)
      for (int m = 0; 2 * l + m <= 7; ++m)
        for (std::size_t const k : {0U, 1U, 5U}) {
          multiway_shape const shape{k, l, m, fused};
          std::size_t const of_each_m = fused ? 6 : 10;
          auto const of_m = m == 0 ? 0 : 5 * k + of_each_m * index(m) - 5;
          auto const expected = l == 0 || k == 0 ? 0 : 5 * k + 5 * index(l) - 5 + of_m;
          for (auto const order : sorts::all_orders)
            for (auto const shortest : {k << static_cast<unsigned>(m), std::size_t{0}}) {
              auto const keys = sorts::keys_in(order, elements_of(shape), random());
              auto const steps =
                  check_multiway(shape, lists_of(shape, keys, shortest, random)).steps;
              CHECK(steps == expected);
              if (k == 1 && m <= 2)
                check_multiway(shape, lists_of(shape, keys, shortest, random),
                               {.strict = true, .workers = 1});  // on one port
            }
        }
}

TEST_CASE("several ways cost the same on every engine", "[sorting][threads][sanitize]") {
  std::mt19937 random(4);
  multiway_shape const shape{3, 1, 2};
  auto const lists = lists_of(shape, sorts::keys_below(9, elements_of(shape)), 2, random);
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
