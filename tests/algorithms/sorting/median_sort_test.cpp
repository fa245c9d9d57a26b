#include <lockstep/algorithms/sorting/median_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "sorting/keyed_records.hpp"

using lockstep::engine;
using lockstep::median_sort_options;
using lockstep::median_sort_route;
using lockstep::processor;

namespace {

auto run_of_median_sort(int p, keyed::records const& all, median_sort_options const& options,
                        lockstep::machine_options const& on = {}) {
  return keyed::strict_crossbar(p, on).run([&](processor& me) {
    return median_sort(me, keyed::block_of(all, me), all.size(), keyed::key_is_less{}, options);
  });
}

std::string refusal_of_median_sort(int p, keyed::records const& all, std::uint64_t n,
                                   median_sort_options const& options) {
  return refusal_of<lockstep::invalid_argument>(keyed::strict_crossbar(p), [&](processor& me) {
    return median_sort(me, keyed::block_of(all, me), n, keyed::key_is_less{}, options).attempts;
  });
}

/// Phases in which nobody sends a word, of those that the sort names.
template <class Run>
int silent_phases(Run const& run) {
  int silent = 0;
  for (auto const& phase : run.phases())
    if (!phase.name.empty() && phase.words == 0) ++silent;
  return silent;
}

/// Keys of p processors, in even blocks, that make the middle bucket as large as they can: where
/// pivots i and i + 1 are cut, each processor has all but a sample's distance of its elements.
std::uint64_t bound_on_buckets(std::uint64_t n, std::uint64_t p) {
  return 2 * p * ((n + p * p - 1) / (p * p));
}

}  // namespace

TEST_CASE("median sort sorts stably, any number of any keys on any number of processors",
          "[sorting]") {
  int const p = GENERATE(range(1, 18));
  for (int const n : {0, 1, 2, 3, p - 1, p, p + 1, 50, p * p, 50 * p, 1000})
    for (auto const order : keyed::all_orders)
      for (auto const way : {median_sort_route::direct, median_sort_route::random}) {
        INFO("p = " << p << ", n = " << n << ", order " << static_cast<int>(order));
        auto const all = keyed::records_in(order, n);
        auto const run = run_of_median_sort(p, all, {.way = way, .c = static_cast<double>(p) * p});
        CHECK(keyed::joined_results(run.results()) == keyed::sorted_stably(all));
        CHECK(keyed::are_even(run.results(), all.size()));
        CHECK(keyed::largest_bucket_of(run.results()) <=
              bound_on_buckets(all.size(), static_cast<std::uint64_t>(p)));
      }
}

TEST_CASE("median sort takes five start-ups, 3 tau + T_comm", "[sorting]") {
  int without_a_shift = 0;
  for (int const p : {2, 3, 4, 8, 16})
    for (int const n : {4 * p * p, 4 * p * p + 3})
      for (auto const way : {median_sort_route::direct, median_sort_route::random}) {
        INFO("p = " << p << ", n = " << n);
        auto const all = keyed::records_in(keyed::key_order::random, n, 6);
        auto const run = run_of_median_sort(p, all, {.way = way, .c = 6});
        CHECK(run.results()[0].attempts == 1);
        int const silent = silent_phases(run);
        CHECK(run.counts().startups == 5 - static_cast<std::uint64_t>(silent));
        without_a_shift += silent;
        CHECK(run.counts().rounds == 5 * static_cast<std::uint64_t>(p - 1));
        CHECK(run.counts().queued == 0);
      }
  CHECK(without_a_shift == 2);  // two processors with 19 keys, both ways: buckets of 10 and 9
}

TEST_CASE("median sort sends samples, bounds and sizes to the packet", "[sorting]") {
  constexpr std::uint64_t p = 4;
  auto const all = keyed::records_in(keyed::key_order::random, 80, 2);
  for (std::uint64_t const m : {1U, 2U, 16U}) {
    auto const packets = [m](std::uint64_t words) { return m * ((words + m - 1) / m); };
    auto const direct = run_of_median_sort(p, all, {}, {.packet = m});
    auto const& phases = direct.phases();
    REQUIRE(phases.size() == 5);
    CHECK(phases[0].name == "samples");
    CHECK(phases[0].words == (p - 1) * packets(p - 1));
    CHECK(phases[1].name == "bounds");
    CHECK(phases[1].words == (p - 1) * m);
    CHECK(phases[2].name == "buckets");
    CHECK(phases[3].name == "sizes");
    CHECK(phases[3].words == (p - 1) * m);
    CHECK(phases[4].name == "shift");
    auto const random =
        run_of_median_sort(p, all, {.way = median_sort_route::random}, {.packet = m});
    REQUIRE(random.phases().size() == 5);
    CHECK(random.phases()[1].words == (p - 1) * packets(15));  // ceil(3 * 80/16)
    CHECK(random.phases()[2].words == (p - 1) * packets(15));
  }
}

TEST_CASE("claims of median sort hold", "[sorting]") {
  for (int const p : {1, 2, 3, 8})
    for (int const n : {0, 1, 2, 64, 65, 576, 1000})
      for (std::uint64_t const m : {1U, 4U})
        for (auto const order : {keyed::key_order::random, keyed::key_order::ascending})
          for (auto const way : {median_sort_route::direct, median_sort_route::random}) {
            INFO("p = " << p << ", n = " << n << ", m = " << m << ", " << name_of(way));
            median_sort_options const options{.way = way, .c = 3.0 * p};
            auto const run =
                run_of_median_sort(p, keyed::records_in(order, n), options, {.packet = m});
            auto const claims = lockstep::median_sort_claims({.p = p, .tau = 50, .packet = m},
                                                             static_cast<std::uint64_t>(n), options,
                                                             {run.results()[0].attempts});
            CHECK(claims.size() >= 5);
            for (auto const& one : claims) {
              INFO(one.figure << " " << one.formula << " = " << one.value());
              if (!one.erratum.empty()) continue;
              if (one.figure == "largest_bucket")
                CHECK(holds(one, static_cast<double>(keyed::largest_bucket_of(run.results()))));
              else
                CHECK(holds(one, run.counts()));
            }
          }
}

TEST_CASE("buckets of median sort: no keys of 0 and 1 make one of more than 2n/p", "[sorting]") {
  // All arrays of two processors with four elements each, and of three with three each.
  struct machine_size {
    int p;
    int n;
  };
  for (auto const& [p, n] : {machine_size{2, 8}, machine_size{3, 9}})
    for (unsigned word = 0; word < 1U << static_cast<unsigned>(n); ++word) {
      keyed::records all;
      for (int i = 0; i < n; ++i) all.push_back({static_cast<int>(word >> i & 1U), i});
      auto const run = run_of_median_sort(p, all, {}, {.workers = 1});
      REQUIRE(keyed::joined_results(run.results()) == keyed::sorted_stably(all));
      REQUIRE(keyed::largest_bucket_of(run.results()) * static_cast<std::uint64_t>(p) <=
              2 * static_cast<std::uint64_t>(n));
    }
}

TEST_CASE("median sort by way of random processors begins again, and gives up in the end",
          "[sorting]") {
  auto const all = keyed::records_in(keyed::key_order::random, 256);
  CHECK(refusal_of_median_sort(16, all, 256, {.way = median_sort_route::random, .attempts = 2}) ==
        "randomized_routing: in Step 3 slots of 3 elements overflow in each of 2 draws; take a "
        "larger c");
  CHECK(refusal_of_median_sort(16, all, 256, {.way = median_sort_route::random, .c = 12}) ==
        "not refused");
  CHECK(refusal_of_median_sort(16, all, 256, {.attempts = 2}) ==
        "not refused");  // direct: no slots
  auto const few = keyed::records_in(keyed::key_order::random, 64);
  int most_attempts = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    median_sort_options const options{
        .way = median_sort_route::random, .seed = seed, .attempts = 1'000};
    auto const run = run_of_median_sort(8, few, options);
    CHECK(keyed::joined_results(run.results()) == keyed::sorted_stably(few));
    int const attempts = run.results()[0].attempts;
    CHECK(run.counts().startups == 3 + 2 * static_cast<std::uint64_t>(attempts));
    most_attempts = std::max(most_attempts, attempts);
  }
  CHECK(most_attempts > 1);
}

TEST_CASE("median sort refuses what it cannot do", "[sorting]") {
  auto const all = keyed::records_in(keyed::key_order::random, 100);
  CHECK(refusal_of_median_sort(4, all, 101, {}) ==
        "median_sort: the processors have 100 elements together, not the 101 that are given as n; "
        "pass the number of elements of all processors");
  CHECK_THAT(refusal_of_median_sort(4, all, 100, {.way = median_sort_route::random, .c = -1}),
             has_text("c has to be positive"));
  CHECK_THAT(refusal_of_median_sort(4, all, 100, {.way = static_cast<median_sort_route>(2)}),
             has_text("median_sort_route"));
}

TEST_CASE("median sort gives the same on every engine", "[sorting][threads][sanitize]") {
  auto const all = keyed::records_in(keyed::key_order::few_keys, 500);
  for (auto const way : {median_sort_route::direct, median_sort_route::random}) {
    auto const first = run_of_median_sort(5, all, {.way = way});
    auto const on_threads = run_of_median_sort(5, all, {.way = way}, {.engine = engine::threads});
    CHECK(first.counts() == on_threads.counts());
    for (std::size_t rank = 0; rank < 5; ++rank) {
      CHECK(first.results()[rank].elements == on_threads.results()[rank].elements);
      CHECK(first.results()[rank].bucket == on_threads.results()[rank].bucket);
    }
  }
}

TEST_CASE("median sort takes elements as they lie, on processors with more and with fewer",
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
    median_sort_options const options{
        .way = seed % 3 == 0 ? median_sort_route::random : median_sort_route::direct,
        .c = static_cast<double>(p) * p,
        .seed = seed};
    auto const run = keyed::strict_crossbar(p).run([&](processor& me) {
      auto const rank = static_cast<std::size_t>(me.rank());
      keyed::records mine(all.begin() + static_cast<std::ptrdiff_t>(cuts[rank]),
                          all.begin() + static_cast<std::ptrdiff_t>(cuts[rank + 1]));
      return median_sort(me, std::move(mine), all.size(), keyed::key_is_less{}, options);
    });
    CHECK(keyed::joined_results(run.results()) == keyed::sorted_stably(all));
    CHECK(keyed::are_even(run.results(), all.size()));
  }
}

TEST_CASE("median sort's samples and pivots stand at equal distances", "[sorting]") {
  using lockstep::detail::middle_ranks;
  using lockstep::detail::regular_indices;
  using numbers = std::vector<std::size_t>;
  CHECK(regular_indices(20, 4) == numbers{5, 10, 15});
  CHECK(regular_indices(10, 4) == numbers{2, 5, 7});
  CHECK(regular_indices(1, 3) == numbers{0, 0});
  CHECK(regular_indices(0, 3).empty());
  CHECK(middle_ranks(12, 4) == numbers{2, 6, 10});  // 4i - 2
  CHECK(middle_ranks(20, 5) == numbers{3, 8, 13, 18});
  CHECK(middle_ranks(2, 2) == numbers{1});
  CHECK(middle_ranks(0, 1).empty());
}

TEST_CASE("the example of median sort gives what it says", "[sorting]") {
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const run = machine.run([](processor& me) {
    std::vector<int> mine;
    mine.reserve(64);
    for (int i = 0; i < 64; ++i) mine.push_back(4 * i + me.rank());
    return lockstep::median_sort(me, mine, 256).elements;
  });
  CHECK(run.results()[3][0] == 192);
  CHECK(run.counts().startups == 5);
}
