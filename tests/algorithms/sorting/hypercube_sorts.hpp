#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "sorting/keyed_records.hpp"
#include "sorting/sorted_on_cube.hpp"

// What tests of sorts of k values on each processor of a hypercube share.

/// Sorts k * 2^d values by `sort(me, k values, order)`, k each, on a strict machine, in that order,
/// and compares the costs with the claims. Result: all values, one processor's after the other's.
template <class T, class Order, class Sort>
std::vector<T> sorted_on_hypercube(int d, std::vector<T> const& values, Order order,
                                   Sort const& sort, std::vector<lockstep::claim> const& claims,
                                   lockstep::engine by = lockstep::engine::fibers) {
  lockstep::machine const on(lockstep::hypercube{d}, {.strict = true, .engine = by});
  auto const k = static_cast<std::ptrdiff_t>(values.size()) >> d;
  auto run = on.run([&](lockstep::processor& me) {
    auto const first = values.begin() + k * me.rank();
    return sort(me, std::vector<T>(first, first + k), order);
  });
  std::vector<T> all;
  for (auto const& block : run.results()) {
    CHECK(static_cast<std::ptrdiff_t>(block.size()) == k);
    all.insert(all.end(), block.begin(), block.end());
  }
  for (auto const& claimed : claims) {
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value() << ", d = " << d
                        << ", k = " << k << ": " << run.counts());
    CHECK(holds(claimed, run.counts()));
  }
  return all;
}

/// Sorts all kinds of inputs for d up to 7 and several k, on both engines for small d.
template <class Sort, class Claims>
void check_sort_of_all_inputs(Sort const& sort, Claims const& claims) {
  std::mt19937 random(17);
  for (int d = 0; d <= 7; ++d)
    for (int const k : {0, 1, 2, 3, 7})
      for (auto const& values : values_to_sort(static_cast<std::size_t>(k) << d, random))
        for (auto const by : {lockstep::engine::fibers, lockstep::engine::threads}) {
          if (d > 4 && by == lockstep::engine::threads) continue;
          auto expected = values;
          std::ranges::stable_sort(expected, std::greater<>{});
          CHECK(sorted_on_hypercube(d, values, std::greater<>{}, sort,
                                    claims(d, static_cast<std::uint64_t>(k)), by) == expected);
        }
}

/// Sorts all sequences of 0 and 1, one on each of at most 8 processors: a network of comparators
/// that sorts these sorts all.
template <class Sort, class Claims>
void check_sort_of_all_bits(Sort const& sort, Claims const& claims) {
  for (int const d : {0, 1, 2, 3})
    for (unsigned word = 0; word < 1U << (1U << static_cast<unsigned>(d)); ++word) {
      std::vector<int> values;
      for (int i = 0; i < 1 << d; ++i) values.push_back(static_cast<int>(word >> i & 1U));
      auto expected = values;
      std::ranges::sort(expected);
      CHECK(sorted_on_hypercube(d, values, std::less<>{}, sort, claims(d, 1)) == expected);
    }
}

/// Sorts values many of which are equal to the order, and not the same: each is there once.
template <class Sort>
void check_sort_keeps_each(Sort const& sort) {
  std::mt19937 random(3);
  for (int const d : {1, 2, 4})
    for (int const k : {1, 3}) {
      keyed::records values;
      for (int i = 0; i < k << d; ++i) values.push_back({static_cast<int>(random() % 3), i});
      auto sorted = sorted_on_hypercube(d, values, keyed::key_is_less{}, sort, {});
      CHECK(std::ranges::is_sorted(sorted, keyed::key_is_less{}));
      std::ranges::sort(sorted, {}, &keyed::record::number);
      CHECK(sorted == values);
    }
}
