#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <lockstep/algorithms/sorting/median_sort.hpp>
#include <lockstep/algorithms/sorting/sample_sort.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "sorting/sort_runs.hpp"

// Sorts by buckets, between random samples and between medians: what is particular to each.

using lockstep::median_sort_options;
using lockstep::median_sort_route;
using lockstep::processor;
using lockstep::sample_sort_options;
using sorts::key_order;

namespace {

constexpr median_sort_route routes[] = {median_sort_route::direct, median_sort_route::random};

auto sort_of(std::uint64_t n, median_sort_options const& options) {
  return [=](processor& me, sorts::records mine) {
    return median_sort(me, std::move(mine), n, sorts::key_is_less{}, options);
  };
}

auto sort_of(std::uint64_t n, sample_sort_options const& options) {
  return [=](processor& me, sorts::records mine) {
    return sample_sort(me, mine, n, sorts::key_is_less{}, options);
  };
}

/// Sorts records that are dealt out evenly.
template <class Options>
auto sorted_by(int p, sorts::records const& all, Options const& options,
               lockstep::machine_options const& on = {}) {
  return sorts::run_sort(sorts::strict_crossbar(p, on), all, sorts::even_sizes(all.size(), p),
                         sort_of(all.size(), options));
}

template <class Options>
std::string refusal_with(int p, std::size_t elements, std::uint64_t n, Options const& options) {
  auto const sort = sort_of(n, options);
  auto const each = elements / static_cast<std::size_t>(p);
  return refusal_of<lockstep::invalid_argument>(sorts::strict_crossbar(p), [&](processor& me) {
    auto const first = static_cast<std::uint64_t>(me.rank());
    return sort(me, sorts::records_in(key_order::random, each, first)).attempts;
  });
}

template <class Sorted>
std::uint64_t largest_bucket_of(Sorted const& sorted) {
  using bucket_sorted = std::remove_cvref_t<decltype(sorted.run.results()[0])>;
  return std::ranges::max_element(sorted.run.results(), {}, &bucket_sorted::bucket)->bucket;
}

template <class Sorted>
int attempts_of(Sorted const& sorted) {
  return sorted.run.results()[0].attempts;
}

std::uint64_t packets(std::uint64_t words, std::uint64_t m) { return m * ((words + m - 1) / m); }

}  // namespace

TEST_CASE("median sort takes five start-ups, 3 tau + T_comm", "[sorting]") {
  int without_a_shift = 0;
  for (int const p : {2, 3, 4, 8, 16})
    for (int const n : {4 * p * p, 4 * p * p + 3})
      for (auto const way : routes) {
        INFO("p = " << p << ", n = " << n);
        auto const all = sorts::records_in(key_order::random, static_cast<std::size_t>(n), 6);
        auto const sorted = sorted_by(p, all, median_sort_options{.way = way, .c = 6});
        CHECK(attempts_of(sorted) == 1);
        auto const silent = std::ranges::count_if(sorted.run.phases(), [](auto const& phase) {
          return !phase.name.empty() && phase.words == 0;
        });
        CHECK(sorted.counts().startups == 5 - static_cast<std::uint64_t>(silent));
        without_a_shift += static_cast<int>(silent);
        CHECK(sorted.counts().rounds == 5 * static_cast<std::uint64_t>(p - 1));
      }
  CHECK(without_a_shift == 0);  // blocks could come out even by chance, and do not here
}

TEST_CASE("median sort sends samples, bounds and sizes to the packet", "[sorting]") {
  constexpr std::uint64_t p = 4;
  auto const all = sorts::records_in(key_order::random, 80, 2);
  for (std::uint64_t const m : {1U, 2U, 16U}) {
    auto const direct = sorted_by(p, all, median_sort_options{}, {.packet = m});
    auto const& phases = direct.run.phases();
    REQUIRE(phases.size() == 5);
    CHECK(phases[0].name == "samples");
    CHECK(phases[0].words == (p - 1) * packets(p - 1, m));
    CHECK(phases[1].name == "bounds");
    CHECK(phases[1].words == (p - 1) * m);
    CHECK(phases[2].name == "buckets");
    CHECK(phases[3].name == "sizes");
    CHECK(phases[3].words == (p - 1) * m);
    CHECK(phases[4].name == "shift");
    auto const random =
        sorted_by(p, all, median_sort_options{.way = median_sort_route::random}, {.packet = m});
    REQUIRE(random.run.phases().size() == 5);
    CHECK(random.run.phases()[1].words == (p - 1) * packets(15, m));  // ceil(3 * 80/16)
    CHECK(random.run.phases()[2].words == (p - 1) * packets(15, m));
  }
}

TEST_CASE("claims of sorts by buckets hold, and buckets are as large as any keys make them",
          "[sorting]") {
  for (int const p : {1, 2, 3, 5, 8, 16})
    for (std::size_t const n : {0U, 1U, 2U, 7U, 64U, 65U, 576U, 1000U, 4096U})
      for (std::uint64_t const m : {1U, 4U})
        for (auto const order : sorts::all_orders) {
          INFO("p = " << p << ", n = " << n << ", m = " << m << ", " << static_cast<int>(order));
          auto const all = sorts::records_in(order, n);
          lockstep::bdm_machine const on{.p = p, .tau = 100, .packet = m};
          for (auto const way : routes) {
            median_sort_options const options{.way = way, .c = 3.0 * p};
            auto const sorted = sorted_by(p, all, options, {.packet = m});
            auto const claims = median_sort_claims(on, n, options, {attempts_of(sorted)});
            CHECK(claims.size() >= 5);
            sorts::check_claims(claims, sorted.counts(), largest_bucket_of(sorted));
            auto const each = static_cast<std::uint64_t>(p);
            CHECK(largest_bucket_of(sorted) <= 2 * each * ((n + each * each - 1) / (each * each)));
          }
          std::uint64_t buckets = 0;  // which do not depend on what is done of them
          for (bool const evened_out : {false, true}) {
            sample_sort_options const options{.c = 3.0 * p, .evened_out = evened_out};
            auto const sorted = sorted_by(p, all, options, {.packet = m});
            auto const largest = largest_bucket_of(sorted);
            auto const claims = sample_sort_claims(on, n, options, {attempts_of(sorted), largest});
            CHECK(claims.size() >= 4);
            sorts::check_claims(claims, sorted.counts(), largest);
            if (evened_out) CHECK(largest == buckets);
            buckets = largest;
          }
        }
}

TEST_CASE("buckets of median sort: no keys of 0 and 1 make one of more than 2n/p", "[sorting]") {
  // All arrays of two processors with four elements each, and of three with three each.
  for (int const p : {2, 3}) {
    std::size_t const n = p == 2 ? 8 : 9;
    for (unsigned word = 0; word < 1U << n; ++word) {
      auto const all = sorts::with_numbers<sorts::record>(sorts::bits_of(word, n));
      auto const sorted = sorted_by(p, all, median_sort_options{}, {.workers = 1});
      REQUIRE(largest_bucket_of(sorted) * static_cast<std::uint64_t>(p) <= 2 * n);
    }
  }
}

TEST_CASE("sample sort sends what Theorem 5.2 says, to the packet", "[sorting]") {
  struct size {
    int p;
    std::size_t n;
    std::uint64_t samples;
    std::uint64_t slot;
  };
  // All with p^2 < n/(6 ln n): slots of ceil(3 n/p^2), ceil(5 ln n) samples.
  for (auto const& [p, n, samples, slot] :
       {size{2, 256, 28, 192}, size{4, 2048, 39, 384}, size{4, 2051, 39, 385},
        size{8, 4096, 42, 192}, size{16, 16'384, 49, 192}})
    for (std::uint64_t const m : {1U, 3U, 16U}) {
      INFO("p = " << p << ", n = " << n << ", m = " << m);
      auto const all = sorts::records_in(key_order::random, n);
      auto const sorted = sorted_by(p, all, sample_sort_options{}, {.packet = m});
      auto const others = static_cast<std::uint64_t>(p - 1);
      CHECK(sorted.counts().words == others * (packets(samples, m) + 2 * packets(slot, m)));
      CHECK(sorted.counts().startups == 3);
      CHECK(sorted.counts().rounds == 3 * others);
      CHECK(attempts_of(sorted) == 1);
      CHECK(largest_bucket_of(sorted) * static_cast<std::uint64_t>(p) <= 2 * n);
    }
  for (auto const order : sorts::all_orders)  // equal keys make buckets no larger than others do
    CHECK(largest_bucket_of(sorted_by(8, sorts::records_in(order, 4096), sample_sort_options{})) <=
          1024);
}

TEST_CASE("sorts by way of random processors begin again where slots overflow", "[sorting]") {
  // n = p^2: slots of 3, to which three elements go on average if a bucket has 3 n/p.
  auto const all = sorts::records_in(key_order::random, 64);
  int most_by_samples = 0;
  int most_by_medians = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto const by_samples = sorted_by(8, all, sample_sort_options{.seed = seed, .attempts = 1'000});
    CHECK(by_samples.all == sorts::stably_sorted(all));
    auto const draws = static_cast<std::uint64_t>(attempts_of(by_samples));
    CHECK(by_samples.counts().startups == 1 + 2 * draws);
    CHECK(by_samples.counts().words == 7 * (8 + 6 * draws));
    most_by_samples = std::max(most_by_samples, attempts_of(by_samples));
    auto const by_medians = sorted_by(
        8, all,
        median_sort_options{.way = median_sort_route::random, .seed = seed, .attempts = 1'000});
    CHECK(by_medians.all == sorts::stably_sorted(all));
    auto const attempts = attempts_of(by_medians);
    CHECK(by_medians.counts().startups == 3 + 2 * static_cast<std::uint64_t>(attempts));
    most_by_medians = std::max(most_by_medians, attempts);
  }
  CHECK(most_by_samples > 1);
  CHECK(most_by_medians > 1);
}

TEST_CASE("sorts by buckets refuse what they cannot do, before they send anything", "[sorting]") {
  auto const by_medians = [](median_sort_options const& options, std::uint64_t n = 256) {
    return refusal_with(16, 256, n, options);
  };
  auto const by_samples = [](sample_sort_options const& options, std::uint64_t n = 256) {
    return refusal_with(16, 256, n, options);
  };
  auto const random = median_sort_route::random;
  for (auto const& overflow :
       {by_medians({.way = random, .attempts = 3}), by_samples({.attempts = 3})})
    CHECK(overflow ==
          "randomized_routing: in Step 3 slots of 3 elements overflow in each of 3 draws; take a "
          "larger c");
  CHECK(by_medians({.way = random, .c = 12}) == "not refused");
  CHECK(by_medians({.attempts = 2}) == "not refused");  // direct: no slots
  CHECK(by_samples({.c = 10}) == "not refused");
  CHECK(by_medians({}, 257) ==
        "median_sort: the processors have 256 elements together, not the 257 that are given as n; "
        "pass the number of elements of all processors");
  CHECK(by_samples({.c = 12, .evened_out = true}, 250) ==
        "sample_sort: the processors have 256 elements together, not the 250 that are given as n; "
        "pass the number of elements of all processors");
  CHECK(by_samples({.c = 12}, 250) == "not refused");
  CHECK_THAT(by_medians({.way = random, .c = -1}), has_text("c has to be positive"));
  CHECK_THAT(by_samples({.c = 0}), has_text("c has to be positive"));
  CHECK_THAT(by_medians({.way = static_cast<median_sort_route>(2)}), has_text("median_sort_route"));
  CHECK_THAT(refusal_with(4, 100, 100, sample_sort_options{.c = 0.5}),
             has_text("processor 0 has 25 elements, and 4 slots of 4 have room for fewer; take a "
                      "larger c"));
}

TEST_CASE("sorts by buckets give the same for a seed on every engine", "[sorting][threads]") {
  auto const all = sorts::records_in(key_order::few_keys, 600);
  auto const buckets = [&](auto const& options, lockstep::engine by) {
    std::vector<std::uint64_t> found;
    auto const sorted = sorted_by(5, all, options, {.engine = by});
    for (auto const& one : sorted.run.results()) found.push_back(one.bucket);
    return found;
  };
  auto const same_on_both = [&](auto const& options) {
    CHECK(buckets(options, lockstep::engine::fibers) ==
          buckets(options, lockstep::engine::threads));
    return buckets(options, lockstep::engine::fibers);
  };
  for (auto const way : routes) same_on_both(median_sort_options{.way = way});
  CHECK(same_on_both(sample_sort_options{.evened_out = true, .seed = 3}) !=
        same_on_both(sample_sort_options{.evened_out = true, .seed = 4}));
}

TEST_CASE("sample sort takes any number of samples, with and without replacement", "[sorting]") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    int const p = 1 + static_cast<int>(seed % 9);
    auto const all =
        sorts::records_in(seed % 2 == 0 ? key_order::random : key_order::few_keys, seed * 5, seed);
    sample_sort_options const options{.samples = 1 + seed % 20,
                                      .with_replacement = seed % 3 == 0,
                                      .c = static_cast<double>(p) * p,
                                      .seed = seed};
    CHECK(sorted_by(p, all, options).all == sorts::stably_sorted(all));
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

TEST_CASE("samples are ceil(5 ln n), and samples and pivots stand at equal distances",
          "[sorting]") {
  using lockstep::detail::middle_ranks;
  using lockstep::detail::ranks_of_pivots;
  using lockstep::detail::regular_indices;
  using numbers = std::vector<std::size_t>;
  CHECK(lockstep::samples_of(0) == 0);
  CHECK(lockstep::samples_of(1) == 0);
  CHECK(lockstep::samples_of(2) == 4);      // 5 ln 2 = 3.47
  CHECK(lockstep::samples_of(4096) == 42);  // 41.59
  CHECK(ranks_of_pivots(40, 4) == numbers{10, 20, 30});
  CHECK(ranks_of_pivots(2, 4) == numbers{0, 1, 1});
  CHECK(ranks_of_pivots(9, 1).empty());
  CHECK(regular_indices(20, 4) == numbers{5, 10, 15});
  CHECK(regular_indices(10, 4) == numbers{2, 5, 7});
  CHECK(regular_indices(1, 3) == numbers{0, 0});
  CHECK(regular_indices(0, 3).empty());
  CHECK(middle_ranks(12, 4) == numbers{2, 6, 10});  // 4i - 2
  CHECK(middle_ranks(20, 5) == numbers{3, 8, 13, 18});
  CHECK(middle_ranks(2, 2) == numbers{1});
  CHECK(middle_ranks(0, 1).empty());
}

TEST_CASE("the examples of sorts by buckets give what they say", "[sorting]") {
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const keys_of = [](processor const& me) {
    std::vector<int> mine;
    mine.reserve(64);
    for (int i = 0; i < 64; ++i) mine.push_back(4 * i + me.rank());
    return mine;
  };
  auto const by_medians = machine.run(
      [&](processor& me) { return lockstep::median_sort(me, keys_of(me), 256).elements; });
  CHECK(by_medians.results()[3][0] == 192);
  CHECK(by_medians.counts().startups == 5);
  auto const by_samples = machine.run([&](processor& me) {
    return lockstep::sample_sort(me, keys_of(me), 256, std::less<>{}, {.evened_out = true})
        .elements;
  });
  CHECK(by_samples.results()[3][0] == 192);
}
