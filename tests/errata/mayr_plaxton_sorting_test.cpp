#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/algorithms/routing/msbt.hpp>
#include <lockstep/algorithms/sorting/merge.hpp>
#include <lockstep/algorithms/sorting/merge_sort.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "strict_all_ports.hpp"

// What Mayr and Plaxton 1989 print of routes, merging and MergeSort in section 4, and the same put
// right.

using lockstep::hypercube;
using lockstep::machine;
using lockstep::ports;
using lockstep::processor;
using lockstep::routed;
namespace merging = lockstep::detail;

namespace {

using int_set = std::vector<int>;

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

/// MergeSort of a value of each of 8 processors. `mirrored`: whether Merge numbers the processors of
/// a descending subcube from the last on.
auto merge_sort_of_8(bool mirrored) {
  return [mirrored](processor& me) {
    std::vector set{listed_int{.value = 7 - me.rank() * 5 % 8}};
    for (int i = 0; i < 3; ++i) {
      auto part = me.subset(merging::successive_dimensions(0, i + 1));
      merging::merge_sort_level level(i, 3, me.rank());
      if (!mirrored) level.descends = false;
      set = merging::merge_on_whole(part, level.set_of(set, part.rank()), level.x_list(), {.k = 1},
                                    merging::listed_before<std::less<>>{}, level.flip());
    }
    return set.front().value;
  };
}

/// A sequence of up to 16 ranks of less than 16, one after the other: joined in this order.
struct rank_sequence {
  std::uint64_t ranks = 0;
  unsigned count = 0;
};

rank_sequence joined(rank_sequence const& a, rank_sequence const& b) {
  return {a.ranks << 4U * b.count | b.ranks, a.count + b.count};
}

std::vector<int> ranks_of(rank_sequence const& sequence) {
  std::vector<int> ranks;
  for (unsigned i = sequence.count; i-- > 0;)
    ranks.push_back(static_cast<int>(sequence.ranks >> 4U * i & 15U));
  return ranks;
}

/// The steps of k routes of 5 records from the first processors on, to every third one, and back.
std::vector<std::uint64_t> steps_of_routes(int d, std::size_t k) {
  machine const on{hypercube{d}, strict_all_ports};
  auto const steps = [&](auto const& route_of) {
    return on.run([&](processor& me) { return route_of(me).size(); }).counts().steps;
  };
  auto const records = [k](bool is_there, int value, int destination) {
    std::vector<routed<int>> mine(k);
    if (is_there)
      for (auto& one : mine) one = {value, destination};
    return mine;
  };
  return {steps([&](processor& me) {
            auto const mine = records(me.rank() < 5, me.rank(), 3 * me.rank());
            return lockstep::inverse_concentrate(me, std::span<routed<int> const>(mine));
          }),
          steps([&](processor& me) {
            bool const is_there = me.rank() < 15 && me.rank() % 3 == 0;
            auto const mine = records(is_there, me.rank(), me.rank() / 3);
            return lockstep::concentrate(me, std::span<routed<int> const>(mine));
          })};
}

/// The steps of k broadcasts and of k sums, on one port.
std::vector<std::uint64_t> steps_of_trees(int d, std::size_t k, lockstep::msbt_scheme scheme) {
  machine const on{hypercube{d}, {.strict = true}};
  return {on.run([&](processor& me) {
              std::vector<int> packets(k, me.rank());
              lockstep::msbt_broadcast(me, std::span(packets), 0, scheme);
            })
              .counts()
              .steps,
          on.run([&](processor& me) {
              std::vector<int> const values(k, me.rank());
              static_cast<void>(
                  lockstep::msbt_sum(me, std::plus<>{}, std::span<int const>(values), 0, scheme));
            })
              .counts()
              .steps};
}

}  // namespace

TEST_CASE("Mayr and Plaxton 8: routes, broadcasts and sums take k + log p steps less one",
          "[errata]") {
  using steps = std::vector<std::uint64_t>;
  for (int const d : {4, 6})
    for (std::size_t const k : {1U, 2U, 9U, 32U}) {
      auto const dimensions = static_cast<std::uint64_t>(d);
      CHECK(steps_of_routes(d, k) == steps(2, k + dimensions - 1));
      CHECK(steps_of_trees(d, k, lockstep::msbt_scheme::optimal) == steps(2, k + dimensions - 1));
      CHECK(steps_of_trees(d, k, lockstep::msbt_scheme::plain) == steps(2, k + dimensions));
    }
}

TEST_CASE("Mayr and Plaxton 8: sums in binomial trees need a commutative operator", "[errata]") {
  machine const on{hypercube{3}, {.strict = true}};
  auto const summed = on.run([](processor& me) {
    std::vector<rank_sequence> const mine(5, {static_cast<unsigned>(me.rank()), 1});
    return lockstep::msbt_sum(me, joined, std::span<rank_sequence const>(mine));
  });
  int_set in_order(8);
  std::iota(in_order.begin(), in_order.end(), 0);
  REQUIRE(summed.results()[0].size() == 5);
  for (auto const& sequence : summed.results()[0]) {
    auto ranks = ranks_of(sequence);
    CHECK(ranks != in_order);
    std::ranges::sort(ranks);
    CHECK(ranks == in_order);  // each once
  }
  auto const prefixes = on.run([](processor& me) {
    lockstep::monoid const join{rank_sequence{}, joined};
    return lockstep::prefix(me, join, rank_sequence{static_cast<unsigned>(me.rank()), 1});
  });
  CHECK(ranks_of(prefixes.results()[7]) == in_order);
}

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

TEST_CASE("Mayr and Plaxton 13: 2p tokens on 2p processors are merged in log 2p steps",
          "[errata]") {
  auto const steps_of_step_2 = [](int d) {  // with 2p = 2^d
    machine const on{hypercube{d}, {.strict = true}};
    return on
        .run([](processor& me) {
          int_set token{me.rank() < me.size() / 2 ? me.rank() : me.size() - me.rank()};
          static_cast<void>(merging::merge_sets(me, token, std::less<>{}));
        })
        .counts()
        .steps;
  };
  for (int const d : {1, 3, 5})
    CHECK(steps_of_step_2(d) == static_cast<std::uint64_t>(d));  // and not log p = d - 1
  auto const steps_of_merge = [](std::size_t k) {                // 6k + 12 log p is 6k
    machine const on{hypercube{1}, strict_all_ports};
    return on
        .run([k](processor& me) {
          static_cast<void>(lockstep::merge(
              me, int_set(k, me.rank()), {.k = k, .prefix = lockstep::pipelined_scheme::halving}));
        })
        .counts()
        .steps;
  };
  CHECK(steps_of_merge(1) == 8);
  CHECK(steps_of_merge(2) == 10);
  for (std::size_t const k : {2U, 3U, 8U}) CHECK(steps_of_merge(k) <= 6 * k);
}

TEST_CASE("Mayr and Plaxton 17: a descending subcube needs the mirrored merge", "[errata]") {
  machine const on{hypercube{3}, strict_all_ports};
  int_set sorted(8);
  std::iota(sorted.begin(), sorted.end(), 0);
  CHECK(on.run(merge_sort_of_8(true)).results() == sorted);
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(on, merge_sort_of_8(false)),
             has_text("a list is not sorted"));
}
