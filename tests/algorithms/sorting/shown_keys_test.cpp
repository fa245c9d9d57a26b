#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/algorithms/sorting/bitonic_sort.hpp>
#include <lockstep/algorithms/sorting/counting_sort.hpp>
#include <lockstep/algorithms/sorting/median_sort.hpp>
#include <lockstep/algorithms/sorting/merge_sort.hpp>
#include <lockstep/algorithms/sorting/odd_even_merge_sort.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "algorithms/shown_at.hpp"
#include "catch.hpp"

using lockstep::processor;

namespace {

constexpr int k = 8;

/// Keys of a processor, in no order; those of 8 processors are 0 to 63.
std::vector<int> keys_of(int rank) {
  std::vector<int> keys;
  for (int i = 0; i < k; ++i) keys.push_back((rank * k + i) * 37 % (8 * k));
  return keys;
}

template <class Sort>
reference::call_log watched(std::string const& spec, Sort const& sort,
                            lockstep::machine_options const& options = {}) {
  reference::call_log log;
  lockstep::machine const machine{lockstep::parse(spec), options};
  (void)machine.run([&](processor& me) { return sort(me, keys_of(me.rank())); }, log);
  return log;
}

/// The keys that are shown after a step, in the order of ranks.
std::vector<double> keys_after(reference::call_log const& log, std::uint64_t step) {
  std::vector<double> keys;
  for (auto const& [rank, by_name] : reference::held_after(log, step)) {
    auto const own = reference::numbers_in(by_name.at("keys"));
    keys.insert(keys.end(), own.begin(), own.end());
  }
  return keys;
}

void check_begin_and_end(reference::call_log const& log) {
  std::vector<double> sorted;
  for (int i = 0; i < 8 * k; ++i) sorted.push_back(i);
  auto first = keys_after(log, 0);
  CHECK(first != sorted);
  std::ranges::sort(first);
  CHECK(first == sorted);
  CHECK(keys_after(log, log.counts.steps) == sorted);
}

}  // namespace

TEST_CASE("sorts show all keys at first, and sorted in the end") {
  lockstep::machine_options const all_ports{.ports = lockstep::ports::all};
  check_begin_and_end(watched(
      "hypercube:3", [](processor& me, auto keys) { return bitonic_sort(me, std::move(keys)); }));
  check_begin_and_end(watched("hypercube:3", [](processor& me, auto keys) {
    return odd_even_merge_sort(me, std::move(keys));
  }));
  check_begin_and_end(watched("crossbar:8", [](processor& me, auto keys) {
    return median_sort(me, std::move(keys), 8 * k).elements;
  }));
  check_begin_and_end(watched("crossbar:8", [](processor& me, auto keys) {
    return counting_sort(me, std::move(keys), std::identity{}, 8 * k);
  }));
  check_begin_and_end(watched(
      "hypercube:3",
      [](processor& me, auto keys) { return merge_sort(me, std::move(keys), {.k = k}); },
      all_ports));
}

TEST_CASE("a bitonic sort shows after each merge-split what it has kept") {
  auto const log = watched(
      "hypercube:3", [](processor& me, auto keys) { return bitonic_sort(me, std::move(keys)); });
  for (std::uint64_t step = 0; step <= log.counts.steps; step += k) {
    auto keys = keys_after(log, step);
    std::ranges::sort(keys);
    for (int i = 0; i < 8 * k; ++i) CHECK(keys[static_cast<std::size_t>(i)] == i);
  }
}
