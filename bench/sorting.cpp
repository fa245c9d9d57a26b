// Sorts on 16 emulated processors beside sorts of one memory, and what their routing takes.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <tbb/parallel_sort.h>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/routing/h_relation.hpp>
#include <lockstep/algorithms/sorting/column_sort.hpp>
#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/algorithms/sorting/median_sort.hpp>
#include <lockstep/algorithms/sorting/radix_sort.hpp>
#include <lockstep/algorithms/sorting/rotate_sort.hpp>
#include <lockstep/algorithms/sorting/sample_sort.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "kept_memory.hpp"
#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

using key = std::int32_t;
using keys = std::vector<key>;

constexpr int processors = 16;

/// A thread for each processor: 16 fibers are too few for more than one worker.
lockstep::machine machine_of_threads() {
  return lockstep::machine{lockstep::crossbar{processors}, {.engine = lockstep::engine::threads}};
}

/// Sequential radix sort by digits of that many bits, from the least significant: one count of all
/// digits, then a pass for each.
template <unsigned Bits>
void sort_by_digits(keys& sorted, keys& other) {
  constexpr std::size_t radix = std::size_t{1} << Bits;
  constexpr unsigned passes = (32 + Bits - 1) / Bits;
  auto const digit = [](key of, unsigned pass) {
    return (static_cast<std::uint32_t>(of) ^ 0x80000000U) >> (pass * Bits) & (radix - 1);
  };
  std::vector<std::array<std::uint32_t, radix>> next(passes);
  for (auto const each : sorted)
    for (unsigned pass = 0; pass < passes; ++pass) ++next[pass][digit(each, pass)];
  for (unsigned pass = 0; pass < passes; ++pass) {
    std::uint32_t before = 0;
    for (auto& digits : next[pass]) before += std::exchange(digits, before);
    for (auto const each : sorted) other[next[pass][digit(each, pass)]++] = each;
    sorted.swap(other);
  }
}

/// The keys of all processors, before and after.
using blocks_of_keys = std::vector<keys>;

blocks_of_keys dealt_out(keys const& all) {
  blocks_of_keys blocks;
  for (int rank = 0; rank < processors; ++rank) {
    auto const [first, count] = lockstep::even_block(all.size(), processors, rank);
    auto const block = std::span(all).subspan(first, count);
    blocks.emplace_back(block.begin(), block.end());
  }
  return blocks;
}

/// A sort on a machine: what one processor does with its keys, of n on all.
using emulated_sort = std::function<keys(lockstep::processor&, keys, std::uint64_t n)>;

/// Everything counted: the machine's start and end, too.
void sort_on(lockstep::machine const& on, blocks_of_keys& blocks, std::uint64_t n,
             emulated_sort const& sort) {
  auto run = on.run([&](lockstep::processor& me) {
    return sort(me, std::move(blocks[static_cast<std::size_t>(me.rank())]), n);
  });
  blocks = std::move(run.results());
}

emulated_sort radix_sort_of(std::uint64_t n) {
  auto const radix = lockstep::radix_for(n, processors, 32);
  return [radix](lockstep::processor& me, keys mine, std::uint64_t) {
    return lockstep::radix_sort(me, std::move(mine), {}, {.radix = radix});
  };
}

bool are(blocks_of_keys const& blocks, keys const& sorted) {
  auto at = sorted.begin();
  for (auto const& block : blocks) {
    if (!std::equal(block.begin(), block.end(), at, std::min(sorted.end(), at + std::ssize(block))))
      return false;
    at += std::ssize(block);
  }
  return at == sorted.end();
}

/// A sort of one memory: the least of three times.
template <class Sort>
double seconds_to_sort(keys const& all, keys const& expected, bool& is_right, Sort const& sort) {
  least time;
  for (int repetition = 0; repetition < 3; ++repetition) {
    auto sorted = all;
    time.add(seconds_of([&] { sort(sorted); }));
    is_right = is_right && sorted == expected;
  }
  return time.seconds();
}

void measure_sorts(benchmark::State& state, lockstep::key_distribution which, std::uint64_t n) {
  keep_memory();
  auto const all = lockstep::generated_keys(which, n, processors);
  auto expected = all;
  bool is_right = true;
  auto const on = machine_of_threads();
  auto const radix_sort = radix_sort_of(n);
  for ([[maybe_unused]] auto _ : state) {
    auto const stable = seconds_of([&] { std::ranges::stable_sort(expected); });
    least emulated;
    for (int repetition = 0; repetition < 3; ++repetition) {
      auto blocks = dealt_out(all);
      emulated.add(seconds_of([&] { sort_on(on, blocks, n, radix_sort); }));
      is_right = is_right && are(blocks, expected);
    }
    keys other(all.size());
    auto const by_8 = seconds_to_sort(all, expected, is_right,
                                      [&](keys& sorted) { sort_by_digits<8>(sorted, other); });
    auto const by_11 = seconds_to_sort(all, expected, is_right,
                                       [&](keys& sorted) { sort_by_digits<11>(sorted, other); });
    state.counters[run_seconds] = emulated.seconds();
    state.counters[radix_sort_seconds] = std::min(by_8, by_11);
    state.counters[stable_sort_seconds] = stable;
    state.counters[parallel_sort_seconds] =
        seconds_to_sort(all, expected, is_right,
                        [](keys& sorted) { tbb::parallel_sort(sorted.begin(), sorted.end()); });
  }
  if (!is_right) state.SkipWithError("not sorted");
}

struct named_sort {
  char const* name;
  emulated_sort sort;
};

/// Radix sort, and sorts by comparisons.
std::vector<named_sort> emulated_sorts(std::uint64_t n) {
  using lockstep::median_sort_route;
  auto const by_medians = [](median_sort_route way) -> emulated_sort {
    return [way](lockstep::processor& me, keys mine, std::uint64_t all) {
      return lockstep::median_sort(me, std::move(mine), all, std::less<>{}, {.way = way}).elements;
    };
  };
  return {
      {"radix", radix_sort_of(n)},
      {"column", [](lockstep::processor& me, keys mine,
                    std::uint64_t all) { return lockstep::column_sort(me, std::move(mine), all); }},
      {"rotate", [](lockstep::processor& me, keys mine,
                    std::uint64_t all) { return lockstep::rotate_sort(me, std::move(mine), all); }},
      {"sample", [](lockstep::processor& me, keys mine,
                    std::uint64_t all) { return lockstep::sample_sort(me, mine, all).elements; }},
      {"median, direct", by_medians(median_sort_route::direct)},
      {"median, random", by_medians(median_sort_route::random)}};
}

/// The sort beside std::sort of all keys, in turn; the least of three times of each.
void measure_beside_std_sort(benchmark::State& state, emulated_sort const& sort, std::uint64_t n) {
  keep_memory();
  auto const all = lockstep::generated_keys(lockstep::key_distribution::random, n, processors);
  auto const on = machine_of_threads();
  for ([[maybe_unused]] auto _ : state) {
    least emulated;
    least by_one_thread;
    for (int repetition = 0; repetition < 3; ++repetition) {
      auto blocks = dealt_out(all);
      auto sorted = all;
      by_one_thread.add(seconds_of([&] { std::ranges::sort(sorted); }));
      emulated.add(seconds_of([&] { sort_on(on, blocks, n, sort); }));
      if (!are(blocks, sorted)) return state.SkipWithError("not sorted");
    }
    state.counters[run_seconds] = emulated.seconds();
    state.counters[sort_seconds] = by_one_thread.seconds();
  }
}

/// 8 bytes; the first four say where they go.
struct element {
  std::uint32_t home;
  std::uint32_t value;
};

/// Generates the elements that one processor sends, to anybody.
std::vector<element> generated_elements(std::size_t count, std::uint32_t seed) {
  std::vector<element> made(count);
  for (auto& one : made) {
    seed = seed * 1'664'525 + 1'013'904'223;
    one = {seed >> 28U, seed};
  }
  return made;
}

/// As many bytes from one place to another, by a thread.
double memcpy_seconds(std::size_t bytes) {
  std::vector<char> const from(bytes, 'a');
  std::vector<char> to(bytes, 'b');
  least time;
  for (int repetition = 0; repetition < 3; ++repetition)
    time.add(seconds_of([&] {
      std::memcpy(to.data(), from.data(), bytes);
      benchmark::DoNotOptimize(to.data());
    }));
  return time.seconds();
}

void measure_routing(benchmark::State& state, std::size_t n) {
  keep_memory();
  auto const on = machine_of_threads();
  std::vector<std::vector<element>> given;
  std::uint64_t sum = 0;
  for (std::uint32_t rank = 0; rank < processors; ++rank) {
    given.push_back(generated_elements(n / processors, rank + 1));
    for (auto const& one : given.back()) sum += one.value;
  }
  for ([[maybe_unused]] auto _ : state) {
    least time;
    for (int repetition = 0; repetition < 3; ++repetition) {
      std::vector<std::vector<element>> arrived(processors);
      time.add(seconds_of([&] {
        on.run([&](lockstep::processor& me) {
          auto const rank = static_cast<std::size_t>(me.rank());
          arrived[rank] =
              lockstep::h_relation(me, std::span<element const>(given[rank]), &element::home)
                  .elements;
        });
      }));
      auto left = sum;
      for (std::uint32_t rank = 0; rank < processors; ++rank)
        for (auto const& one : arrived[rank]) {
          left -= one.value;
          if (one.home != rank) return state.SkipWithError("not routed");
        }
      if (left != 0) return state.SkipWithError("elements were lost");
    }
    auto const bytes = n * sizeof(element);
    state.counters[bytes_per_second] = static_cast<double>(bytes) / time.seconds();
    state.counters[memcpy_bytes_per_second] = static_cast<double>(bytes) / memcpy_seconds(bytes);
  }
}

}  // namespace

void add_sorting(scope const& of) {
  std::uint64_t const n = std::uint64_t{1} << (of.quick ? 18U : 23U);
  using enum lockstep::key_distribution;
  for (auto const which : {random, nas})
    add(fmt::format("radix sort/{} keys {}", n, name_of(which)), 1,
        [=](benchmark::State& state) { measure_sorts(state, which, n); });
  for (auto const& each : emulated_sorts(n))
    add(fmt::format("sort/{} keys, {}", n, each.name), 1,
        [=](benchmark::State& state) { measure_beside_std_sort(state, each.sort, n); });
  auto const routed = 2 * n;
  add(fmt::format("routing/{} elements", routed), 1,
      [=](benchmark::State& state) { measure_routing(state, routed); });
}

}  // namespace bench
