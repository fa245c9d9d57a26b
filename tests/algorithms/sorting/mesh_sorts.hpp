#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/mesh.hpp>

#include "catch.hpp"
#include "sorting/sorted_on_cube.hpp"

// Shared by tests of sorts of k values on each processor of a line or a mesh.

/// Sorts k values on each processor by `sort(me, k values, order)`, on a strict machine, and compares the
/// costs with the claims. Result: the values of each processor.
template <class Order, class Sort>
std::vector<std::vector<int>> sorted_on_mesh(lockstep::mesh const& network,
                                             std::vector<int> const& values, Order order,
                                             Sort const& sort,
                                             std::vector<lockstep::claim> const& claims,
                                             lockstep::engine by = lockstep::engine::fibers) {
  lockstep::machine const on(network, {.strict = true, .engine = by});
  auto const k = static_cast<std::ptrdiff_t>(values.size()) / on.size();
  auto const run = on.run([&](lockstep::processor& me) {
    auto const first = values.begin() + k * me.rank();
    return sort(me, std::vector<int>(first, first + k), order);
  });
  for (auto const& claimed : claims) {
    INFO(network.spec() << ", k = " << k << ": " << claimed.figure << " " << claimed.formula
                        << " = " << claimed.value() << ": " << run.counts());
    CHECK(holds(claimed, run.counts()));
  }
  return run.results();
}

/// Puts the values of all processors one after the other.
inline std::vector<int> joined(std::vector<std::vector<int>> const& blocks) {
  std::vector<int> all;
  for (auto const& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return all;
}

/// The lowest bits of a word, one value each.
inline std::vector<int> bits_of(unsigned word, int count) {
  std::vector<int> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<int>(word >> i & 1U));
  return values;
}

template <class Order = std::less<>>
std::vector<int> sorted(std::vector<int> values, Order order = {}) {
  std::ranges::sort(values, order);
  return values;
}
