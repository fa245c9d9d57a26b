#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <lockstep/algorithms/sorting/column_sort.hpp>
#include <lockstep/algorithms/sorting/radix_sort.hpp>
#include <lockstep/algorithms/sorting/rotate_sort.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"

// What JaJa and Ryu 1994 print of sorting (section 5.1), and the same put right.

using lockstep::machine;
using lockstep::processor;
using lockstep::slice_rows;

namespace {

machine strict_crossbar_of(int p) { return machine(lockstep::crossbar{p}, {.strict = true}); }

/// Column sort with the permutations of steps 2 and 4 in that order.
template <class Step2, class Step4>
std::vector<int> column_sort_by(processor& me, std::vector<int> column, Step2 const& step_2,
                                Step4 const& step_4) {
  namespace steps = lockstep::detail;
  std::less<> const less;
  std::ranges::sort(column);
  column = steps::merged(step_2(me, std::span<int const>(column)), less);
  column = steps::merged(step_4(me, std::span<int const>(column)), less);
  return steps::sort_across_columns(me, std::span<int const>(column), less);
}

/// Whether q p numbers end sorted that stand in reversed order.
template <class Sort>
bool sorts_reversed(int p, int q, Sort const& sort) {
  auto const run = strict_crossbar_of(p).run([&](processor& me) {
    std::vector<int> column;
    for (int i = 0; i < q; ++i) column.push_back(p * q - me.rank() * q - i);
    return sort(me, column);
  });
  std::vector<int> all;
  for (auto const& block : run.results()) all.insert(all.end(), block.begin(), block.end());
  return std::ranges::is_sorted(all);
}

auto const lemma_3_3 = [](processor& me, std::span<int const> column) {
  return lockstep::detail::written_by_columns(me, column);
};
auto const its_inverse = [](processor& me, std::span<int const> column) {
  return lockstep::detail::written_by_rows(me, column);
};

/// The start-ups of a rotate sort of n numbers on p processors, and whether they end sorted.
struct rotated {
  std::uint64_t startups = 0;
  std::uint64_t words = 0;
  bool sorted = false;
};

rotated rotate(int p, std::size_t n, lockstep::rotate_sort_options const& options = {}) {
  auto const run = strict_crossbar_of(p).run([&](processor& me) {
    std::vector<int> column;
    for (std::size_t i = 0; i < n / static_cast<std::size_t>(p); ++i)
      column.push_back(static_cast<int>(i * 37 % 101) - me.rank());
    return lockstep::rotate_sort(me, column, n, std::less<>{}, options);
  });
  std::vector<int> all;
  for (auto const& block : run.results()) all.insert(all.end(), block.begin(), block.end());
  return {run.counts().startups, run.counts().words, std::ranges::is_sorted(all)};
}

/// The bound of Theorem 5.3 and of the remark after it, for packets of a word.
std::uint64_t bound_of_theorem_5_3(int p, std::uint64_t n, std::uint64_t tau) {
  auto const size = static_cast<std::uint64_t>(p);
  auto const shears = static_cast<std::uint64_t>(
      lockstep::rotate_sort_shears(static_cast<std::size_t>(n) / size, p));
  return (6 + 2 * shears) * (tau + n / size + size);
}

/// The time of a rotate sort that ran, where a start-up takes that of `tau` words.
std::uint64_t time_of(rotated const& run, std::uint64_t tau) {
  CHECK(run.sorted);
  return run.startups * tau + run.words;
}

/// The time of a rotate sort as it is claimed.
double claimed_time(int p, std::size_t n, std::uint64_t tau, lockstep::slice_rows slices) {
  lockstep::rotate_sort_options const options{.slices = slices, .tau = tau};
  auto const claims = lockstep::rotate_sort_claims({p, tau, 1}, n, options);
  auto const claimed = [&](std::string const& figure) {
    // Those of the paper come first.
    auto const found =
        std::ranges::find(claims.rbegin(), claims.rend(), figure, &lockstep::claim::figure);
    REQUIRE(found != claims.rend());
    CHECK(found->bound == lockstep::comparison::equal);
    return found->value();
  };
  return claimed("startups") * static_cast<double>(tau) + claimed("words");
}

}  // namespace

TEST_CASE("JaJa Ryu 3: 8 permutations of rotate sort need n >= p^2.5, or longer slices",
          "[errata]") {
  // As printed, k = 6 + 2 ceil(log2(1 + 6p^2/n)) permutations, so at most k(tau + n/p + pm).
  auto const square = rotate(16, 256);  // n = p^2: k = 12
  CHECK(square.startups == 13);
  CHECK(time_of(square, 1000) == 13'192);
  CHECK(bound_of_theorem_5_3(16, 256, 1000) == 12'384);
  // Where n >= p^2.5, a multiple of it, slices lie in one processor each.
  auto const enough = rotate(16, 1024);
  CHECK(enough.startups == 10);
  CHECK(time_of(enough, 1000) <= bound_of_theorem_5_3(16, 1024, 1000));
  // Whole slices need no phase more, but a slice's words twice, and copied ones once.
  auto const whole = rotate(16, 256, {.slices = slice_rows::whole});
  CHECK(whole.startups == 12);
  CHECK(whole.words == 10 * 15 + 2 * 15 * 4);
  CHECK(time_of(whole, 1000) <= bound_of_theorem_5_3(16, 256, 1000));
  auto const copied = rotate(16, 256, {.slices = slice_rows::copied});
  CHECK(copied.startups == 12);
  CHECK(copied.words == 11 * 15 + 15 * 4);
  CHECK(time_of(copied, 1000) <= bound_of_theorem_5_3(16, 256, 1000));
}

TEST_CASE(
    "JaJa Ryu 3: on 64 processors copied slices keep the remark after Theorem 5.3, the others do "
    "not",
    "[errata]") {
  // p^2 <= n < 6p^2, p a power of four, packets of a word: all that the remark asks for.
  CHECK(bound_of_theorem_5_3(64, 4096, 1000) == 13'536);
  CHECK(time_of(rotate(64, 4096), 1000) == 13'812);
  CHECK(time_of(rotate(64, 4096, {.slices = slice_rows::whole}), 1000) == 13'638);
  CHECK(time_of(rotate(64, 4096, {.slices = slice_rows::copied}), 1000) == 13'197);
}

TEST_CASE("JaJa Ryu 3: on 256 processors no way of slicing keeps the remark after Theorem 5.3",
          "[errata]") {
  CHECK(bound_of_theorem_5_3(256, 65'536, 4000) == 54'144);
  CHECK(time_of(rotate(256, 65'536), 4000) == 55'300);
  CHECK(time_of(rotate(256, 65'536, {.slices = slice_rows::whole}), 4000) == 58'710);
  CHECK(time_of(rotate(256, 65'536, {.slices = slice_rows::copied}), 4000) == 54'885);
}

TEST_CASE(
    "JaJa Ryu 3: n >= 6p^2 is not enough for 8 permutations of n/p elements from 256 processors on",
    "[errata]") {
  // n = 8p^2: 8 rows for each processor, 16 in a slice.
  constexpr std::size_t n = 8 * 256 * 256;
  CHECK(bound_of_theorem_5_3(256, n, 2000) == 34'432);
  CHECK(claimed_time(256, n, 2000, slice_rows::spread) == 35'344);
  CHECK(claimed_time(256, n, 2000, slice_rows::whole) == 36'400);
  CHECK(claimed_time(256, n, 2000, slice_rows::copied) == 34'360);
  using holders = lockstep::detail::rotate_plan::slice_holders;
  CHECK(lockstep::detail::rotate_plan(8 * 256, 256, 16, holders::by_rows).has_cut_slices());
  CHECK_FALSE(lockstep::detail::rotate_plan(16 * 256, 256, 16, holders::by_rows).has_cut_slices());
}

TEST_CASE("JaJa Ryu 3: on 1,024 processors no way of slicing keeps Theorem 5.3", "[errata]") {
  constexpr std::size_t n = 8 * 1024 * 1024;
  CHECK(claimed_time(1024, n, 10'000, slice_rows::spread) == 161'616);
  CHECK(claimed_time(1024, n, 10'000, slice_rows::whole) == 194'576);
  CHECK(claimed_time(1024, n, 10'000, slice_rows::copied) == 170'024);
  auto const claims = lockstep::rotate_sort_claims({1024, 10'000, 1}, n);
  auto const time = std::ranges::find(claims, "time", &lockstep::claim::figure);
  REQUIRE(time != claims.end());
  CHECK(time->source == "JaJa and Ryu 1994, Theorem 5.3");
  CHECK(time->value() == 153'728);
  CHECK(time->where.size() == 2);
  for (auto const& one : time->where) CHECK(one.is_met());
}

TEST_CASE("JaJa Ryu 4: step 2 of column sort is the inverse of Lemma 3.3, step 4 the lemma",
          "[errata]") {
  for (int const p : {2, 3, 4})
    for (int q = std::max(3, 2 * (p - 1) * (p - 1)); q < 2 * p * p + 4; ++q) {
      INFO("p = " << p << ", q = " << q);
      CHECK(sorts_reversed(p, q, [](processor& me, std::vector<int> const& column) {
        return column_sort_by(me, column, its_inverse, lemma_3_3);
      }));
      CHECK_FALSE(sorts_reversed(p, q, [](processor& me, std::vector<int> const& column) {
        return column_sort_by(me, column, lemma_3_3, its_inverse);
      }));
    }
}

TEST_CASE("JaJa Ryu 14: a pass of radix sort needs the ranks of keys as well as a routing",
          "[errata]") {
  constexpr std::size_t keys_of_each = 64;
  auto const run = strict_crossbar_of(8).run([&](processor& me) {
    std::vector<std::uint32_t> keys;
    for (std::size_t i = 0; i < keys_of_each; ++i)
      keys.push_back(static_cast<std::uint32_t>(i * 2654435761U) ^
                     static_cast<std::uint32_t>(me.rank()));
    return lockstep::radix_sort(me, keys, std::identity{}, {.radix = 256});
  });
  std::uint64_t routing = 0;  // what (b/r) T_comm counts
  std::uint64_t ranking = 0;
  for (auto const& phase : run.phases()) {
    bool const routes = phase.name == "route 1" || phase.name == "route 2";
    (routes ? routing : ranking) += phase.startups;
  }
  constexpr std::uint64_t passes = 4;
  CHECK(routing == 2 * passes);
  CHECK(ranking == 2 * passes);  // one at least in each pass, for sums over all processors
  CHECK(run.counts().startups == routing + ranking);
}
