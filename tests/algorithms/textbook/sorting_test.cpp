#include <lockstep/algorithms/textbook/radix_sort.hpp>

#include <cstdint>
#include <functional>
#include <limits>
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
#include "sorting/sort_runs.hpp"
#include "textbook/same_runs.hpp"

using lockstep::machine;
using lockstep::processor;
namespace textbook = lockstep::textbook;

namespace {

/// Runs `sort(me, block)` and `fast(me, block)` on even blocks; compares the results of both with
/// std::stable_sort, and their counts and phases with each other.
template <class Key, class Sort, class Fast>
void check_against_fast_form(machine const& on, std::vector<Key> const& keys, Sort const& sort,
                             Fast const& fast) {
  INFO("p = " << on.size() << ", n = " << keys.size());
  auto const all = sorts::with_numbers<sorts::numbered<Key, 1>>(keys);
  auto const sizes = sorts::even_sizes(all.size(), on.size());
  auto const by_textbook = sorts::run_sort(on, all, sizes, sort);
  auto const by_library = sorts::run_sort(on, all, sizes, fast);
  CHECK(by_textbook.all == sorts::stably_sorted(all));
  CHECK(by_textbook.sizes == sizes);
  check_same_runs(by_textbook.run, by_library.run);
}

void check_counting_sort(machine const& on, std::vector<int> const& keys, std::uint64_t range) {
  auto const digit = &sorts::record::key;
  check_against_fast_form(
      on, keys,
      [=](processor& me, auto const& mine) {
        return textbook::counting_sort(me, mine, digit, range);
      },
      [=](processor& me, auto const& mine) {
        return lockstep::counting_sort(me, mine, digit, range);
      });
}

template <class Key>
void check_radix_sort(machine const& on, std::vector<Key> const& keys, std::uint64_t radix) {
  auto const key = &sorts::numbered<Key, 1>::key;
  check_against_fast_form(
      on, keys,
      [=](processor& me, auto const& mine) { return textbook::radix_sort(me, mine, key, radix); },
      [=](processor& me, auto const& mine) {
        return lockstep::radix_sort(me, mine, key, {.radix = radix});
      });
}

}  // namespace

TEST_CASE("textbook: counting sort is that of the fast form") {
  int const p = GENERATE(1, 2, 3, 4, 7, 8, 16);
  for (std::size_t const n : {0U, 1U, 5U, 64U, 301U})
    for (int const range : {1, 3, 16, 40})
      check_counting_sort(sorts::strict_crossbar(p),
                          sorts::keys_below(static_cast<unsigned>(range), n),
                          static_cast<std::uint64_t>(range));
}

TEST_CASE("textbook: radix sort is that of the fast form") {
  int const p = GENERATE(1, 3, 8);
  for (auto const distribution :
       {lockstep::key_distribution::random, lockstep::key_distribution::small_entropy,
        lockstep::key_distribution::cyclic, lockstep::key_distribution::nas})
    check_radix_sort(sorts::strict_crossbar(p), lockstep::generated_keys(distribution, 200, p),
                     256);
}

TEST_CASE("textbook: radix sort of signed keys and of a radix that does not divide the bits") {
  using limits = std::numeric_limits<std::int16_t>;
  std::vector<std::int16_t> const keys{5, -5, limits::min(), limits::max(), 0, -1, 1, -5, 0};
  for (std::uint64_t const radix : {2U, 8U, 32U, 256U})
    check_radix_sort(sorts::strict_crossbar(4), keys, radix);
}

TEST_CASE("textbook: radix sort on both engines", "[sanitize][threads]") {
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads})
    check_radix_sort(sorts::strict_crossbar(4, {.engine = engine}), sorts::keys_below(1000, 50),
                     1024);
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
  auto const refused = [](auto const& sort) {
    return refusal_of<lockstep::invalid_argument>(sorts::strict_crossbar(2), sort);
  };
  auto const counting = [](std::vector<int> const& digits, std::uint64_t range) {
    return
        [=](processor& me) { return textbook::counting_sort(me, digits, std::identity{}, range); };
  };
  CHECK_THAT(refused(counting({3}, 3)), has_text("the digit of element 0 of processor 0"));
  CHECK_THAT(refused(counting({}, 0)), has_text("range"));
  CHECK_THAT(refused([](processor& me) {
               return textbook::radix_sort(me, std::vector{3}, std::identity{}, 12);
             }),
             has_text("radix"));
}
