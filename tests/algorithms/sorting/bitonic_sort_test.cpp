#include <lockstep/algorithms/sorting/bitonic_sort.hpp>

#include <random>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"

using lockstep::engine;

namespace {

/// Sorts k * 2^d values, downwards, and compares the result and the costs.
void check_sorted(int d, std::vector<int> const& values, engine by = engine::fibers) {
  lockstep::machine const on(lockstep::hypercube{d}, {.strict = true, .engine = by});
  auto const k = static_cast<std::ptrdiff_t>(values.size()) >> d;
  auto run = on.run([&](lockstep::processor& me) {
    auto const first = values.begin() + k * me.rank();
    return lockstep::bitonic_sort(me, std::vector(first, first + k), std::greater<>{});
  });
  std::vector<int> all;
  for (auto const& block : run.results()) all.insert(all.end(), block.begin(), block.end());
  auto expected = values;
  std::ranges::sort(expected, std::greater<>{});
  CHECK(all == expected);
  for (auto const& claimed : lockstep::bitonic_sort_claims(d, static_cast<std::uint64_t>(k)))
    CHECK(holds(claimed, run.counts()));
}

}  // namespace

TEST_CASE("bitonic sort sorts all sequences of 0 and 1", "[sorting]") {
  for (int const d : {0, 1, 2, 3})
    for (unsigned word = 0; word < 1U << (1U << static_cast<unsigned>(d)); ++word) {
      std::vector<int> values;
      for (int i = 0; i < 1 << d; ++i) values.push_back(static_cast<int>(word >> i & 1U));
      check_sorted(d, values);
    }
}

TEST_CASE("bitonic sort sorts k values a processor, on both engines", "[sorting][threads]") {
  std::mt19937 random(1);
  for (int const d : {1, 3, 5})
    for (int const k : {0, 1, 2, 7})
      for (auto const by : {engine::fibers, engine::threads}) {
        std::vector<int> values(static_cast<std::size_t>(k << d));
        for (auto& value : values) value = static_cast<int>(random() % 20);
        check_sorted(d, values, by);
      }
}

TEST_CASE("bitonic sort refuses processors that are not a power of two", "[sorting]") {
  lockstep::machine const on(lockstep::crossbar{3});
  CHECK_THROWS_AS(on.run([](lockstep::processor& me) { return bitonic_sort(me, std::vector{1}); }),
                  lockstep::processor_failed);
}
