// Counting how often each index occurs, on 16 emulated processors by a random access write, beside
// a loop and a sort of one memory.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/random_access/random_access_write.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "kept_memory.hpp"
#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

using index = std::uint32_t;
using counters = std::vector<std::uint32_t>;

constexpr int processors = 16;

std::vector<index> uniform_indices(std::size_t n, std::size_t different) {
  std::mt19937 random(1);
  std::vector<index> made(n);
  for (auto& each : made) each = static_cast<index>(random() % different);
  return made;
}

/// Indices whose r-th most frequent one has probability 1/r^s, s = 1.1; frequent ones lie
/// apart. `different`: a power of two.
std::vector<index> zipf_indices(std::size_t n, std::size_t different) {
  constexpr double s = 1.1;
  constexpr std::uint32_t apart = 0x9E3779B1U;
  std::vector<double> up_to(different);
  double sum = 0;
  for (std::size_t r = 0; r < different; ++r) {
    sum += std::pow(static_cast<double>(r + 1), -s);
    up_to[r] = sum;
  }
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> drawn(0, sum);
  std::vector<index> made(n);
  for (auto& each : made) {
    auto const rank = std::ranges::lower_bound(up_to, drawn(random)) - up_to.begin();
    auto const scattered = static_cast<std::uint32_t>(rank) * apart;
    each = scattered & static_cast<index>(different - 1);
  }
  return made;
}

counters counted_in_a_loop(std::vector<index> const& indices, std::size_t different) {
  counters counts(different);
  for (auto const each : indices) ++counts[each];
  return counts;
}

counters counted_by_a_sort(std::vector<index> sorted, std::size_t different) {
  std::ranges::sort(sorted);
  counters counts(different);
  for (auto at = sorted.begin(); at != sorted.end();) {
    auto const end = std::ranges::find_if(at, sorted.end(), [&](index i) { return i != *at; });
    counts[*at] = static_cast<std::uint32_t>(end - at);
    at = end;
  }
  return counts;
}

/// Everything counted: the machine's start and end, too.
counters counted_on(lockstep::machine const& on, std::vector<index> const& indices,
                    std::size_t different) {
  lockstep::bucket_layout const blocks(indices.size(), processors);
  lockstep::bucket_layout const layout(different, processors,
                                       lockstep::best_buckets_each(different, processors));
  std::vector<std::uint32_t> const ones(blocks.block_size(), 1);
  counters counts(different);
  on.run([&](lockstep::processor& me) {
    auto const mine =
        std::span(indices).subspan(blocks.first_of(me.rank()), blocks.size_of(me.rank()));
    lockstep::random_access_write(
        me, layout, std::span<index const>(mine), std::span(ones).first(mine.size()),
        std::plus<std::uint32_t>(),
        std::span(counts).subspan(layout.first_of(me.rank()), layout.size_of(me.rank())));
  });
  return counts;
}

/// The least of three times, each result compared.
template <class Count>
double seconds_to_count(counters const& expected, bool& is_right, Count const& count) {
  least time;
  for (int repetition = 0; repetition < 3; ++repetition) {
    counters counts;
    time.add(seconds_of([&] { counts = count(); }));
    is_right = is_right && counts == expected;
  }
  return time.seconds();
}

void measure_histogram(benchmark::State& state, std::vector<index> const& indices,
                       std::size_t different) {
  keep_memory();
  auto const expected = counted_in_a_loop(indices, different);
  bool is_right = true;
  lockstep::machine const on{lockstep::crossbar{processors}, {.engine = lockstep::engine::threads}};
  for ([[maybe_unused]] auto _ : state) {
    state.counters[run_seconds] =
        seconds_to_count(expected, is_right, [&] { return counted_on(on, indices, different); });
    state.counters[loop_seconds] =
        seconds_to_count(expected, is_right, [&] { return counted_in_a_loop(indices, different); });
    state.counters[sort_seconds] =
        seconds_to_count(expected, is_right, [&] { return counted_by_a_sort(indices, different); });
  }
  if (!is_right) state.SkipWithError("not counted right");
}

}  // namespace

void add_histograms(scope const& of) {
  std::size_t const n = std::size_t{1} << (of.quick ? 18U : 24U);
  std::size_t const different = std::size_t{1} << (of.quick ? 14U : 20U);
  add(fmt::format("histogram/{} indices, uniform", n), 1, [=](benchmark::State& state) {
    measure_histogram(state, uniform_indices(n, different), different);
  });
  add(fmt::format("histogram/{} indices, Zipf 1.1", n), 1, [=](benchmark::State& state) {
    measure_histogram(state, zipf_indices(n, different), different);
  });
}

}  // namespace bench
