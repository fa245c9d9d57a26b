#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/algorithms/routing/msbt.hpp>
#include <lockstep/algorithms/routing/two_record_routes.hpp>
#include <lockstep/algorithms/sorting/multiway_merge.hpp>
#include <lockstep/algorithms/sorting/multiway_merge_sort.hpp>
#include <lockstep/claim_list.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "strict_all_ports.hpp"

// What Mayr and Plaxton 1989 print of merging and sorting by several ways in section 4, and the same
// put right.

using lockstep::hypercube;
using lockstep::machine;
using lockstep::processor;
using lockstep::routed;
namespace merging = lockstep::detail;

namespace {

using int_set = std::vector<int>;
using listed_int = merging::listed<int>;

/// How steps 4 and 5 of MultiWayMerge are read, for two lists of four sets: l = 1, m = 2.
struct reading_of_ranks {
  bool subtracts_rank_in_x = false;  ///< of an element, and not that in its list
  int block_of_step_4 = 2;           ///< log2 of its processors
  int block_of_step_5 = 2;
};

constexpr std::array<std::array<int, 4>, 2> two_lists{{{1, 4, 5, 8}, {2, 3, 6, 7}}};

/// The element of a list on the processor of that number.
std::vector<listed_int> element_of(int list, int number) {
  return {{.value = two_lists.at(index(list)).at(index(number)),
           .list = static_cast<std::uint32_t>(list),
           .index = static_cast<std::uint64_t>(number)}};
}

/// Steps 3 and 4 on a block of another list than the row's: the rank that comes to this processor.
int rank_in_other_list(processor& me, int row, int block, reading_of_ranks const& as) {
  auto part = me.subset(merging::successive_dimensions(0, 2));
  auto const merged = merging::merge_on_half(
      part, element_of(row, part.rank()), element_of(block, part.rank()),
      static_cast<std::uint32_t>(row), {.k = 1}, merging::listed_before<std::less<>>{});
  std::vector<lockstep::routed_pair<int>> records(1);
  int in_both = 2 * part.rank();
  for (auto const& one : merged) {
    int const here = in_both++;
    if (one.list != static_cast<std::uint32_t>(row)) continue;
    auto const in_own = static_cast<int>(one.index);
    int const in_x = one.value - 1;  // X has 1, 2, .. 8
    auto& free = records[0][0].is_there() ? records[0][1] : records[0][0];
    free = {here - (as.subtracts_rank_in_x ? in_x : in_own), in_own};
  }
  auto block_of_step_4 = me.subset(merging::successive_dimensions(0, as.block_of_step_4));
  auto const came = lockstep::concentrate_two(block_of_step_4,
                                              std::span<lockstep::routed_pair<int> const>(records));
  return came.front().value();
}

/// Steps 3 to 5 on two rows of two blocks of four processors.
auto ranks_in_x(reading_of_ranks const& as) {
  return [as](processor& me) {
    int const row = me.rank() >> 3;
    int const block = me.rank() >> 2 & 1;
    int const rank = row == block ? me.rank() & 3 : rank_in_other_list(me, row, block, as);
    auto across = me.subset(merging::successive_dimensions(as.block_of_step_5, 1));
    auto const sums =
        lockstep::msbt_sum(across, std::plus<>{}, std::span<int const>(std::array{rank}));
    return sums.empty() ? -1 : sums.front();
  };
}

/// What the first blocks of both rows come to.
std::vector<int_set> ranks_in_first_blocks(reading_of_ranks const& as) {
  machine const on{hypercube{4}, strict_all_ports};
  auto const ranks = on.run(ranks_in_x(as)).results();
  return {{ranks.begin(), ranks.begin() + 4}, {ranks.begin() + 8, ranks.begin() + 12}};
}

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

/// The steps of MultiWayMergeSort's calls of MultiWayMerge, in a run.
std::vector<std::uint64_t> steps_of_calls(lockstep::multiway_sort_plan const& plan) {
  machine const on{hypercube{plan.d()}, strict_all_ports};
  auto const run = on.run([&](processor& me) {
    auto const mine = lockstep::even_block(plan.n(), me.size(), me.rank()).count;
    return multiway_merge_sort(me, int_set(static_cast<std::size_t>(mine), -me.rank()), plan);
  });
  std::vector<std::uint64_t> steps;
  for (auto const& phase : run.phases())
    if (phase.name.starts_with("3: ")) steps.push_back(phase.steps);
  return steps;
}

double calls_value(std::string const& formula, int k, int l, int m) {
  return lockstep::claim_list({{{"k", k}, {"l", l}, {"m", m}}}).value(formula);
}

}  // namespace

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
  CHECK(ranks_in_first_blocks({}) == std::vector<int_set>{{0, 3, 4, 7}, {1, 2, 5, 6}});
  // Of two lists X is both, so that as printed nothing is left.
  CHECK(ranks_in_first_blocks({.subtracts_rank_in_x = true}) ==
        std::vector<int_set>{{0, 1, 2, 3}, {0, 1, 2, 3}});
}

TEST_CASE("Mayr and Plaxton 14: blocks have 2^m processors", "[errata]") {
  machine const on{hypercube{4}, strict_all_ports};
  // Ranks in a list of four sets go back to four processors, and a block of 2^l has two.
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(on, ranks_in_x({.block_of_step_4 = 1})),
             has_text("destination 2 of a record of instance 0 is not a rank; hypercube:1"));
  // The first processors of blocks of 2^l add ranks of different elements.
  CHECK(ranks_in_first_blocks({.block_of_step_5 = 1}) ==
        std::vector<int_set>{{0 + 2, 1 + 3, -1, -1}, {1 + 3, 1 + 3, -1, -1}});
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

TEST_CASE(
    "Mayr and Plaxton 16: the calls add up to (14k - 4.5l + 9.5m)m/l, of which the printed is an "
    "upper bound",
    "[errata]") {
  for (int const k : {1, 4})
    for (int l = 1; l <= 3; ++l)
      for (int calls = 1; l + calls * l <= 6; ++calls) {
        int const m = calls * l;
        auto const value = [&](std::string const& formula) {
          return calls_value(formula, k, l, m);
        };
        auto const measured = steps_of_calls({l + m, index(k << m), l});
        REQUIRE(measured.size() == index(calls));
        double stated = 0;
        for (int i = 0; i < calls; ++i) {
          INFO("k = " << k << ", l = " << l << ", m = " << m << ", call " << i);
          auto const own = i == 0 ? 5 * k + 5 * l - 5 : 10 * k + 5 * l + 10 * i * l - 10;
          CHECK(measured[index(i)] == index(own));
          auto const of_call = 14 * k + 5 * l + 19 * i * l;
          CHECK(measured[index(i)] <= index(of_call));
          stated += of_call;
        }
        CHECK(stated == value("(14k + 9.5m - 4.5l)m/l"));
        CHECK(stated <= value("(14k + 4l + 12m)m/l"));
        CHECK(value("sum of 14k + 5l + 19il, i = 1 .. m/l") == value("(14k + 14.5l + 9.5m)m/l"));
        CHECK(value("(14k + 14.5l + 9.5m)m/l") != value("(14k + 4l + 12m)m/l"));
      }
  CHECK(14 + 9.5 == 47 / 2.0);  // the paper's factor for k = log p
}

TEST_CASE("Mayr and Plaxton 16: for m < l there is a whole call, and not m/l of one", "[errata]") {
  for (int const k : {64, 200}) {
    lockstep::multiway_sort_plan const plan(4, index(2 * k), 3);
    CHECK(plan.m() == 1);
    auto const measured = steps_of_calls(plan);
    REQUIRE(measured.size() == 1);
    auto const steps = static_cast<double>(measured[0]);
    CHECK(steps > calls_value("(14k + 4l + 12m)m/l", k, 3, 1));
    CHECK(steps <= calls_value("14k + 4l + 12m", k, 3, 1));
  }
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
  // A call of 8 lists of as many sets needs 2^(2l + m) processors, more than there are.
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(
                 on,
                 [&](processor& me) {
                   static_cast<void>(lockstep::multiway_merge(
                       me, int_set{}, {.k = 1, .l = plan.l(), .m = plan.calls().back().m}));
                 }),
             has_text("l = 3 and m = 3 need a hypercube of 2l + m dimensions"));
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

TEST_CASE("Mayr and Plaxton 19: costs of the steps exceed the lower order terms", "[errata]") {
  double before = 0;
  for (double const loglog_p : {16, 64, 256, 480}) {
    INFO("p = 2^2^" << loglog_p);
    double const log_p = std::exp2(loglog_p);
    double const error = std::pow(log_p / loglog_p, 2);
    double const k = log_p / loglog_p;
    double const l = std::log2(k);
    double const m = log_p - l;  // n = p
    double const calls = (14 * k - 4.5 * l + 9.5 * m) * m / l;
    double const in_errors = (calls - 9.5 * log_p * log_p / loglog_p) / error;
    CHECK(in_errors > 9.5 * std::log2(loglog_p));
    CHECK(in_errors > before);
    before = in_errors;
    double const own_calls = (10 * k + 5 * m) * m / l;
    CHECK(own_calls < 9.5 * log_p * log_p / loglog_p);

    // k = log p, n = sqrt(p): l = log(pk/n), and step 2 takes k log k.
    double const longer_l = log_p / 2 + loglog_p;
    double const leading = 23.5 * log_p * log_p / longer_l;
    CHECK(leading <= 47 * log_p);
    CHECK(log_p * std::log2(log_p) / leading > loglog_p / 48);
  }
}
