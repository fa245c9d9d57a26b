#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include <lockstep/algorithms/nas_random.hpp>
#include <lockstep/algorithms/sorting/counting_sort.hpp>
#include <lockstep/algorithms/textbook/counting_sort.hpp>
#include <lockstep/counts.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"

// What Bader, Helman and JaJa 1996 print of sorting (section 4, Appendix C), and the same put
// right.

using lockstep::machine;
using lockstep::processor;
namespace textbook = lockstep::textbook;

namespace {

/// The N keys of section 5.1, 19 bits, their `range` highest values.
std::vector<int> highest_digits_of_n(int keys, int range) {
  lockstep::nas_random random;
  std::vector<int> digits;
  for (int e = 0; e < keys; ++e) {
    std::uint64_t sum = 0;
    for (int draw = 0; draw < 4; ++draw) sum += random.next();
    auto const key = static_cast<std::int64_t>(sum >> 29U);
    digits.push_back(static_cast<int>(key * range >> 19U));
  }
  return digits;
}

using ranks = std::vector<std::uint64_t>;

/// Ranks (Addr) of all keys, in the order of processors, below `range`, which p divides as printed.
/// Where `own_counts_included`, line 4.1.1 is what is printed. Line 11 leaves the keys where they
/// are.
ranks all_ranks(std::vector<int> const& keys, int p, int range, bool own_counts_included) {
  machine const on(lockstep::crossbar{p}, {.strict = true});
  auto const run = on.run([&](processor& me) {
    auto const mine = static_cast<std::uint64_t>(me.rank());
    ranks addresses;
    textbook::counting_sort_rules const printed{
        .fills_up_range = false,
        .scan_is_inclusive = own_counts_included,
        .place_of = [&](std::uint64_t rank, std::uint64_t,
                        std::uint64_t) -> textbook::sorted_place {
          addresses.push_back(rank);
          return {mine, 0};
        }};
    auto const share = keys.size() / static_cast<std::size_t>(p);
    auto const first = keys.begin() + static_cast<std::ptrdiff_t>(share * mine);
    std::vector<int> const block(first, first + static_cast<std::ptrdiff_t>(share));
    static_cast<void>(textbook::counting_sort(me, block, std::identity{},
                                              static_cast<std::uint64_t>(range), printed));
    return addresses;
  });
  ranks all;
  for (auto const& of_one : run.results()) all.insert(all.end(), of_one.begin(), of_one.end());
  return all;
}

/// By a stable sort.
ranks expected_ranks(std::vector<int> const& keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t at) { return keys[at]; });
  ranks by_key(keys.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) by_key[order[rank]] = rank;
  return by_key;
}

std::size_t differences(ranks const& one, ranks const& other) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < one.size(); ++at) count += one[at] != other[at] ? 1U : 0U;
  return count;
}

/// Least-significant-digit radix sort of 32-bit keys in `passes` passes of r bits.
std::vector<std::uint32_t> sorted_in(std::vector<std::uint32_t> keys, unsigned passes, unsigned r) {
  for (unsigned pass = 0; pass < passes; ++pass)
    std::ranges::stable_sort(keys, {}, [&](std::uint32_t key) {
      return (std::uint64_t{key} >> (pass * r)) & ((1U << r) - 1);
    });
  return keys;
}

}  // namespace

TEST_CASE("Bader Helman JaJa 1: every rank is too large by the processor's own count", "[errata]") {
  auto const keys = highest_digits_of_n(4096, 256);
  auto const right = expected_ranks(keys);
  auto const printed = all_ranks(keys, 8, 256, true);
  CHECK(differences(printed, right) == 4096);
  std::multiset<std::uint64_t> const used(printed.begin(), printed.end());
  std::set<std::uint64_t> const distinct(printed.begin(), printed.end());
  CHECK(used.size() - distinct.size() == 807);  // ranks that another key has already
  CHECK(used.count(4096) == 1);                 // and there are ranks 0 .. 4095
  CHECK(*used.rbegin() == 4096);
  CHECK(all_ranks(keys, 8, 256, false) == right);
}

TEST_CASE("Bader Helman JaJa 1: one key is enough", "[errata]") {
  CHECK(all_ranks({0}, 1, 1, true) == ranks{1});
  CHECK(all_ranks({0}, 1, 1, false) == ranks{0});
}

TEST_CASE("Bader Helman JaJa 2: floor(Addr/p) names no processor", "[errata]") {
  constexpr std::uint64_t p = 8;
  // Keys 0 to n - 1, whose ranks they are; line 11 divides by `divisor`.
  auto const route = [&](std::uint64_t n, std::uint64_t divisor) {
    textbook::counting_sort_rules const rules{
        .place_of = [&](std::uint64_t rank, std::uint64_t,
                        std::uint64_t) -> textbook::sorted_place {
          return {rank / divisor, rank % divisor};
        }};
    machine const on(lockstep::crossbar{static_cast<int>(p)}, {.strict = true});
    auto const run = on.run([&](processor& me) {
      std::vector<std::uint64_t> mine;
      for (auto at = n / p; at-- > 0;)
        mine.push_back(static_cast<std::uint64_t>(me.rank()) * (n / p) + at);
      return textbook::counting_sort(me, mine, std::identity{}, n, rules).size();
    });
    return run.results();
  };
  std::uint64_t nowhere = 0;
  for (std::uint64_t rank = 0; rank < 512; ++rank) nowhere += rank / p >= p ? 1U : 0U;
  CHECK(nowhere == 448);
  CHECK_THROWS_WITH(route(512, p), has_text("but there are processors 0 to 7 only"));
  CHECK(route(512, 512 / p) == std::vector<std::size_t>(p, 512 / p));
  CHECK(route(p * p, p) == std::vector<std::size_t>(p, p));  // the only n for which p is n/p
}

TEST_CASE("Bader Helman JaJa 12: b/r passes are too few unless r divides b", "[errata]") {
  lockstep::nas_random random;
  std::vector<std::uint32_t> keys(1000);
  std::ranges::generate(keys, [&] { return static_cast<std::uint32_t>(random.next() >> 14U); });
  auto sorted = keys;
  std::ranges::sort(sorted);
  CHECK(32 / 10 == 3);
  CHECK(sorted_in(keys, 3, 10) != sorted);
  CHECK(sorted_in(keys, 4, 10) == sorted);
  CHECK(sorted_in(keys, 4, 8) == sorted);
}

TEST_CASE("Bader Helman JaJa 12: the radix has to be a multiple of p", "[errata]") {
  auto const keys = highest_digits_of_n(12, 4);
  CHECK_THROWS_WITH(all_ranks(keys, 3, 4, false),
                    has_text("4 elements cannot be divided evenly among 3 processors"));
  CHECK(all_ranks(keys, 3, 6, false) == expected_ranks(keys));  // two values that no key has
}

TEST_CASE("Bader Helman JaJa 9: counting sort of 64 keys each can pass 640 through a processor",
          "[errata]") {
  constexpr int p = 64;
  constexpr int busiest = 5;
  constexpr int longest = 10;  // keys for one and the same processor
  // Processor i has s + 1 keys for processor busiest - s - i, s = 0 .. 9, and one each for nine others: ten of
  // them go through `busiest`.
  auto const keys_of = [](int i) {
    auto const below_p = [](int key) { return (key % p + p) % p; };
    std::vector<int> keys;
    for (int s = 0; s < longest; ++s) keys.insert(keys.end(), s + 1, below_p(busiest - s - i));
    for (int other = 1; keys.size() < p; ++other) keys.push_back(below_p(busiest + other - i));
    return keys;
  };
  std::vector<int> occurrences(p);
  for (int i = 0; i < p; ++i)
    for (int const key : keys_of(i)) ++occurrences[static_cast<std::size_t>(key)];
  CHECK(occurrences == std::vector<int>(p, p));

  machine const on(lockstep::crossbar{p}, {.strict = true});
  auto const run = on.run([&](processor& me) {
    return lockstep::counting_sort(me, keys_of(me.rank()), std::identity{}, p);
  });
  for (int rank = 0; rank < p; ++rank)
    CHECK(run.results()[static_cast<std::size_t>(rank)] == std::vector<int>(p, rank));
  auto const route_1 = std::ranges::find(run.phases(), "route 1", &lockstep::phase_record::name);
  REQUIRE(route_1 != run.phases().end());
  CHECK(route_1->words == 630);  // without the ten that it has itself
}
