#include <lockstep/algorithms/sorting/sample_sort.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "sorting/keyed_records.hpp"

using lockstep::engine;
using lockstep::processor;
using lockstep::sample_sort_options;

namespace {

auto run_of_sample_sort(int p, keyed::records const& all, sample_sort_options const& options,
                        lockstep::machine_options const& on = {}) {
  return keyed::strict_crossbar(p, on).run([&](processor& me) {
    return sample_sort(me, keyed::block_of(all, me), all.size(), keyed::key_is_less{}, options);
  });
}

/// Options under which slots have room for everything.
sample_sort_options options_with_room(int p) { return {.c = static_cast<double>(p) * p}; }

std::string refusal_of_sample_sort(int p, keyed::records const& all, std::uint64_t n,
                                   sample_sort_options const& options) {
  return refusal_of<lockstep::invalid_argument>(keyed::strict_crossbar(p), [&](processor& me) {
    return sample_sort(me, keyed::block_of(all, me), n, keyed::key_is_less{}, options).attempts;
  });
}

}  // namespace

TEST_CASE("sample sort sorts stably, any number of any keys on any number of processors",
          "[sorting]") {
  int const p = GENERATE(range(1, 18));
  for (int const n : {0, 1, 2, 3, p - 1, p, p + 1, 50, 50 * p, 1000})
    for (auto const order : keyed::all_orders) {
      INFO("p = " << p << ", n = " << n << ", order " << static_cast<int>(order));
      auto const all = keyed::records_in(order, n);
      auto options = options_with_room(p);
      auto const run = run_of_sample_sort(p, all, options);
      CHECK(keyed::joined_results(run.results()) == keyed::sorted_stably(all));
      options.evened_out = true;
      auto const evened = run_of_sample_sort(p, all, options);
      CHECK(keyed::joined_results(evened.results()) == keyed::sorted_stably(all));
      CHECK(keyed::are_even(evened.results(), all.size()));
      CHECK(keyed::largest_bucket_of(evened.results()) == keyed::largest_bucket_of(run.results()));
    }
}

TEST_CASE("sample sort sends what Theorem 5.2 says, to the packet", "[sorting]") {
  struct size {
    int p;
    int n;
    std::uint64_t samples;
    std::uint64_t slot;
  };
  // All with p^2 < n/(6 ln n): slots of ceil(3 n/p^2), ceil(5 ln n) samples.
  for (auto const& [p, n, samples, slot] :
       {size{2, 256, 28, 192}, size{4, 2048, 39, 384}, size{4, 2051, 39, 385},
        size{8, 4096, 42, 192}, size{16, 16'384, 49, 192}})
    for (std::uint64_t const m : {1U, 3U, 16U}) {
      INFO("p = " << p << ", n = " << n << ", m = " << m);
      auto const run =
          run_of_sample_sort(p, keyed::records_in(keyed::key_order::random, n), {}, {.packet = m});
      auto const others = static_cast<std::uint64_t>(p - 1);
      auto const packets = [m](std::uint64_t words) { return m * ((words + m - 1) / m); };
      CHECK(run.counts().words == others * (packets(samples) + 2 * packets(slot)));
      CHECK(run.counts().startups == 3);
      CHECK(run.counts().rounds == 3 * others);
      CHECK(run.counts().queued == 0);
      CHECK(run.results()[0].attempts == 1);
      CHECK(keyed::largest_bucket_of(run.results()) * static_cast<std::uint64_t>(p) <=
            2 * static_cast<std::uint64_t>(n));
    }
}

TEST_CASE("claims of sample sort hold, evened out or not", "[sorting]") {
  for (int const p : {1, 2, 5, 8})
    for (int const n : {0, 1, 7, 200, 4096})
      for (bool const evened_out : {false, true})
        for (std::uint64_t const m : {1U, 4U}) {
          INFO("p = " << p << ", n = " << n << ", evened out " << evened_out << ", m = " << m);
          sample_sort_options const options{.c = 3.0 * p, .evened_out = evened_out};
          auto const run = run_of_sample_sort(p, keyed::records_in(keyed::key_order::few_keys, n),
                                              options, {.packet = m});
          lockstep::sample_sort_outcome const outcome{run.results()[0].attempts,
                                                      keyed::largest_bucket_of(run.results())};
          auto const claims = lockstep::sample_sort_claims(
              {.p = p, .tau = 100, .packet = m}, static_cast<std::uint64_t>(n), options, outcome);
          CHECK(claims.size() >= 4);
          for (auto const& one : claims) {
            INFO(one.figure << " " << one.formula);
            if (one.figure == "largest_bucket")
              CHECK((!one.erratum.empty() ||
                     holds(one, static_cast<double>(outcome.largest_bucket))));
            else if (one.erratum.empty())
              CHECK(holds(one, run.counts()));
          }
        }
}

TEST_CASE("equal keys make buckets no larger than others do", "[sorting]") {
  for (auto const order : keyed::all_orders) {
    auto const run = run_of_sample_sort(8, keyed::records_in(order, 4096), {});
    CHECK(keyed::largest_bucket_of(run.results()) <= 1024);
  }
}

TEST_CASE("sample sort begins again where slots overflow, and gives up in the end", "[sorting]") {
  // n = p^2: slots of 3, to which three elements go on average if a bucket has 3 n/p.
  auto const all = keyed::records_in(keyed::key_order::random, 64);
  std::map<int, int> runs_of_attempts;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto const run = run_of_sample_sort(8, all, {.seed = seed, .attempts = 1'000});
    CHECK(keyed::joined_results(run.results()) == keyed::sorted_stably(all));
    auto const attempts = run.results()[0].attempts;
    CHECK(run.counts().startups == 1 + 2 * static_cast<std::uint64_t>(attempts));
    CHECK(run.counts().words == 7 * (8 + 6 * static_cast<std::uint64_t>(attempts)));
    ++runs_of_attempts[attempts];
  }
  CHECK(runs_of_attempts.rbegin()->first > 1);
  auto const many = keyed::records_in(keyed::key_order::random, 256);
  CHECK(refusal_of_sample_sort(16, many, 256, {.attempts = 3}) ==
        "randomized_routing: in Step 3 slots of 3 elements overflow in each of 3 draws; take a "
        "larger c");
  CHECK(refusal_of_sample_sort(16, many, 256, {.c = 10}) == "not refused");
}

TEST_CASE("sample sort refuses what it cannot do, before it sends anything", "[sorting]") {
  auto const all = keyed::records_in(keyed::key_order::random, 100);
  CHECK_THAT(refusal_of_sample_sort(4, all, 100, {.c = 0}), has_text("c has to be positive"));
  CHECK_THAT(refusal_of_sample_sort(4, all, 100, {.c = 0.5}),
             has_text("processor 0 has 25 elements, and 4 slots of 4 have room for fewer; take a "
                      "larger c"));
  CHECK(refusal_of_sample_sort(4, all, 90, {.evened_out = true}) ==
        "sample_sort: the processors have 100 elements together, not the 90 that are given as n; "
        "pass the number of elements of all processors");
  CHECK(refusal_of_sample_sort(4, all, 90, {}) == "not refused");
}

TEST_CASE("sample sort gives the same for a seed on every engine", "[sorting][threads][sanitize]") {
  auto const all = keyed::records_in(keyed::key_order::few_keys, 600);
  sample_sort_options const options{.evened_out = true, .seed = 3};
  auto const first = run_of_sample_sort(5, all, options);
  auto const on_threads = run_of_sample_sort(5, all, options, {.engine = engine::threads});
  auto const other_seed = run_of_sample_sort(5, all, {.evened_out = true, .seed = 4});
  CHECK(first.counts() == on_threads.counts());
  bool differs = false;
  for (std::size_t rank = 0; rank < 5; ++rank) {
    CHECK(first.results()[rank].elements == on_threads.results()[rank].elements);
    CHECK(first.results()[rank].bucket == on_threads.results()[rank].bucket);
    differs = differs || first.results()[rank].bucket != other_seed.results()[rank].bucket;
  }
  CHECK(differs);
}

TEST_CASE("sample sort takes elements as they lie, on processors with more and with fewer",
          "[sorting]") {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    int const p = 1 + static_cast<int>(random() % 9);
    auto const all =
        keyed::records_in(seed % 2 == 0 ? keyed::key_order::random : keyed::key_order::few_keys,
                          static_cast<int>(random() % 300), seed);
    std::vector<std::size_t> cuts{0, all.size()};
    for (int cut = 1; cut < p; ++cut) cuts.push_back(random() % (all.size() + 1));
    std::ranges::sort(cuts);
    auto options = options_with_room(p);
    options.seed = seed;
    options.samples = 1 + random() % 20;
    options.with_replacement = seed % 3 == 0;
    options.evened_out = seed % 5 == 0;
    auto const run = keyed::strict_crossbar(p).run([&](processor& me) {
      auto const rank = static_cast<std::size_t>(me.rank());
      keyed::records const mine(all.begin() + static_cast<std::ptrdiff_t>(cuts[rank]),
                                all.begin() + static_cast<std::ptrdiff_t>(cuts[rank + 1]));
      return sample_sort(me, mine, all.size(), keyed::key_is_less{}, options);
    });
    CHECK(keyed::joined_results(run.results()) == keyed::sorted_stably(all));
    if (options.evened_out) CHECK(keyed::are_even(run.results(), all.size()));
  }
}

TEST_CASE("samples are drawn with and without replacement", "[sorting]") {
  using lockstep::detail::drawn_sample;
  std::mt19937_64 const random(1);
  CHECK(drawn_sample(0, 5, false, random).empty());
  CHECK(drawn_sample(0, 5, true, random).empty());
  CHECK(drawn_sample(3, 5, true, random).size() == 5);
  auto const all = drawn_sample(7, 9, false, random);
  CHECK(std::set(all.begin(), all.end()) == std::set<std::size_t>{0, 1, 2, 3, 4, 5, 6});
  CHECK(all.size() == 7);
  // Each pair of four elements about as often as the others: 1,000 of 6,000 draws, deviation 29.
  std::map<std::set<std::size_t>, int> pairs;
  for (std::uint64_t seed = 1; seed <= 6'000; ++seed) {
    auto const drawn = drawn_sample(4, 2, false, std::mt19937_64(seed));
    ++pairs[{drawn.begin(), drawn.end()}];
  }
  CHECK(pairs.size() == 6);
  for (auto const& [pair, times] : pairs) {
    CHECK(pair.size() == 2);
    CHECK(times > 1'000 - 4 * 29);
    CHECK(times < 1'000 + 4 * 29);
  }
}

TEST_CASE("samples are ceil(5 ln n), and pivots stand s apart", "[sorting]") {
  CHECK(lockstep::samples_of(0) == 0);
  CHECK(lockstep::samples_of(1) == 0);
  CHECK(lockstep::samples_of(2) == 4);      // 5 ln 2 = 3.47
  CHECK(lockstep::samples_of(4096) == 42);  // 41.59
  using lockstep::detail::ranks_of_pivots;
  CHECK(ranks_of_pivots(40, 4) == std::vector<std::size_t>{10, 20, 30});
  CHECK(ranks_of_pivots(2, 4) == std::vector<std::size_t>{0, 1, 1});
  CHECK(ranks_of_pivots(9, 1).empty());
}

TEST_CASE("the example of sample sort gives what it says", "[sorting]") {
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const run = machine.run([](processor& me) {
    std::vector<int> mine;
    mine.reserve(64);
    for (int i = 0; i < 64; ++i) mine.push_back(4 * i + me.rank());
    return lockstep::sample_sort(me, mine, 256, std::less<>{}, {.evened_out = true}).elements;
  });
  CHECK(run.results()[3][0] == 192);
}
