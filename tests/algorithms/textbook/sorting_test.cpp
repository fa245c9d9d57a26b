#include <lockstep/algorithms/textbook/radix_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/sorting/counting_sort.hpp>
#include <lockstep/algorithms/sorting/generated_keys.hpp>
#include <lockstep/algorithms/sorting/radix_sort.hpp>
#include <lockstep/algorithms/textbook/counting_sort.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"

using lockstep::machine;
using lockstep::processor;
namespace textbook = lockstep::textbook;

namespace {

/// A key, and a number that tells equal ones apart.
template <class Key>
struct numbered {
  Key key{};
  int number = 0;

  friend bool operator==(numbered const&, numbered const&) = default;
};

template <class Key>
using numbered_keys = std::vector<numbered<Key>>;

template <class Key>
numbered_keys<Key> with_numbers(std::vector<Key> const& keys) {
  numbered_keys<Key> all;
  for (auto const key : keys) all.push_back({key, static_cast<int>(all.size())});
  return all;
}

/// The part of rank's that is n/p elements, or one more.
template <class T>
std::vector<T> block_of(std::vector<T> const& all, int processors, int rank) {
  auto const [first, count] = lockstep::even_block(all.size(), processors, rank);
  auto const begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

machine strict_crossbar(int p, lockstep::engine engine = lockstep::engine::fibers) {
  return machine(lockstep::crossbar{p}, {.strict = true, .engine = engine});
}

/// Runs `sort(me, block)` and `fast(me, block)` on even blocks; compares the results of both with
/// std::stable_sort, and their counts and phases with each other.
template <class Key, class Sort, class Fast>
void check_against_fast_form(machine const& on, std::vector<Key> const& keys, Sort const& sort,
                             Fast const& fast) {
  INFO("p = " << on.size() << ", n = " << keys.size());
  auto const all = with_numbers(keys);
  auto const block = [&](processor const& me) { return block_of(all, me.size(), me.rank()); };
  auto const textbook = on.run([&](processor& me) { return sort(me, block(me)); });
  auto const library = on.run([&](processor& me) { return fast(me, block(me)); });
  auto expected = all;
  std::ranges::stable_sort(expected, {}, &numbered<Key>::key);
  for (int rank = 0; rank < on.size(); ++rank)
    CHECK(textbook.results()[index(rank)] == block_of(expected, on.size(), rank));
  CHECK(textbook.results() == library.results());
  CHECK(textbook.counts() == library.counts());
  REQUIRE(textbook.phases().size() == library.phases().size());
  for (std::size_t i = 0; i < library.phases().size(); ++i) {
    CHECK(textbook.phases()[i].name == library.phases()[i].name);
    CHECK(textbook.phases()[i].words == library.phases()[i].words);
  }
}

void check_counting_sort(machine const& on, std::vector<int> const& keys, std::uint64_t range) {
  using list = numbered_keys<int>;
  check_against_fast_form(
      on, keys,
      [&](processor& me, list const& mine) {
        return textbook::counting_sort(me, mine, &numbered<int>::key, range);
      },
      [&](processor& me, list const& mine) {
        return lockstep::counting_sort(me, mine, &numbered<int>::key, range);
      });
}

template <class Key>
void check_radix_sort(machine const& on, std::vector<Key> const& keys, std::uint64_t radix) {
  using list = numbered_keys<Key>;
  check_against_fast_form(
      on, keys,
      [&](processor& me, list const& mine) {
        return textbook::radix_sort(me, mine, &numbered<Key>::key, radix);
      },
      [&](processor& me, list const& mine) {
        return lockstep::radix_sort(me, mine, &numbered<Key>::key, {.radix = radix});
      });
}

std::vector<int> random_digits(std::size_t n, int range) {
  std::mt19937 random(static_cast<unsigned>(n) + 5);
  std::vector<int> digits(n);
  for (auto& digit : digits) digit = std::uniform_int_distribution(0, range - 1)(random);
  return digits;
}

}  // namespace

TEST_CASE("textbook: counting sort is that of the fast form") {
  int const p = GENERATE(1, 2, 3, 4, 7, 8, 16);
  for (std::size_t const n : {0U, 1U, 5U, 64U, 301U})
    for (int const range : {1, 3, 16, 40})
      check_counting_sort(strict_crossbar(p), random_digits(n, range),
                          static_cast<std::uint64_t>(range));
}

TEST_CASE("textbook: radix sort is that of the fast form") {
  int const p = GENERATE(1, 3, 8);
  for (auto const distribution :
       {lockstep::key_distribution::random, lockstep::key_distribution::small_entropy,
        lockstep::key_distribution::cyclic, lockstep::key_distribution::nas})
    check_radix_sort(strict_crossbar(p), lockstep::generated_keys(distribution, 200, p), 256);
}

TEST_CASE("textbook: radix sort of signed keys and of a radix that does not divide the bits") {
  using limits = std::numeric_limits<std::int16_t>;
  std::vector<std::int16_t> const keys{5, -5, limits::min(), limits::max(), 0, -1, 1, -5, 0};
  for (std::uint64_t const radix : {2U, 8U, 32U, 256U})
    check_radix_sort(strict_crossbar(4), keys, radix);
}

TEST_CASE("textbook: radix sort on both engines", "[sanitize][threads]") {
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads})
    check_radix_sort(strict_crossbar(4, engine), random_digits(50, 1000), 1024);
}

TEST_CASE("textbook: places in even blocks") {
  for (std::uint64_t const p : {1U, 2U, 3U, 7U})
    for (std::uint64_t const n : {1U, 2U, 6U, 7U, 8U, 20U})
      for (std::uint64_t rank = 0; rank < n; ++rank) {
        auto const place = textbook::place_in_even_blocks(rank, n, p);
        auto const [first, count] =
            lockstep::even_block(n, static_cast<int>(p), static_cast<int>(place.processor));
        CHECK(place.position < count);
        CHECK(first + place.position == rank);
      }
}

TEST_CASE("textbook: sorting refuses what the fast forms refuse") {
  auto const on = strict_crossbar(2);
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(on,
                                                    [](processor& me) {
                                                      return textbook::counting_sort(
                                                          me, std::vector{3}, std::identity{}, 3);
                                                    }),
             has_text("the digit of element 0 of processor 0"));
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(
                 on,
                 [](processor& me) {
                   return textbook::counting_sort(me, std::vector<int>{}, std::identity{}, 0);
                 }),
             has_text("range"));
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(on,
                                                    [](processor& me) {
                                                      return textbook::radix_sort(
                                                          me, std::vector{3}, std::identity{}, 12);
                                                    }),
             has_text("radix"));
}
