#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/sorting/merge.hpp>
#include <lockstep/algorithms/sorting/merge_sort.hpp>
#include <lockstep/algorithms/sorting/multiway_merge.hpp>
#include <lockstep/algorithms/sorting/multiway_merge_sort.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"

// What Mayr and Plaxton 1989 print of merging and sorting in section 4, and the same put right.

using lockstep::hypercube;
using lockstep::machine;
using lockstep::ports;
using lockstep::processor;
using lockstep::routed;
namespace merging = lockstep::detail;

namespace {

using int_set = std::vector<int>;

constexpr lockstep::machine_options strict_all_ports{.ports = ports::all, .strict = true};

/// Tokens 0 .. 15 of two ascending lists on 8 processors.
int_set const tokens_of_x{0, 1, 3, 7, 8, 12, 13, 14};
int_set const tokens_of_y{2, 4, 5, 6, 9, 10, 11, 15};

/// Merge's step 2 as it is printed: processor q plays q and q + p of a bitonic merge of 2p.
std::array<int, 2> printed_bitonic_merge(processor& me, std::array<int, 2> played, int dimensions) {
  if (played[1] < played[0]) std::swap(played[0], played[1]);
  for (int b = dimensions; b-- > 0;)
    for (auto& value : played) {
      int const other = me.exchange(me.rank() ^ (1 << b), value);
      value = (me.rank() >> b & 1) == 0 ? std::min(value, other) : std::max(value, other);
    }
  return played;
}

/// Merges this processor's tokens in two slots, and sends ranks back: of x and of y.
std::array<int, 2> ranks_after_step_3(processor& me) {
  auto const here = index(me.rank());
  merging::two_sets<int> tokens{int_set{tokens_of_x[here]}, int_set{tokens_of_y[7 - here]}};
  auto const swaps = merging::merge_slots(me, tokens, std::less<>{});
  return merging::unmerge_slots(me, std::array{2 * me.rank(), 2 * me.rank() + 1}, swaps);
}

/// A processor's part with these sets from others; nothing if they are found not to suffice.
int_set part_with(std::vector<merging::token_set<int>> const& own, int_set const& x_before,
                  int_set const& y_after) {
  try {
    return merging::part_of_merged(own, x_before, y_after, std::less<>{});
  } catch (lockstep::invalid_argument const&) {
    return {};
  }
}

using listed_int = merging::listed<int>;

/// As it is printed, "merge the lists X^i and X^j": of equal elements those of the row's own list
/// come first.
struct own_list_first {
  std::uint32_t row;

  bool operator()(listed_int const& a, listed_int const& b) const {
    if (a.value != b.value) return a.value < b.value;
    bool const a_is_other = a.list != row;
    bool const b_is_other = b.list != row;
    if (a_is_other != b_is_other) return b_is_other;
    return a.index < b.index;
  }
};

/// MergeSort of a value of each of 8 processors. `mirrored`: whether Merge numbers the processors of
/// a descending subcube from the last on.
int_set sorted_by_merges(bool mirrored) {
  machine const on{hypercube{3}, strict_all_ports};
  auto const run = on.run([&](processor& me) {
    std::vector set{listed_int{.value = 7 - me.rank() * 5 % 8}};
    for (int i = 0; i < 3; ++i) {
      auto part = me.subset(merging::successive_dimensions(0, i + 1));
      merging::merge_sort_level level(i, 3, me.rank());
      if (!mirrored) level.descends = false;
      set = merging::merge_on_whole(part, level.set_of(set, part.rank()), level.x_list(), {.k = 1},
                                    merging::listed_before<std::less<>>{}, level.flip());
    }
    return set.front().value;
  });
  return run.results();
}

double calls_value(std::string const& formula, int k, int l, int m) {
  return lockstep::claim_list({{{"k", k}, {"l", l}, {"m", m}}}).value(formula);
}

}  // namespace

TEST_CASE("Mayr and Plaxton 9: two processors played by one leave token j in j mod p", "[errata]") {
  machine const on{hypercube{3}, {.strict = true}};
  auto const printed = on.run([](processor& me) {
    auto const here = index(me.rank());
    return printed_bitonic_merge(me, {tokens_of_x[here], tokens_of_y[7 - here]}, 3);
  });
  auto const mended = on.run([](processor& me) {
    auto const here = index(me.rank());
    merging::two_sets<int> tokens{int_set{tokens_of_x[here]}, int_set{tokens_of_y[7 - here]}};
    static_cast<void>(merging::merge_slots(me, tokens, std::less<>{}));
    return std::array{tokens[0].front(), tokens[1].front()};
  });
  for (int q = 0; q < 8; ++q) {
    CHECK(printed.results()[index(q)] == std::array{q, q + 8});
    CHECK(mended.results()[index(q)] == std::array{2 * q, 2 * q + 1});
  }
  CHECK(printed.counts().steps == 6);
  CHECK(mended.counts().steps == 3);
}

TEST_CASE("Mayr and Plaxton 9: after step 3 Y's ranks are where step 1 had sent the tokens",
          "[errata]") {
  machine const on{hypercube{3}, {.strict = true}};
  auto const printed = on.run(ranks_after_step_3);
  auto const mended = on.run([](processor& me) {
    std::vector<int> rank_of_y{ranks_after_step_3(me)[1]};
    merging::reverse_processors(me, rank_of_y);
    return rank_of_y.front();
  });
  for (int i = 0; i < 8; ++i) {
    CHECK(printed.results()[index(i)][0] == tokens_of_x[index(i)]);
    CHECK(printed.results()[index(i)][1] == tokens_of_y[index(7 - i)]);
    CHECK(mended.results()[index(i)] == tokens_of_y[index(i)]);
  }
  CHECK(mended.counts().steps == printed.counts().steps + 3);
}

TEST_CASE("Mayr and Plaxton 10: up to two sets of X go to one processor", "[errata]") {
  machine const on{hypercube{3}, strict_all_ports};
  constexpr std::size_t k = 5;
  auto const printed = [](processor& me) {
    std::vector<routed<int>> const set(k, {me.rank(), tokens_of_x[index(me.rank())] / 2});
    return lockstep::inverse_concentrate(me, std::span<routed<int> const>(set)).size();
  };
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(on, printed), has_text("meet in processor 0"));
  auto const mended = on.run([](processor& me) {
    std::vector<routed<int>> const set(k, {me.rank(), tokens_of_x[index(me.rank())]});
    return lockstep::inverse_concentrate_two(me, std::span<routed<int> const>(set)).front();
  });
  CHECK(mended.results()[0] == std::array{std::optional(0), std::optional(1)});
  CHECK(mended.counts().steps == k + 3 - 1);  // and not 2k + 2 log p
}

TEST_CASE(
    "Mayr and Plaxton 11: of two sets of X in a processor the larger is broadcast, and to "
    "the last processor",
    "[errata]") {
  // On two processors X_0 and X_1 go to processor 0, and Y_0 and Y_1 to processor 1.
  int_set const x0{1, 3};
  int_set const x1{5, 20};
  std::vector<merging::token_set<int>> const own{{{7, 15}, false}, {{16, 30}, false}};
  int_set const wanted{15, 16, 20, 30};
  CHECK(part_with(own, x1, {}) == wanted);
  CHECK(part_with(own, x0, {}) != wanted);  // the range 0 + 1 .. 0 of X_0 is empty
  CHECK(part_with(own, {}, {}) != wanted);  // X_1 has the range 0 + 1 .. j_2, and there is no j_2
}

TEST_CASE(
    "Mayr and Plaxton 11: of two sets of Y in a processor the smaller is broadcast, and to "
    "the first processor",
    "[errata]") {
  int_set const y0{2, 15};
  int_set const y1{16, 30};
  std::vector<merging::token_set<int>> const own{{{1, 3}, true}, {{5, 20}, true}};
  int_set const wanted{1, 2, 3, 5};
  CHECK(part_with(own, {}, y0) == wanted);
  CHECK(part_with(own, {}, y1) != wanted);
  CHECK(part_with(own, {}, {}) != wanted);
}

TEST_CASE("Mayr and Plaxton 11: the first processor receives no set of X, the last none of Y",
          "[errata]") {
  machine const on{hypercube{2}, strict_all_ports};
  auto const run = on.run([](processor& me) {
    lockstep::prefix_schedule const schedule(me.topology(), lockstep::pipelined_scheme::fft,
                                             ports::all);
    int_set const mine{me.rank()};
    auto const before = merging::nearest_set_before(me, mine, 1, schedule, true);
    auto const after = merging::nearest_set_before(me, mine, 1, schedule, false);
    return std::array{before.empty() ? -1 : before.front(), after.empty() ? -1 : after.front()};
  });
  CHECK(run.results() == std::vector<std::array<int, 2>>{{-1, 1}, {0, 2}, {1, 3}, {2, -1}});
}

TEST_CASE("Mayr and Plaxton 12: only step 4 needs all ports if prefixes are by halving",
          "[errata]") {
  constexpr std::uint64_t k = 32;
  auto const steps = [](lockstep::pipelined_scheme scheme) {
    machine const on{hypercube{5}, {.ports = ports::one}};
    return on
        .run([&](processor& me) {
          lockstep::prefix_schedule const schedule(me.topology(), scheme);
          int_set const mine(k, me.rank());
          static_cast<void>(merging::nearest_set_before(me, mine, k, schedule, true));
        })
        .counts()
        .steps;
  };
  CHECK(steps(lockstep::pipelined_scheme::inorder) > 5 * k);
  CHECK(steps(lockstep::pipelined_scheme::halving) < 2 * k + 4 * 5);
}

TEST_CASE("Mayr and Plaxton 13: Y's sets are routed from descending processors", "[errata]") {
  machine const on{hypercube{4}, strict_all_ports};
  auto const records = [](processor const& me) {  // Y_i is at 2p - 1 - i
    std::vector<routed<int>> set(3);
    auto const i = index(15 - me.rank());
    if (i < 8)
      for (auto& word : set) word = {static_cast<int>(i), tokens_of_y[i]};
    return set;
  };
  auto const run = on.run([&](processor& me) {
    return lockstep::inverse_concentrate(me, std::span<routed<int> const>(records(me))).front();
  });
  for (std::size_t i = 0; i < 8; ++i) CHECK(run.results()[index(tokens_of_y[i])] == i);
  CHECK(run.counts().steps == 3 + 4 - 1);
  // What is said of processors 0, 1, 2, ... does not hold for these in another order.
  auto const ascending = [&](processor& me) {
    std::vector<routed<int>> set(3);
    if (me.rank() >= 8)
      for (auto& word : set) word = {0, tokens_of_y[index(me.rank() - 8)]};
    static_cast<void>(lockstep::concentrate(me, std::span<routed<int> const>(set)));
  };
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(on, ascending), has_text("meet in processor"));
}

TEST_CASE("Mayr and Plaxton 14: ranks go back by a concentration of two in a processor",
          "[errata]") {
  machine const on{hypercube{2}, strict_all_ports};
  auto const back = [](merging::crossing order) {
    return [order](processor& me) {
      // Processors 2 and 3 have two elements each, which were in processors 0 to 3.
      std::vector<lockstep::routed_pair<int>> mine(1);
      int const first = 2 * me.rank() - 4;
      if (first >= 0) mine[0] = {routed<int>{first, first}, routed<int>{first + 1, first + 1}};
      auto const held =
          merging::fix_bits_of_two(me, order, lockstep::route::concentration, 0, mine);
      return held[0][0].is_there() ? held[0][0].value : held[0][1].value;
    };
  };
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(on, back(merging::crossing::downwards)),
             has_text("in processor 2 both have to cross dimension 1"));
  CHECK(on.run(back(merging::crossing::upwards)).results() == int_set{0, 1, 2, 3});
}

TEST_CASE(
    "Mayr and Plaxton 14: a rank in X^j is that in X^i and X^j less that in X^i, and not in X",
    "[errata]") {
  int_set const own{1, 4};
  int_set const other{2, 3};
  int_set all{1, 2, 3, 4};
  auto const rank_in = [](int_set const& list, int value) {
    return std::ranges::lower_bound(list, value) - list.begin();
  };
  for (int const value : own) {
    auto const in_both = rank_in(all, value);
    CHECK(in_both - rank_in(own, value) == rank_in(other, value));
    CHECK(in_both - rank_in(all, value) == 0);  // of two lists X is both
  }
  CHECK(rank_in(other, 4) == 2);
}

TEST_CASE("Mayr and Plaxton 14: blocks have 2^m processors", "[errata]") {
  int const l = 1;
  int const m = 2;
  int const columns = 1 << (l + m);
  CHECK(columns / (1 << m) == 1 << l);  // one for each list
  CHECK(columns / (1 << l) != 1 << l);
}

TEST_CASE("Mayr and Plaxton 15: lists are ordered alike in the merges of i and j, and j and i",
          "[errata]") {
  machine const on{hypercube{3}, strict_all_ports};  // two lists of two sets
  auto const set_of_processor = [](processor const& me) {
    std::vector<listed_int> set;
    for (std::uint64_t t = 0; me.rank() < 4 && t < 2; ++t)
      set.push_back({.value = 7,
                     .list = static_cast<std::uint32_t>(me.rank() / 2),
                     .index = static_cast<std::uint64_t>(me.rank() % 2) * 2 + t});
    return set;
  };
  CHECK(refusal_of<lockstep::invalid_argument>(
            on,
            [&](processor& me) {
              own_list_first const before{static_cast<std::uint32_t>(me.rank() / 4)};
              static_cast<void>(merging::multiway_merge_sets(me, set_of_processor(me),
                                                             {.k = 2, .l = 1, .m = 1}, before));
            }) ==
        "gather: two processors have a value of the same index; give each index one value in "
        "all");
  auto const mended = on.run([&](processor& me) {
    return merging::multiway_merge_sets(me, set_of_processor(me), {.k = 2, .l = 1, .m = 1},
                                        merging::listed_before<std::less<>>{});
  });
  for (int column = 0; column < 4; ++column)
    for (std::size_t t = 0; t < 2; ++t) {
      auto const& one = mended.results()[index(column)][t];
      CHECK(one.list * 4 + one.index == index(column) * 2 + t);
    }
}

TEST_CASE("Mayr and Plaxton 16: the calls' times do not add up to (14k + 4l + 12m)m/l",
          "[errata]") {
  for (int k = 1; k <= 9; k += 4)
    for (int l = 1; l <= 4; ++l)
      for (int calls = 1; calls <= 6; ++calls) {
        int const m = calls * l;
        auto const value = [&](std::string const& formula) {
          return calls_value(formula, k, l, m);
        };
        auto const from_0 = value("sum of 14k + 5l + 19il, i = 0 .. m/l - 1");
        auto const from_1 = value("sum of 14k + 5l + 19il, i = 1 .. m/l");
        auto const printed = value("(14k + 4l + 12m)m/l");
        CHECK(from_0 == value("(14k + 9.5m - 4.5l)m/l"));
        CHECK(from_1 == value("(14k + 14.5l + 9.5m)m/l"));
        CHECK(printed != from_0);
        CHECK(printed != from_1);
      }
  CHECK(14 + 9.5 == 47 / 2.0);  // the paper's factor for k = log p
}

TEST_CASE("Mayr and Plaxton 16: the last call merges fewer lists where l does not divide m",
          "[errata]") {
  lockstep::multiway_sort_plan const plan(7, 16, 3);
  CHECK(plan.calls().back().l == 1);
  machine const on{hypercube{7}, strict_all_ports};
  auto const run = on.run([&](processor& me) {
    int_set const mine(me.rank() < 16 ? 1U : 0U, 16 - me.rank());
    return multiway_merge_sort(me, mine, plan);
  });
  for (int rank = 0; rank < 16; ++rank) CHECK(run.results()[index(rank)] == int_set{rank + 1});
  // A call of 8 lists where there are 2 would need 2^(3 + 3) columns of row 0, which has 16.
  CHECK(1 << (plan.calls().back().m + plan.l()) > 1 << plan.m());
}

TEST_CASE("Mayr and Plaxton 17: a descending subcube needs the mirrored merge", "[errata]") {
  int_set sorted(8);
  std::iota(sorted.begin(), sorted.end(), 0);
  CHECK(sorted_by_merges(true) == sorted);
  std::optional<int_set> printed;
  try {
    printed = sorted_by_merges(false);
  } catch (lockstep::processor_failed const&) {  // a list that is not sorted
  }
  CHECK(printed != sorted);
}

TEST_CASE("Mayr and Plaxton 18: n = kp is not covered, nor is one processor", "[errata]") {
  CHECK_FALSE(std::isfinite(calls_value("(14k + 4l + 12m)m/l", 4, 0, 3)));  // l = log(pk/n) = 0
  lockstep::multiway_sort_plan const plan(3, 32, 0);
  CHECK(plan.calls().empty());
  auto const sort = [](lockstep::multiway_sort_plan const& by) {
    return machine{hypercube{by.d()}, strict_all_ports}.run([&](processor& me) {
      return multiway_merge_sort(me, int_set{4 - me.rank(), 3, 2, 1 - me.rank()}, by);
    });
  };
  auto const by_merge_sort = sort(plan);
  CHECK(by_merge_sort.results()[0] == int_set{-6, -5, -4, -3});
  CHECK(by_merge_sort.counts().steps == 4 * 4 * 3 + 3 * 9 - 3);
  auto const alone = sort(lockstep::multiway_sort_plan(0, 4, 0));
  CHECK(alone.results()[0] == int_set{1, 2, 3, 4});
  CHECK(alone.counts().steps == 0);
}
