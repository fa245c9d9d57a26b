#include <lockstep/algorithms/sorting/rotate_sort.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "sorting/zeros_and_ones.hpp"

using lockstep::rotate_sort;
using lockstep::rotate_sort_options;
using lockstep::slice_rows;

namespace {

constexpr std::array slice_places{slice_rows::spread, slice_rows::whole, slice_rows::copied};

/// Sorts records below `keys`, which lie in full columns.
auto rotate_records(int p, std::size_t rows, unsigned keys, rotate_sort_options const& options,
                    std::uint64_t packet = 1) {
  auto const n = rows * static_cast<std::size_t>(p);
  auto const all = sorts::records_below(keys, n);
  auto sorted = sorts::run_sort(
      sorts::strict_crossbar(p, {.packet = packet}), all, sorts::sizes_in_columns(n, rows, p),
      [&](lockstep::processor& me, sorts::records mine) {
        return rotate_sort(me, std::move(mine), n, sorts::key_is_less{}, options);
      });
  CHECK(sorts::are_sorted(sorted.all, all));
  return sorted;
}

/// The columns that rotate sort makes of n elements.
std::size_t rotate_rows(std::size_t n, int p) {
  return lockstep::detail::plan_of_rotate_sort(n, p, {}).rows();
}

/// Sorts columns of zeros and ones with these options.
auto rotate_zeros_and_ones(rotate_sort_options const& options) {
  return [=](lockstep::processor& me, std::vector<std::uint8_t> const& column) {
    auto const n = column.size() * static_cast<std::size_t>(me.size());
    return rotate_sort(me, column, n, std::less<>{}, options);
  };
}

/// Zeros and ones at random: columns of one kind, columns that differ little, and others.
std::vector<columns::ones_of_columns> random_ones(int p, std::size_t rows, int inputs) {
  std::mt19937_64 random(rows);
  std::vector<columns::ones_of_columns> all(static_cast<std::size_t>(inputs));
  for (std::size_t i = 0; i < all.size(); ++i)
    for (int column = 0; column < p; ++column)
      all[i].push_back(i % 3 == 0   ? random() % (rows + 1)
                       : i % 3 == 1 ? random() % 2 * rows
                                    : std::min<std::size_t>(rows, rows / 2 + random() % 3));
  return all;
}

/// Zeros in the columns after steps 3 and 5.
struct zeros_watch {
  std::size_t after_3 = 0;
  std::size_t after_5 = 0;
  int local_sorts = 0;

  void after_step(int step, std::vector<std::uint8_t> const& column) {
    auto const zeros = static_cast<std::size_t>(std::ranges::count(column, 0));
    (step == 3 ? after_3 : after_5) = zeros;
  }
  void after_step(int step,
                  std::vector<lockstep::detail::element_of_column<std::uint8_t>> const& column) {
    after_step(step, lockstep::detail::elements_in<std::uint8_t>(column));
  }
  void local_sort() { ++local_sorts; }
};

/// The most dirty rows of zeros and ones, over inputs.
struct most_dirty_rows {
  std::size_t after_3 = 0;
  std::size_t after_5 = 0;
};

most_dirty_rows dirty_rows_of(int p, std::vector<columns::ones_of_columns> const& inputs,
                              std::size_t rows) {
  auto const run = sorts::strict_crossbar(p).run([&](lockstep::processor& me) {
    std::vector<zeros_watch> watched(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      std::vector<std::uint8_t> column(rows);
      auto const ones = inputs[i][static_cast<std::size_t>(me.rank())];
      std::fill_n(column.begin(), ones, 1);
      static_cast<void>(
          lockstep::detail::watched_rotate_sort(me, column, rows * static_cast<std::size_t>(p),
                                                std::less<>{}, {.shears = 0}, watched[i]));
    }
    return watched;
  });
  most_dirty_rows most;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    auto const dirty = [&](std::size_t zeros_watch::*zeros) {
      auto const by_zeros = [&](auto const& watched) { return watched[i].*zeros; };
      auto const [least, largest] = std::ranges::minmax_element(run.results(), {}, by_zeros);
      return by_zeros(*largest) - by_zeros(*least);
    };
    most.after_3 = std::max(most.after_3, dirty(&zeros_watch::after_3));
    most.after_5 = std::max(most.after_5, dirty(&zeros_watch::after_5));
  }
  return most;
}

std::vector<columns::ones_of_columns> all_ones(int p, std::size_t rows) {
  std::vector<columns::ones_of_columns> all;
  columns::for_all_ones(p, rows, [&](auto const& ones) { all.push_back(ones); });
  return all;
}

}  // namespace

TEST_CASE("rotate sort sorts all zeros and ones on 2 and 4 processors", "[sorting]") {
  for (auto const slices : slice_places) {
    auto const sort = rotate_zeros_and_ones({.slices = slices});
    for (std::size_t const rows : {1U, 2U, 3U, 4U, 7U, 12U})
      CHECK(columns::unsorted_of_all(2, rows, sort) == 0);
    for (std::size_t const rows : {2U, 4U}) CHECK(columns::unsorted_of_all(4, rows, sort) == 0);
  }
  CHECK(columns::unsorted_of_all(4, 6, rotate_zeros_and_ones({})) == 0);
}

TEST_CASE("rotate sort sorts zeros and ones on 8, 9 and 16 processors", "[sorting]") {
  for (int const p : {8, 9, 16})
    for (std::size_t const times : {1U, 2U}) {
      auto const rows = rotate_rows(static_cast<std::size_t>(p * p), p) * times;
      auto const inputs = random_ones(p, rows, 60);
      CHECK(columns::unsorted_inputs(p, inputs, rows, rotate_zeros_and_ones({})) == 0);
    }
}

TEST_CASE("rotate sort sorts zeros and ones on any number of processors", "[sorting]") {
  for (auto const slices : slice_places) {
    auto const sort = rotate_zeros_and_ones({.slices = slices});
    for (std::size_t const rows : {1U, 2U, 5U, 9U})
      CHECK(columns::unsorted_of_all(3, rows, sort) == 0);
    CHECK(columns::unsorted_of_all(5, 3, sort) == 0);
    CHECK(columns::unsorted_of_all(6, 2, sort) == 0);
    for (int const p : {5, 6, 7, 10, 12, 13, 18, 24})
      for (std::size_t const share : {1U, 2U, 5U}) {
        auto const rows = rotate_rows(static_cast<std::size_t>(p) * share, p);
        INFO("p = " << p << ", q = " << rows);
        CHECK(columns::unsorted_inputs(p, random_ones(p, rows, 60), rows, sort) == 0);
      }
  }
  // One SHEAR less is too few for some of them.
  CHECK(lockstep::rotate_sort_shears(9, 3) == 2);
  CHECK(lockstep::rotate_sort_shears(100, 13) == 4);
  CHECK(columns::unsorted_of_all(3, 9, rotate_zeros_and_ones({.shears = 0})) > 0);
}

TEST_CASE("blocks of rotate sort are the divisors of p that are nearest to its root", "[sorting]") {
  auto const rows = [](int p) { return lockstep::rotate_sort_blocks(p).rows; };
  CHECK(rows(1) == 1);
  CHECK(rows(13) == 1);
  CHECK(rows(12) == 3);
  CHECK(rows(16) == 4);
  CHECK(rows(32) == 4);
  for (int const p : {1, 2, 4, 8, 9, 16, 25, 32}) CHECK(lockstep::rotate_sort_leaves_few_rows(p));
  for (int const p : {3, 6, 12, 18}) CHECK_FALSE(lockstep::rotate_sort_leaves_few_rows(p));
}

TEST_CASE("the original rotate sort sorts all zeros and ones, and records", "[sorting]") {
  for (auto const slices : slice_places) {
    auto const sort = rotate_zeros_and_ones({.slices = slices, .original = true});
    for (std::size_t const rows : {2U, 4U}) CHECK(columns::unsorted_of_all(2, rows, sort) == 0);
    CHECK(columns::unsorted_of_all(4, 4, sort) == 0);
    for (int const p : {8, 9, 16})
      for (std::size_t const times : {1U, 3U}) {
        auto const rows = static_cast<std::size_t>(p) * times;
        if (rows % lockstep::rotate_sort_blocks(p).rows != 0) continue;
        CHECK(columns::unsorted_inputs(p, random_ones(p, rows, 40), rows, sort) == 0);
      }
  }
  for (std::uint64_t const packet : {1U, 3U}) {
    auto const sorted = rotate_records(16, 64, 500, {.packet = packet, .original = true}, packet);
    CHECK(sorted.counts().startups == 14);
    CHECK(sorted.counts().rounds == 14 * 15);
    // 12 permutations like transpositions, and UNBLOCK twice: 3 messages of 16 elements
    CHECK(sorted.counts().words ==
          (packet == 1 ? 12 * 15 * 4 + 2 * 3 * 16 : 12 * 15 * 6 + 2 * 3 * 18));
  }
  auto const once = rotate_records(4, 24, 50, {.shears = 1, .original = true});
  CHECK(once.counts().startups == 10);
  CHECK(columns::unsorted_of_all(4, 4, rotate_zeros_and_ones({.shears = 0, .original = true})) > 0);
  CHECK_THROWS_AS(lockstep::detail::plan_of_rotate_sort(24, 4, {.original = true}),
                  lockstep::invalid_argument);
}

TEST_CASE("rotate sort needs SHEAR, less often than the paper asks for", "[sorting]") {
  CHECK(lockstep::rotate_sort_shears(4, 4) == 3);   // n = p^2
  CHECK(lockstep::rotate_sort_shears(24, 4) == 1);  // n = 6p^2
  CHECK(lockstep::rotate_sort_shears(23, 4) == 2);
  CHECK(lockstep::rotate_sort_shears(0, 4) == 0);
  CHECK(columns::unsorted_of_all(4, 4, rotate_zeros_and_ones({.shears = 0})) > 0);
  CHECK(columns::unsorted_of_all(4, 4, rotate_zeros_and_ones({.shears = 1})) == 0);
  auto const inputs = random_ones(8, 48, 90);
  CHECK(columns::unsorted_inputs(8, inputs, 48, rotate_zeros_and_ones({.shears = 0})) > 0);
  CHECK(columns::unsorted_inputs(8, inputs, 48, rotate_zeros_and_ones({.shears = 1})) == 0);
}

TEST_CASE("few rows are dirty after steps 3 and 5 of rotate sort", "[sorting]") {
  for (std::size_t const rows : {4U, 6U}) {
    auto const most = dirty_rows_of(4, all_ones(4, rows), rows);
    CHECK(most.after_3 == 2);
    CHECK(most.after_5 == 2);
  }
  auto const of_8 = dirty_rows_of(8, random_ones(8, 8, 240), 8);
  CHECK(of_8.after_3 <= 4);
  CHECK(of_8.after_5 <= 2);
  auto const of_16 = dirty_rows_of(16, random_ones(16, 16, 90), 16);
  CHECK(of_16.after_3 <= 4);
  CHECK(of_16.after_5 <= 3);
  CHECK(of_16.after_5 > 0);
}

TEST_CASE("rotate sort costs what is claimed", "[sorting]") {
  int exact = 0;
  for (int const p : {1, 2, 3, 4, 6, 8, 9, 12, 16})
    for (std::size_t const rows : {0U, 4U, 12U, 16U, 36U, 48U, 64U})
      for (std::uint64_t const packet : {1U, 5U, 100U})
        for (auto const slices :
             {slice_rows::spread, slice_rows::whole, slice_rows::copied, slice_rows::cheapest}) {
          auto const n = rows * static_cast<std::size_t>(p);
          INFO("p = " << p << ", q = " << rows << ", m = " << packet);
          rotate_sort_options const options{
              .rows = rows, .slices = slices, .packet = packet, .tau = 16};
          auto const counts = rotate_records(p, rows, 1000, options, packet).counts();
          auto const claims = lockstep::rotate_sort_claims({p, 16, packet}, n, options);
          sorts::check_claims(claims, counts);
          for (auto const& claimed : claims)
            if (claimed.figure == "words" && claimed.bound == lockstep::comparison::equal) ++exact;
        }
  CHECK(exact > 60);
}

TEST_CASE("slices of rotate sort turn in g - 1 rounds among the g processors that share one",
          "[sorting]") {
  auto const rounds = [](int p, std::size_t n, std::uint64_t packet) {
    rotate_sort_options const spread{.slices = slice_rows::spread};
    return rotate_records(p, n / static_cast<std::size_t>(p), 99, spread, packet).counts().rounds;
  };
  CHECK(rounds(16, 256, 1) == 12 * 15 + 3);     // slices of 4 rows, one in each processor
  CHECK(rounds(64, 16'384, 8) == 10 * 63 + 1);  // slices of 8 rows, 4 in each processor
  CHECK(rounds(16, 16 * 4, 1) == 16 * 15 + 3);  // a row in every fourth processor
}

TEST_CASE("every pair that shares a slice of rotate sort meets once", "[sorting]") {
  for (int const p : {2, 4, 8, 9, 16, 32, 36, 64})
    for (std::size_t const rows : {6U, 8U, 12U, 16U, 24U, 36U, 40U, 48U, 72U, 100U, 120U, 200U}) {
      auto const plan = lockstep::detail::plan_of_rotate_sort(rows * static_cast<std::size_t>(p), p,
                                                              {.slices = slice_rows::spread});
      lockstep::detail::slice_turns const turns(plan);
      INFO("p = " << p << ", q = " << plan.rows() << ", " << turns.rounds() << " rounds");
      CHECK(turns.rounds() < p);
      CHECK((turns.rounds() > 0) == plan.has_cut_slices());
      std::vector<int> met(static_cast<std::size_t>(p * p));
      for (int round = 0; round < turns.rounds(); ++round)
        for (int rank = 0; rank < p; ++rank) {
          auto const [to, from] = turns.in_round(rank, round);
          CHECK((to < 0) == (from < 0));
          if (to < 0) continue;
          CHECK(turns.in_round(to, round).from == rank);
          ++met[static_cast<std::size_t>(rank * p + to)];
        }
      auto const a = plan.block_rows();
      auto const slice_of = [&](std::size_t row) { return row / a; };
      for (int one = 0; one < p; ++one)
        for (int other = 0; other < p; ++other) {
          auto const has = [&](int rank, std::size_t row) {
            return plan.slice_rows_before(rank) <= row && row < plan.slice_rows_before(rank + 1);
          };
          bool shared = false;
          for (std::size_t row = 0; one != other && row < plan.rows(); ++row)
            for (std::size_t second = slice_of(row) * a; second < (slice_of(row) + 1) * a; ++second)
              shared = shared || (has(one, row) && has(other, second));
          auto const times = met[static_cast<std::size_t>(one * p + other)];
          CHECK(times <= 1);
          if (shared) CHECK(times == 1);
        }
    }
}

TEST_CASE("rotate sort takes the cheapest place for slices, as runs of all three say",
          "[sorting]") {
  std::map<slice_rows, int> chosen;
  for (int const p : {4, 8, 16, 25})
    for (std::size_t const rows : {4U, 10U, 16U, 48U})
      for (std::uint64_t const packet : {1U, 8U})
        for (std::uint64_t const tau : {1U, 16U, 1000U}) {
          auto const n = rows * static_cast<std::size_t>(p);
          INFO("p = " << p << ", n = " << n << ", m = " << packet << ", tau = " << tau);
          auto const time = [&](slice_rows slices) {
            rotate_sort_options const options{.slices = slices, .packet = packet, .tau = tau};
            auto const counts = rotate_records(p, rows, 1000, options, packet).counts();
            return counts.startups * tau + counts.words;
          };
          auto const of_spread = time(slice_rows::spread);
          auto const of_whole = time(slice_rows::whole);
          auto const of_copied = time(slice_rows::copied);
          CHECK(time(slice_rows::cheapest) == std::min({of_spread, of_whole, of_copied}));
          auto const choice = lockstep::choose_slice_rows(n, p, {.packet = packet, .tau = tau});
          CHECK(choice.whole_time - choice.spread_time ==
                static_cast<double>(of_whole) - static_cast<double>(of_spread));
          CHECK(choice.copied_time - choice.spread_time ==
                static_cast<double>(of_copied) - static_cast<double>(of_spread));
          ++chosen[choice.rows];
        }
  for (auto const slices : slice_places) CHECK(chosen[slices] >= 5);
}

TEST_CASE("rotate sort takes a phase more where slices are cut", "[sorting]") {
  auto const startups = [](int p, std::size_t rows, rotate_sort_options const& options = {}) {
    return rotate_records(p, rows, 99, options).counts().startups;
  };
  CHECK(startups(16, 16) == 13);  // n = p^2: three shears, and rows of a slice in 4 processors
  CHECK(startups(16, 16, {.tau = 1000}) == 12);
  CHECK(startups(16, 16, {.slices = slice_rows::whole}) == 12);
  CHECK(startups(16, 16, {.slices = slice_rows::copied}) == 12);
  CHECK(startups(16, 64) == 10);  // n = p^2.5
  CHECK(startups(4, 24) == 8);    // n = 6p^2
  CHECK(startups(4, 8) == 10);
}

TEST_CASE("rotate sort refuses other processors, sizes and options", "[sorting]") {
  auto const refusal = [](int p, std::size_t here, std::size_t n,
                          rotate_sort_options const& options = {}) {
    return refusal_of<lockstep::invalid_argument>(
        sorts::strict_crossbar(p), [&](lockstep::processor& me) {
          return rotate_sort(me, std::vector<int>(here), n, std::less<>{}, options);
        });
  };
  CHECK_THAT(
      refusal(12, 12, 144, {.original = true}),
      has_text(
          "12 processors are neither a square nor a power of two; leave options.original out"));
  CHECK_THAT(refusal(4, 5, 16), has_text("rotate_sort: processor 0 holds 5 of 16 elements, more"));
  CHECK_THAT(refusal(4, 3, 16), has_text("rotate_sort: processor 0 holds 3 of 16 elements, but"));
  CHECK_THAT(refusal(4, 4, 16, {.shears = -1}), has_text("SHEAR cannot be done -1 times"));
  CHECK_THAT(refusal(4, 4, 16, {.slices = slice_rows{9}}),
             has_text("slice_rows is 9: take one of slice_rows::spread, slice_rows::whole, "
                      "slice_rows::copied, slice_rows::cheapest"));
  CHECK_THAT(refusal(4, 4, 16, {.packet = 0}), has_text("packets of 0 elements; give at least 1"));
}

TEST_CASE("the example of rotate sort gives what it says", "[sorting]") {
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const run = machine.run([](lockstep::processor& me) {
    std::vector<int> mine;
    for (int i = 0; i < 24; ++i) mine.push_back(i * 7 % 24 * 4 + 3 - me.rank());
    return lockstep::rotate_sort(me, mine, 96);
  });
  CHECK(run.results()[3][0] == 72);
  CHECK(run.counts().startups == 8);
  CHECK(run.counts().words == 144);
}
