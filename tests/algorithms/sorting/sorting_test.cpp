#include <lockstep/algorithms/sorting/radix_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/sorting/counting_sort.hpp>
#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "sorting/sort_runs.hpp"

using lockstep::block_rule;
using lockstep::counts;
using lockstep::key_distribution;
using lockstep::machine;
using lockstep::processor;

namespace {

template <class Key>
using record = sorts::numbered<Key, 1>;
template <class Key>
using records = std::vector<record<Key>>;

/// Counts as two words.
struct two_words {
  int key = 0;
  int other = 0;
};

}  // namespace

template <>
inline constexpr std::uint64_t lockstep::words_of<two_words> = 2;

namespace {

/// All on one processor in the middle.
sorts::block_sizes lumped_sizes(std::size_t n, int p) {
  sorts::block_sizes sizes(static_cast<std::size_t>(p));
  sizes[static_cast<std::size_t>(p / 2)] = n;
  return sizes;
}

/// Runs `sort(me, records)` on blocks of those sizes, and compares with std::stable_sort.
template <class Key, class Sort>
counts check_sort(machine const& on, records<Key> const& all, sorts::block_sizes const& sizes,
                  Sort const& sort) {
  auto const sorted = sorts::run_sort(on, all, sizes, sort);
  CHECK(sorted.all == sorts::stably_sorted(all));
  CHECK(sorted.sizes == sorts::even_sizes(all.size(), on.size()));
  return sorted.counts();
}

template <class Key>
counts check_radix_sort(machine const& on, std::vector<Key> const& keys,
                        sorts::block_sizes const& sizes, lockstep::radix_options const& options) {
  INFO("p = " << on.size() << ", n = " << keys.size() << ", R = " << options.radix << ", "
              << name_of(options.blocks));
  return check_sort<Key>(on, sorts::with_numbers<record<Key>>(keys), sizes,
                         [&](processor& me, records<Key> mine) {
                           return radix_sort(me, std::move(mine), &record<Key>::key, options);
                         });
}

template <class Key>
std::vector<Key> random_keys(std::size_t n, std::uint64_t most = ~std::uint64_t{0}) {
  std::mt19937_64 random(n + 7);
  std::vector<Key> keys(n);
  for (auto& key : keys) key = static_cast<Key>(random() & most);
  return keys;
}

/// Extremes among others, equal ones among them.
template <class Key>
std::vector<Key> extreme_keys() {
  using limits = std::numeric_limits<Key>;
  std::vector<Key> keys;
  for (int round = 0; round < 5; ++round)
    for (Key const key : {limits::max(), limits::min(), Key{0}, Key{1}, static_cast<Key>(-1),
                          static_cast<Key>(limits::max() - 1), static_cast<Key>(limits::min() + 1),
                          static_cast<Key>(limits::max() / 2)})
      keys.push_back(key);
  return keys;
}

template <class Key>
void check_type() {
  auto const on = sorts::strict_crossbar(3);
  for (auto const radix : {std::uint64_t{16}, std::uint64_t{1024}}) {
    auto const extremes = extreme_keys<Key>();
    check_radix_sort(on, extremes, sorts::even_sizes(extremes.size(), 3), {.radix = radix});
    auto const random = random_keys<Key>(500);
    check_radix_sort(on, random, sorts::even_sizes(random.size(), 3), {.radix = radix});
    auto const few = random_keys<Key>(500, 3);
    check_radix_sort(on, few, sorts::even_sizes(few.size(), 3), {.radix = radix});
  }
}

}  // namespace

TEST_CASE("radix_sort is std::stable_sort, for any p, n and R", "[sorting]") {
  int const p = GENERATE(1, 2, 3, 5, 8, 16);
  std::uint64_t const radix = GENERATE(2U, 16U, 256U, 1024U);
  auto const blocks = GENERATE(block_rule::real, block_rule::bound);
  auto const on = sorts::strict_crossbar(p);
  auto const last = static_cast<std::size_t>(p);
  for (auto const n :
       {std::size_t{0}, std::size_t{1}, last - 1, last, 10 * last + last / 2, last * last * 4}) {
    auto const keys = random_keys<std::int32_t>(n);
    auto const measured = check_radix_sort(on, keys, sorts::even_sizes(n, p), {radix, blocks});
    auto const claims = lockstep::radix_sort_claims(n, p, 32, radix, blocks);
    bool const is_padded = blocks == block_rule::bound;
    bool const is_of_paper = p % 2 == 0 && n % (last * last) == 0;
    INFO("p = " << p << ", n = " << n << ", R = " << radix << ", " << name_of(blocks));
    CHECK(sorts::check_claims(claims, measured) == 0);
    CHECK(std::ranges::count(claims, lockstep::comparison::equal, &lockstep::claim::bound) ==
          (is_padded  ? 6 + (is_of_paper ? 1 : 0)  // operations among them
           : n > last ? 3
                      : 2));
  }
}

TEST_CASE("radix_sort by the lowest bits counts as by keys of 32 bits", "[sorting]") {
  auto const on = sorts::strict_crossbar(4);
  auto const narrow = random_keys<std::uint32_t>(64);
  std::vector<std::uint64_t> const wide(narrow.begin(), narrow.end());
  auto const sizes = sorts::even_sizes(narrow.size(), 4);
  CHECK(check_radix_sort(on, wide, sizes, {.radix = 256, .bits = 32}) ==
        check_radix_sort(on, narrow, sizes, {.radix = 256}));
  for (int const bits : {-1, 33})
    CHECK_THROWS_WITH(on.run([&](processor& me) {
      return radix_sort(me, std::vector<std::uint32_t>{1}, std::identity{}, {.bits = bits});
    }),
                      has_text("keys have 32 bits"));
}

TEST_CASE("radix_sort leaves what is sorted, and turns round what is reversed", "[sorting]") {
  int const p = GENERATE(2, 5);
  auto const on = sorts::strict_crossbar(p);
  std::vector<std::int32_t> keys(301);
  for (auto const& make : std::vector<std::function<int(int)>>{
           [](int) { return -7; }, [](int i) { return i - 150; }, [](int i) { return 150 - i; }}) {
    for (int i = 0; auto& key : keys) key = make(i++);
    check_radix_sort(on, keys, sorts::even_sizes(keys.size(), p), {.radix = 16});
    auto const lumped = check_radix_sort(on, keys, lumped_sizes(keys.size(), p), {.radix = 16});
    CHECK(lumped.rounds == 32 * static_cast<std::uint64_t>(p - 1));
  }
}

TEST_CASE("radix_sort takes keys of all sizes, signed or not", "[sorting]") {
  check_type<std::int8_t>();
  check_type<std::uint16_t>();
  check_type<std::int32_t>();
  check_type<std::uint32_t>();
  check_type<std::int64_t>();
  check_type<std::uint64_t>();
}

TEST_CASE("radix_sort sorts whole numbers by themselves, and by a function",
          "[sorting][sanitize]") {
  auto const on = sorts::strict_crossbar(4);
  auto const run = on.run([](processor& me) {
    std::vector<int> const mine{40 - me.rank(), -me.rank(), me.rank()};
    return radix_sort(me, mine);
  });
  CHECK(run.results() ==
        std::vector<std::vector<int>>{{-3, -2, -1}, {0, 0, 1}, {2, 3, 37}, {38, 39, 40}});
  auto const falling = on.run([](processor& me) {
    return radix_sort(me, std::vector<int>{me.rank()}, [](int number) { return -number; });
  });
  CHECK(falling.results() == std::vector<std::vector<int>>{{3}, {2}, {1}, {0}});
}

TEST_CASE("sorting works on a subset", "[sorting]") {
  auto const run = sorts::strict_crossbar(6).run([](processor& me) {
    std::vector<int> const members{4, 1, 3};
    if (std::ranges::find(members, me.rank()) == members.end()) return std::vector<int>{};
    auto some = me.subset(members);
    return radix_sort(some, std::vector<int>{-me.rank()}, {}, {.radix = 256});
  });
  CHECK(run.results() == std::vector<std::vector<int>>{{}, {-3}, {}, {-1}, {-4}, {}});
}

TEST_CASE("counting_sort sorts by any digit", "[sorting]") {
  int const p = GENERATE(1, 2, 3, 5, 8, 16);
  std::uint64_t const range = GENERATE(1U, 3U, 16U, 100U);
  auto const blocks = GENERATE(block_rule::real, block_rule::bound);
  auto const on = sorts::strict_crossbar(p);
  auto const last = static_cast<std::size_t>(p);
  for (auto const n : {std::size_t{0}, std::size_t{1}, last, 7 * last + 3, 4 * last * last}) {
    auto keys = random_keys<std::int32_t>(n, 0xFFFFFF);
    for (auto& key : keys) key %= static_cast<std::int32_t>(range);
    auto const measured = check_sort<std::int32_t>(
        on, sorts::with_numbers<record<std::int32_t>>(keys), sorts::even_sizes(n, p),
        [&](processor& me, records<std::int32_t> mine) {
          return counting_sort(me, std::move(mine), &record<std::int32_t>::key, range, blocks);
        });
    CHECK(sorts::check_claims(lockstep::counting_sort_claims(n, p, range, blocks), measured) == 0);
    CHECK(measured.rounds == 4 * (last - 1));
  }
}

TEST_CASE("the phases of a counting sort cost what the paper says", "[sorting]") {
  auto const on = sorts::strict_crossbar(8);
  auto const keys = random_keys<std::int32_t>(4096, 127);
  auto const run = on.run([&](processor& me) {
    auto const mine = std::span(keys).subspan(static_cast<std::size_t>(me.rank()) * 512, 512);
    return counting_sort(me, std::vector(mine.begin(), mine.end()), std::identity{}, 250,
                         block_rule::bound);
  });
  std::vector<std::string> names;
  std::vector<std::uint64_t> words;
  for (auto const& phase : run.phases()) {
    names.push_back(phase.name);
    words.push_back(phase.words);
    CHECK(phase.startups == 1);
    CHECK(phase.rounds == 7);
  }
  CHECK(names == std::vector<std::string>{"counts", "ranks", "route 1", "route 2"});
  CHECK(words ==
        std::vector<std::uint64_t>{224, 448, 476, 476});  // 7 times q, 2q, 64 + 4, with q = 32
}

TEST_CASE("padded counts do not depend on the keys; real ones do", "[sorting]") {
  constexpr int p = 8;
  constexpr std::size_t n = 4096;
  auto const on = sorts::strict_crossbar(p);
  auto const counts_of = [&](key_distribution distribution, block_rule blocks) {
    auto counts = check_radix_sort(on, lockstep::generated_keys(distribution, n, p),
                                   sorts::even_sizes(n, p), {1024, blocks});
    CHECK(counts.work >= counts.operations / p);
    counts.work = 0;  // it depends on where elements come through, which blocks do not pad
    return counts;
  };
  using enum key_distribution;
  auto const padded = counts_of(random, block_rule::bound);
  auto const real = counts_of(random, block_rule::real);
  bool any_other = false;
  for (auto const distribution : {small_entropy, cyclic, nas}) {
    CHECK(counts_of(distribution, block_rule::bound) == padded);
    any_other = any_other || counts_of(distribution, block_rule::real).words != real.words;
  }
  CHECK(any_other);
  CHECK(real.words < padded.words);
}

TEST_CASE("the examples of the sorts give what they say", "[sorting]") {
  machine const on{lockstep::crossbar{4}};
  auto const counted = on.run([](processor& me) {
    std::vector<int> const mine{7 - me.rank(), me.rank(), 3};
    return counting_sort(me, mine, std::identity{}, 8);
  });
  CHECK(counted.results()[0] == std::vector<int>{0, 1, 2});
  CHECK(counted.counts().startups == 4);
  struct person {
    int age = 0;
    int home = 0;
  };
  auto const sorted = on.run([](processor& me) {
    std::vector<person> people{{40 - me.rank(), 0}, {-me.rank(), 1}};
    return radix_sort(me, people, &person::age, {.radix = 256});
  });
  CHECK(sorted.results()[0][0].age == -3);
  CHECK(sorted.counts().rounds == 48);
}

TEST_CASE("an element counts as the words of its type, with its place", "[sorting]") {
  auto const words_of_routes = [](auto element) {
    auto const run = sorts::strict_crossbar(4).run([&](processor& me) {
      std::vector<decltype(element)> mine(20, element);
      for (int i = 0; auto& each : mine) each.key = 20 * me.rank() + 5 * i++ % 7;
      return radix_sort(me, mine, &decltype(element)::key, {256, block_rule::bound});
    });
    return run.phases()[2].words;
  };
  auto const single = words_of_routes(record<int>{});
  CHECK(single == 21);  // (p - 1)(floor(20/4 + 3/2) + 1)
  CHECK(words_of_routes(two_words{}) == 2 * single);
}

TEST_CASE("ranks that take 64 bits lead to the same places", "[sorting]") {
  constexpr int p = 3;
  auto const keys = random_keys<std::int32_t>(100, 15);
  check_sort<std::int32_t>(
      sorts::strict_crossbar(p), sorts::with_numbers<record<std::int32_t>>(keys),
      sorts::even_sizes(keys.size(), p), [](processor& me, records<std::int32_t> mine) {
        using namespace lockstep::detail;
        auto const digit = &record<std::int32_t>::key;
        auto const histogram = histogram_of<record<std::int32_t>>(
            me, std::span<record<std::int32_t> const>(mine), digit, 16);
        emptied_bins<record<std::int32_t>, std::uint64_t> emptied;
        route_by_rank(me, mine, digit, ranks_from(me, histogram), block_rule::real, emptied);
        return mine;
      });
}

TEST_CASE("the radix that is chosen sends the fewest words", "[sorting]") {
  CHECK(lockstep::radix_for(0, 16, 32) == 16);  // a digit for each processor costs no more than 2
  for (int const p : {1, 2, 16, 64})
    for (std::uint64_t const n : {100U, 10'000U, 1'000'000U, 100'000'000U}) {
      auto const words_of = [&](std::uint64_t radix) {
        auto const digits =
            (radix + static_cast<std::uint64_t>(p) - 1) / static_cast<std::uint64_t>(p);
        auto const q = static_cast<double>(digits);
        auto const all = static_cast<double>(n) / p / std::max(p - 1, 1);
        auto const block = std::min(static_cast<double>(n) / (p * p) + p / 2.0, all);
        return lockstep::radix_passes(32, radix) * (3 * q + 2 * block);
      };
      auto const chosen = lockstep::radix_for(n, p, 32);
      INFO("p = " << p << ", n = " << n << ": " << chosen);
      for (std::uint64_t radix = 2; radix <= 65'536; radix *= 2)
        CHECK(words_of(chosen) <= words_of(radix));
    }
  CHECK(lockstep::radix_for(std::uint64_t{1} << 23U, 16, 32) == 65'536);
  CHECK(lockstep::radix_for(4096, 16, 32) == 64);
  CHECK(lockstep::radix_for(65'536, 1024, 32) == 256);
}

TEST_CASE("sorts refuse what they cannot do", "[sorting]") {
  machine const on{lockstep::crossbar{2}};
  auto const refusal_with = [&](lockstep::radix_options const& options) {
    return refusal_of<lockstep::invalid_argument>(on, [&](processor& me) {
      return radix_sort(me, std::vector<int>(me.rank() == 1 ? 3U : 0U), {}, options);
    });
  };
  for (std::uint64_t const radix : {0U, 1U, 3U, 1000U, 1U << 25U})
    CHECK_THAT(refusal_with({.radix = radix}),
               has_text("has to be a power of two, 2 to 16777216, not " + std::to_string(radix)));
  CHECK_THAT(refusal_with({256, block_rule::bound}),
             has_text("processor 1 holds 3 of 3 elements, more than ceil(n/p)"));
  CHECK(refusal_with({.radix = 256}) == "not refused");
  auto const refusal_to = [&](int digit, std::uint64_t range) {
    return refusal_of<lockstep::invalid_argument>(on, [=](processor& me) {
      return counting_sort(me, std::vector<int>{0, digit}, std::identity{}, range);
    });
  };
  CHECK_THAT(refusal_to(5, 5), has_text("element 1 of processor 0 is not in 0 to 4"));
  CHECK_THAT(refusal_to(-1, 5), has_text("element 1 of processor 0 is not in 0 to 4"));
  CHECK_THAT(refusal_to(0, 0), has_text("a range of 0"));
  CHECK(refusal_to(4, 5) == "not refused");
}
