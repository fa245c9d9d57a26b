#include <lockstep/algorithms/textbook/merge.hpp>
#include <lockstep/algorithms/textbook/merge_sort.hpp>
#include <lockstep/algorithms/textbook/multiway_merge.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "sorting/sort_runs.hpp"
#include "textbook/same_runs.hpp"

using lockstep::hypercube;
using lockstep::machine;
using lockstep::merge_options;
using lockstep::ports;
using lockstep::processor;
namespace textbook = lockstep::textbook;

namespace {

constexpr sorts::key_is_less by_key;

/// A sorted list of few different keys; numbers tell equal ones apart.
sorts::records sorted_list(std::size_t n, unsigned seed, int first_number) {
  auto list = sorts::with_numbers<sorts::record>(sorts::keys_below(5 + seed, n), first_number);
  std::ranges::stable_sort(list, by_key);
  return list;
}

/// The set of a processor: X upwards on the lower half, Y downwards on the upper half.
sorts::records set_of(sorts::records const& x, sorts::records const& y, std::size_t k,
                      processor const& me) {
  bool const is_x = me.rank() < me.size() / 2;
  auto const& list = is_x ? x : y;
  auto const number = index(is_x ? me.rank() : me.size() - 1 - me.rank());
  auto const begin = std::min(list.size(), number * k);
  auto const end = std::min(list.size(), begin + k);
  return {list.begin() + static_cast<std::ptrdiff_t>(begin),
          list.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// Compares the textbook form with the library's: results, counts, and the words of each phase.
template <class Textbook, class Library>
void check_against_fast_form(machine const& on, Textbook const& textbook_form,
                             Library const& library_form) {
  check_same_runs(on.run(textbook_form), on.run(library_form));
}

machine strict_cube(int d, lockstep::engine with = lockstep::engine::fibers) {
  return machine{hypercube{d}, {.ports = ports::all, .strict = true, .engine = with}};
}

}  // namespace

TEST_CASE("textbook: merge is that of the fast form, and of std::merge") {
  int const d = GENERATE(1, 2, 3, 5);
  std::size_t const k = GENERATE(0U, 1U, 2U, 7U);
  std::size_t const short_of = GENERATE(0U, 1U);  // the last sets may be shorter
  INFO("d = " << d << ", k = " << k);
  auto const n = (k << (d - 1)) - std::min(k, short_of);
  auto const x = sorted_list(n, 1, 0);
  auto const y = sorted_list(n, 2, static_cast<int>(n));
  auto const on = strict_cube(d);
  auto const textbook_form = [&](processor& me) {
    return textbook::merge(me, set_of(x, y, k, me), k, by_key);
  };
  check_against_fast_form(on, textbook_form, [&](processor& me) {
    return lockstep::merge(me, set_of(x, y, k, me), merge_options{.k = k}, by_key);
  });
  sorts::records merged;
  for (auto const& part : on.run(textbook_form).results())
    merged.insert(merged.end(), part.begin(), part.end());
  sorts::records expected(x.size() + y.size());
  std::ranges::merge(x, y, expected.begin(), by_key);
  CHECK(merged == expected);
}

TEST_CASE("textbook: merge sort is that of the fast form, and stable") {
  int const d = GENERATE(0, 1, 3, 4);
  std::size_t const k = GENERATE(0U, 1U, 3U, 8U);
  std::size_t const short_of = GENERATE(0U, 2U);  // values that the last processor lacks
  INFO("d = " << d << ", k = " << k);
  auto const n = (k << d) - std::min(k, short_of);
  auto const all = sorts::with_numbers<sorts::record>(sorts::keys_below(9, n));
  auto const mine = [&](processor const& me) {
    auto const begin = index(me.rank()) * k;
    return sorts::records(all.begin() + static_cast<std::ptrdiff_t>(begin),
                          all.begin() + static_cast<std::ptrdiff_t>(std::min(n, begin + k)));
  };
  auto const textbook_form = [&](processor& me) {
    return textbook::merge_sort(me, mine(me), k, by_key);
  };
  auto const on = strict_cube(d);
  check_against_fast_form(on, textbook_form, [&](processor& me) {
    return lockstep::merge_sort(me, mine(me), merge_options{.k = k}, by_key);
  });
  sorts::records sorted;
  for (auto const& part : on.run(textbook_form).results())
    sorted.insert(sorted.end(), part.begin(), part.end());
  CHECK(sorted == sorts::stably_sorted(all));
}

TEST_CASE("textbook: merge sort on both engines", "[threads]") {
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads}) {
    auto const run = strict_cube(3, engine).run([](processor& me) {
      return textbook::merge_sort(me, std::vector{-me.rank(), me.rank()}, 2);
    });
    CHECK(run.results()[0] == std::vector{-7, -6});
    CHECK(run.counts().steps == 48);
  }
}

TEST_CASE("textbook: multi-way merge is that of the fast form, and stable") {
  auto const [l, m] = GENERATE(std::pair{0, 2}, std::pair{1, 0}, std::pair{1, 1}, std::pair{1, 2},
                               std::pair{2, 0}, std::pair{2, 1}, std::pair{2, 2});
  std::size_t const k = GENERATE(0U, 1U, 2U, 5U);
  std::size_t const short_of = GENERATE(0U, 1U);  // the last set of each list may be shorter
  bool const fused = GENERATE(false, true);
  INFO("l = " << l << ", m = " << m << ", k = " << k << ", fused = " << fused);
  lockstep::multiway_shape const shape{.k = k, .l = l, .m = m, .fused = fused};
  auto const n = (k << m) - std::min(k, short_of);
  std::vector<sorts::records> lists;
  for (int i = 0; i < 1 << l; ++i)
    lists.push_back(sorted_list(n, static_cast<unsigned>(i), i * static_cast<int>(n)));
  auto const mine = [&, m = m, l = l](processor const& me) {
    if (me.rank() >> (l + m) > 0) return sorts::records{};
    auto const& list = lists[index(me.rank() >> m)];
    auto const begin = std::min(n, index(me.rank() & ((1 << m) - 1)) * k);
    auto const end = std::min(n, begin + k);
    return sorts::records(list.begin() + static_cast<std::ptrdiff_t>(begin),
                          list.begin() + static_cast<std::ptrdiff_t>(end));
  };
  auto const textbook_form = [&](processor& me) {
    return textbook::multiway_merge(me, mine(me), shape, by_key);
  };
  auto const on = strict_cube(2 * l + m);
  check_against_fast_form(on, textbook_form, [&](processor& me) {
    return lockstep::multiway_merge(me, mine(me), shape, by_key);
  });
  sorts::records merged;
  for (auto const& part : on.run(textbook_form).results())
    merged.insert(merged.end(), part.begin(), part.end());
  sorts::records all;
  for (auto const& list : lists) all.insert(all.end(), list.begin(), list.end());
  CHECK(merged == sorts::stably_sorted(all));
}

TEST_CASE("textbook: merging refuses what the fast forms refuse") {
  auto const refused = [](machine const& on, auto const& program) {
    return refusal_of<lockstep::invalid_argument>(on, program);
  };
  CHECK_THAT(refused(strict_cube(1),
                     [](processor& me) {
                       return textbook::merge(me, std::vector{1, 2}, 1);
                     }),
             has_text("merge"));
  CHECK_THAT(refused(strict_cube(2),
                     [](processor& me) {
                       return textbook::merge(me, std::vector{2, 1}, 2);
                     }),
             has_text("sorted"));
  CHECK_THAT(
      refused(strict_cube(0), [](processor& me) { return textbook::merge(me, std::vector{1}, 1); }),
      has_text("processor"));
  CHECK_THAT(refused(strict_cube(3),
                     [](processor& me) {
                       return textbook::multiway_merge(me, std::vector<int>{}, {1, 1, 2});
                     }),
             has_text("2l + m"));
  CHECK_THAT(refused(strict_cube(2),
                     [](processor& me) {
                       return textbook::multiway_merge(me, std::vector{1}, {1, 1, 0});
                     }),
             has_text("row 0"));
  CHECK_THAT(refused(strict_cube(1),
                     [](processor& me) {
                       return textbook::merge_sort(me, std::vector{1, 2}, 1);
                     }),
             has_text("merge sort"));
}
