// Bitonic sort on hypercubes, emulated, beside sorts of one memory, and what its messages alone take.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_sort.h>

#include <lockstep/algorithms/sorting/bitonic_sort.hpp>
#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "kept_memory.hpp"
#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

using keys = std::vector<std::int32_t>;

/// Keys on each processor of a hypercube.
struct sorting_size {
  int dimension;
  int keys_each;

  [[nodiscard]] std::size_t keys() const {
    return static_cast<std::size_t>(keys_each) << static_cast<unsigned>(dimension);
  }
};

/// Sorts on the machine. Result: whether the keys are the expected ones, in that order, and the
/// counts are as claimed.
bool sorts_on(lockstep::machine const& on, sorting_size const& of, keys const& all,
              keys const& expected) {
  auto const each = static_cast<std::size_t>(of.keys_each);
  auto const run = on.run([&](lockstep::processor& me) {
    auto const first = static_cast<std::size_t>(me.rank()) * each;
    auto const mine = std::span(all).subspan(first, each);
    auto const sorted = lockstep::bitonic_sort(me, keys(mine.begin(), mine.end()));
    return std::ranges::equal(sorted, std::span(expected).subspan(first, each));
  });
  return std::ranges::count(run.results(), true) == on.size() &&
         std::ranges::all_of(
             lockstep::bitonic_sort_claims(of.dimension, static_cast<std::uint64_t>(of.keys_each)),
             [&](lockstep::claim const& each_claim) { return holds(each_claim, run.counts()); });
}

/// Sends the same messages between the same partners, and sorts nothing.
void exchange_only(lockstep::machine const& on, sorting_size const& of) {
  on.run([&](lockstep::processor& me) {
    std::int32_t held = me.rank();
    for (int stage = 1; stage <= of.dimension; ++stage)
      for (int bit = stage; bit-- > 0;)
        for (int i = 0; i < of.keys_each; ++i) held = me.exchange(me.rank() ^ (1 << bit), held);
    benchmark::DoNotOptimize(held);
  });
}

template <class Sort>
double seconds_to_sort(keys const& all, keys const& expected, bool& is_right, Sort const& sort) {
  auto sorted = all;
  auto const seconds = seconds_of([&] { sort(sorted); });
  is_right = is_right && sorted == expected;
  return seconds;
}

/// The least seconds of each, taken in turn: what else runs on the computer slows them all.
struct sorting_times {
  least machine_sort;
  least exchange;
  least stable_sort;
  least parallel_sort;
};

void measure_bitonic_sort(benchmark::State& state, sorting_size const& of) {
  keep_memory();
  lockstep::machine const on(lockstep::hypercube{of.dimension}, two_workers.options());
  auto const all =
      lockstep::generated_keys(lockstep::key_distribution::random, of.keys(), on.size());
  auto expected = all;
  std::ranges::sort(expected);
  bool is_right = true;
  sorting_times least_of;
  for ([[maybe_unused]] auto _ : state)
    for (int repetition = 0; repetition < 3; ++repetition) {
      least_of.machine_sort.add(
          seconds_of([&] { is_right = sorts_on(on, of, all, expected) && is_right; }));
      least_of.exchange.add(seconds_of([&] { exchange_only(on, of); }));
      least_of.stable_sort.add(seconds_to_sort(
          all, expected, is_right, [](keys& sorted) { std::ranges::stable_sort(sorted); }));
      least_of.parallel_sort.add(seconds_to_sort(all, expected, is_right, [](keys& sorted) {
        tbb::parallel_sort(sorted.begin(), sorted.end());
      }));
    }
  auto const steps =
      lockstep::bitonic_sort_claims(of.dimension, static_cast<std::uint64_t>(of.keys_each))
          .front()
          .value();
  state.counters[run_seconds] = least_of.machine_sort.seconds();
  state.counters[ns_per_processor_step] =
      least_of.machine_sort.seconds() * 1e9 / (steps * on.size());
  state.counters[exchange_seconds] = least_of.exchange.seconds();
  state.counters[stable_sort_seconds] = least_of.stable_sort.seconds();
  state.counters[parallel_sort_seconds] = least_of.parallel_sort.seconds();
  if (!is_right) state.SkipWithError("not sorted, or not in the steps that are claimed");
}

}  // namespace

void add_hypercube_sorting(scope const& of) {
  auto const one_key = sorting_size{of.quick ? 10 : 20, 1};
  auto const many_keys = of.quick ? sorting_size{5, 512} : sorting_size{10, 16'384};
  for (auto const& size : {one_key, many_keys})
    add(fmt::format("bitonic sort/hypercube:{}, {} keys", size.dimension, size.keys()), 1,
        [=](benchmark::State& state) { measure_bitonic_sort(state, size); });
}

}  // namespace bench
