#include <lockstep/algorithms/sorting/column_sort.hpp>
#include <lockstep/algorithms/sorting/rotate_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "sorting/zeros_and_ones.hpp"

using lockstep::column_sort;
using lockstep::column_sort_options;
using lockstep::processor;

namespace {

auto sort_records(lockstep::machine const& on, sorts::records const& all,
                  sorts::block_sizes const& sizes, column_sort_options const& options) {
  return sorts::run_sort(on, all, sizes, [&](processor& me, sorts::records mine) {
    return column_sort(me, std::move(mine), all.size(), sorts::key_is_less{}, options);
  });
}

/// Sorts columns of zeros and ones, however short they are.
auto const sort_zeros_and_ones = [](processor& me, std::vector<std::uint8_t> const& column) {
  auto const n = column.size() * static_cast<std::size_t>(me.size());
  return column_sort(me, column, n, std::less<>{}, {.below_bound = true});
};

std::size_t unsorted_at(int p, std::size_t rows) {
  return columns::unsorted_of_all(p, rows, sort_zeros_and_ones);
}

/// Whether one input, given by the ones in each column, ends unsorted.
bool stays_unsorted(columns::ones_of_columns const& ones, std::size_t rows) {
  auto const p = static_cast<int>(ones.size());
  return columns::unsorted_inputs(p, {ones}, rows, sort_zeros_and_ones) == 1;
}

/// The numbers before `end` that are `residue` mod p.
std::size_t numbers_before(std::size_t end, std::size_t residue, std::size_t p) {
  return (end + p - 1 - residue) / p;
}

/// Whether column sort sorts those zeros and ones, by counting the ones of each column after each
/// step: in a sorted column they are the last.
bool is_sorted_by_counts(columns::ones_of_columns ones, std::size_t rows) {
  auto const p = ones.size();
  columns::ones_of_columns written(p);
  for (std::size_t j = 0; j < p; ++j)  // step 2: numbers jq + r, of which L mod p go to a column
    for (std::size_t to = 0; to < p; ++to)
      written[to] +=
          numbers_before((j + 1) * rows, to, p) - numbers_before((j + 1) * rows - ones[j], to, p);
  ones.assign(p, 0);
  for (std::size_t j = 0; j < p; ++j)  // step 4: numbers rp + j, of which L / q go to a column
    for (std::size_t to = 0; to < p; ++to) {
      auto const first = std::max(numbers_before(to * rows, j, p), rows - written[j]);
      auto const end = numbers_before((to + 1) * rows, j, p);
      ones[to] += end > first ? end - first : 0;
    }
  auto const half = rows / 2;
  auto const in_last_half = [&](std::size_t j) { return std::min(ones[j], half); };
  bool any_ones = false;
  bool sorted = true;
  auto const goes_on = [&](std::size_t ones_here, std::size_t elements) {
    sorted = sorted && (!any_ones || ones_here == elements);
    any_ones = any_ones || ones_here > 0;
  };
  auto top = ones[0] - in_last_half(0);
  for (std::size_t j = 0; j < p; ++j) {  // steps 6 to 8, between columns j and j + 1
    goes_on(top, rows - half);
    auto const above = j + 1 < p ? ones[j + 1] - in_last_half(j + 1) : rows - half;
    auto const moved = in_last_half(j) + above;
    auto const back = moved - std::min(moved, rows - half);
    goes_on(back, half);
    top = moved - back;
  }
  return sorted;
}

}  // namespace

TEST_CASE("column sort sorts all zeros and ones in columns of 2(p - 1)^2", "[sorting]") {
  for (std::size_t rows = 2; rows <= 9; ++rows) CHECK(unsorted_at(2, rows) == 0);
  for (std::size_t rows = 8; rows <= 10; ++rows) CHECK(unsorted_at(3, rows) == 0);
}

TEST_CASE("column sort fails in shorter columns", "[sorting][sanitize]") {
  CHECK(stays_unsorted({4, 4, 1}, 6));
  CHECK(stays_unsorted({13, 9, 1, 1}, 16));
  CHECK(stays_unsorted({21, 21, 16, 1, 16}, 30));
  CHECK(stays_unsorted({57, 57, 50, 36, 29, 15, 1}, 70));
  CHECK_FALSE(stays_unsorted({4, 4, 1}, 8));
  CHECK(unsorted_at(3, 6) > 0);  // 2p(p - 2), the longest of multiples of p
  CHECK(unsorted_at(3, 9) == 0);
  CHECK(unsorted_at(3, 7) == 0);  // what p does not divide does better
}

TEST_CASE("column sort of 4 columns fails in 16 rows at most", "[sorting]") {
  auto const unsorted = [](std::size_t rows) {
    std::size_t count = 0;
    columns::for_all_ones(4, rows, [&](auto const& ones) {
      if (!is_sorted_by_counts(ones, rows)) ++count;
    });
    return count;
  };
  CHECK(unsorted(12) > 0);
  CHECK(unsorted(16) > 0);
  for (std::size_t const rows : {13U, 14U, 15U, 17U, 18U, 20U}) {
    INFO(rows << " rows");
    CHECK(unsorted(rows) == 0);
  }
}

TEST_CASE("column sort fails for the inputs that counting its zeros and ones tells", "[sorting]") {
  std::vector<columns::ones_of_columns> inputs;
  std::size_t expected = 0;
  std::size_t number = 0;
  columns::for_all_ones(4, 16, [&](auto const& ones) {
    bool const fails = !is_sorted_by_counts(ones, 16);
    if (!fails && number++ % 40 != 0) return;
    inputs.push_back(ones);
    expected += fails ? 1U : 0U;
  });
  CHECK(inputs.size() > 1000);
  CHECK(expected > 0);
  CHECK(columns::unsorted_inputs(4, inputs, 16, sort_zeros_and_ones) == expected);
}

TEST_CASE("sorts in columns are stable where they are asked to be, or columns are filled up",
          "[sorting][sanitize]") {
  auto const check = [](auto const& sort, int p, std::size_t rows) {
    bool disordered = false;
    for (std::size_t const more : {0U, 1U, 2U}) {
      auto const n = rows * static_cast<std::size_t>(p) - more;
      auto const all = sorts::records_below(4, n);
      auto const on = sorts::strict_crossbar(p);
      auto const run = [&](bool stable) {
        return sorts::run_sort(on, all, sorts::sizes_in_columns(n, rows, p),
                               [&](processor& me, sorts::records mine) {
                                 return sort(me, std::move(mine), n, stable);
                               });
      };
      auto const stable = run(true);
      auto const plain = run(false);
      auto const expected = sorts::stably_sorted(all);
      CHECK(stable.all == expected);
      CHECK(plain.counts() == stable.counts());  // a place costs no word
      if (more > 0) CHECK(plain.all == expected);
      if (more == 0) disordered = plain.all != expected;
      CHECK(sorts::are_sorted(plain.all, all));
    }
    return disordered;
  };
  int disordered = 0;
  for (int const p : {2, 3, 4}) {
    auto const rows = lockstep::column_sort_rows(p) + 4;
    auto const sort = [rows](processor& me, sorts::records mine, std::size_t n, bool stable) {
      return column_sort(me, std::move(mine), n, sorts::key_is_less{},
                         {.rows = rows, .stable = stable});
    };
    disordered += check(sort, p, rows) ? 1 : 0;
  }
  CHECK(disordered > 0);
  disordered = 0;
  for (int const p : {2, 4, 8}) {
    auto const sort = [](processor& me, sorts::records mine, std::size_t n, bool stable) {
      return rotate_sort(me, std::move(mine), n, sorts::key_is_less{},
                         {.rows = 12, .stable = stable});
    };
    disordered += check(sort, p, 12) ? 1 : 0;
  }
  CHECK(disordered > 0);
}

TEST_CASE("column sort costs what is claimed", "[sorting]") {
  for (int const p : {1, 2, 3, 4, 6})
    for (std::size_t const more : {0U, 1U, 5U})
      for (std::uint64_t const packet : {1U, 4U, 100U}) {
        auto const each = static_cast<std::size_t>(p);
        auto const rows = (lockstep::column_sort_rows(p) / each + 1) * each + more;
        auto const n = rows * each;
        INFO("p = " << p << ", q = " << rows << ", m = " << packet);
        auto const all = sorts::records_below(1000, n);
        auto const counts = sort_records(sorts::strict_crossbar(p, {.packet = packet}), all,
                                         sorts::sizes_in_columns(n, rows, p), {})
                                .counts();
        auto const claims = lockstep::column_sort_claims({p, 16, packet}, n);
        CHECK(claims.size() >= 5);
        // Of other rows than multiples of p, two of the paper's claims are not made.
        CHECK(sorts::check_claims(claims, counts) == (rows % each == 0 ? 0 : 2));
      }
  auto const of_4 =
      sort_records(sorts::strict_crossbar(4, {.packet = 8}), sorts::records_below(9, 80),
                   sorts::sizes_in_columns(80, 20, 4), {})
          .counts();
  CHECK(of_4.startups == 4);
  CHECK(of_4.rounds == 8);
  CHECK(of_4.words == 2 * 3 * 8 + 2 * 16);
}

TEST_CASE("column sort runs on a part of the machine", "[sorting]") {
  auto const run = sorts::strict_crossbar(6).run([](processor& me) {
    std::vector<int> const members = me.rank() < 3 ? std::vector{2, 1, 0} : std::vector{3, 5, 4};
    auto part = me.subset(members);
    std::vector<int> mine;
    for (int i = 0; i < 8; ++i) mine.push_back(100 - 10 * i + me.rank());
    return column_sort(part, mine, 24);
  });
  CHECK(run.results()[2] == std::vector{30, 31, 32, 40, 41, 42, 50, 51});
  CHECK(run.results()[4] == std::vector{84, 85, 93, 94, 95, 103, 104, 105});
}

TEST_CASE("column sort refuses short columns and other sizes", "[sorting]") {
  auto const refusal = [](int p, std::size_t here, std::size_t n,
                          column_sort_options const& options = {}) {
    return refusal_of<lockstep::invalid_argument>(sorts::strict_crossbar(p), [&](processor& me) {
      return column_sort(me, std::vector<int>(here), n, std::less<>{}, options);
    });
  };
  CHECK(refusal(4, 17, 68) ==
        "column_sort: columns of 17 elements on 4 processors may end unsorted; columns of 2(p - "
        "1)^2 = 18 never do; take 72 elements or fewer processors, fill columns up to that length, "
        "or allow shorter ones: --below-bound on the command line, below_bound in C++");
  CHECK(refusal(2, 3, 4) ==
        "column_sort: processor 0 holds 3 of 4 elements, more than the 2 that a column has room "
        "for; deal them out evenly, or give options.rows");
  CHECK(refusal(2, 1, 4) ==
        "column_sort: processor 0 holds 1 of 4 elements, but n/p is 2; deal them out evenly, or "
        "give more than n/p as options.rows, to have columns filled up");
}

TEST_CASE("the example of column sort gives what it says", "[sorting]") {
  lockstep::machine const machine{lockstep::crossbar{3}};
  auto const run = machine.run([](processor& me) {
    std::vector<int> mine;
    for (int i = 0; i < 9; ++i) mine.push_back(i * 7 % 9 * 3 + 2 - me.rank());
    return lockstep::column_sort(me, mine, 27);
  });
  CHECK(run.results()[1] == std::vector{9, 10, 11, 12, 13, 14, 15, 16, 17});
  CHECK(run.counts().startups == 4);
  CHECK(run.counts().words == 20);
}

TEST_CASE("claims of sorts in columns need a processor and packets of a word", "[sorting]") {
  for (lockstep::bdm_machine const& on : {lockstep::bdm_machine{.p = 0, .tau = 16, .packet = 1},
                                          lockstep::bdm_machine{.p = 4, .tau = 16, .packet = 0}}) {
    CHECK_THROWS_AS(lockstep::column_sort_claims(on, 4), lockstep::invalid_argument);
    CHECK_THROWS_AS(lockstep::rotate_sort_claims(on, 4, {}), lockstep::invalid_argument);
  }
}

TEST_CASE("rotate sort and column sort refuse a message that was sent before the call") {
  lockstep::machine const on(lockstep::crossbar{2});
  auto const refused = [&](auto const& sort) {
    return refusal_of<lockstep::size_mismatch>(on, [&](processor& me) {
      if (me.rank() == 0) me.send(1, std::vector<int>());
      return sort(me, std::vector<int>(8, me.rank()));
    });
  };
  auto const text = has_text("processor 1 gets 4 elements where 8 belong");
  CHECK_THAT(refused([](processor& me, auto mine) { return lockstep::rotate_sort(me, mine, 16); }),
             text);
  CHECK_THAT(refused([](processor& me, auto mine) { return lockstep::column_sort(me, mine, 16); }),
             text);
}
