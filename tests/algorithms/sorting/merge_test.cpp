#include <lockstep/algorithms/sorting/merge.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <random>
#include <vector>

#include <lockstep/judgement.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "core/machines.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "sorting/sort_runs.hpp"

using lockstep::claim_verdict;
using lockstep::hypercube;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::merge_lists;
using lockstep::merge_options;
using lockstep::pipelined_scheme;
using lockstep::ports;
using lockstep::processor;

namespace {

using item_list = sorts::wide_records;

constexpr machine_options merging_machine{.ports = ports::all, .strict = true, .workers = 1};

constexpr auto larger_key = [](auto const& a, auto const& b) { return a.key > b.key; };

item_list list_of(std::vector<int> const& values, int first_number = 0) {
  return sorts::with_numbers<sorts::wide_record>(values, first_number);
}

/// All variants.
std::vector<merge_options> all_ways(std::size_t k) {
  std::vector<merge_options> ways;
  for (bool const fused : {false, true})
    for (auto const prefix : {pipelined_scheme::fft, pipelined_scheme::halving})
      ways.push_back({.k = k, .fused = fused, .prefix = prefix});
  return ways;
}

/// Merges two descending lists, and compares where each element is, and the steps.
lockstep::counts check_merged(int d, merge_lists lists, merge_options const& how,
                              item_list const& x, item_list const& y,
                              machine_options options = merging_machine) {
  machine const on{hypercube{d}, options};
  auto const p = index(on.size());
  auto const run = on.run([&](processor& me) {
    auto const i = index(me.rank());
    if (lists == merge_lists::half)
      return lockstep::merge(me, sorts::set_of(x, i, how.k), sorts::set_of(y, i, how.k), how,
                             larger_key);
    return lockstep::merge(
        me, 2 * i < p ? sorts::set_of(x, i, how.k) : sorts::set_of(y, p - 1 - i, how.k), how,
        larger_key);
  });
  auto const expected = sorts::stably_sorted(sorts::joined<sorts::wide_record>({x, y}), larger_key);
  int wrong = 0;
  for (std::size_t i = 0; i < p; ++i)
    if (run.results()[i] !=
        sorts::set_of(expected, i, lists == merge_lists::half ? 2 * how.k : how.k))
      ++wrong;
  INFO("d = " << d << ", k = " << how.k << ", " << name_of(lists)
              << (how.fused ? ", fused, " : ", ") << name_of(how.prefix));
  CHECK(wrong == 0);
  for (auto const& claimed : merge_claims(d, lists, how)) {
    INFO(claimed.formula << " = " << claimed.value() << ", measured " << run.counts().steps);
    bool const small = d == 1 && how.k == 1 && how.prefix == pipelined_scheme::halving;
    auto const verdict = judge(claimed, run.counts()).verdict;
    bool const is_kept = verdict == claim_verdict::equal || verdict == claim_verdict::holds;
    CHECK(claimed.erratum.empty() == is_kept);
    CHECK((claimed.erratum.empty() || small));
  }
  CHECK(run.counts().queued == 0);
  return run.counts();
}

/// A descending list of values below `most`.
std::vector<int> random_values(std::size_t count, unsigned most, std::mt19937& random) {
  auto values = sorts::keys_below(most, count, random());
  std::ranges::sort(values, std::greater<>{});
  return values;
}

/// How many sets each list has.
int sets_of_a_list(int d, merge_lists lists) {
  return lists == merge_lists::half ? 1 << d : 1 << d >> 1;
}

}  // namespace

TEST_CASE("merge exceeds the paper's bound with one element on each of two processors only",
          "[sorting]") {
  for (auto const lists : {merge_lists::half, merge_lists::whole})
    for (int d = 1; d <= 7; ++d)
      for (std::size_t k = 1; k <= 100; ++k)
        for (auto const& how : all_ways(k)) {
          auto const claims = merge_claims(d, lists, how);
          bool const is_exceeded = lists == merge_lists::whole && d == 1 && k == 1 &&
                                   how.prefix == pipelined_scheme::halving && !how.fused;
          CHECK(claims.back().erratum.empty() != is_exceeded);
          CHECK((claims.front().value() > claims.back().value()) == is_exceeded);
        }
}

TEST_CASE("the merge of the documentation's example", "[sorting][sanitize]") {
  lockstep::machine cube{lockstep::hypercube{2}, {.ports = lockstep::ports::all}};
  auto run = cube.run([](lockstep::processor& me) {
    std::vector<int> const even{4 * me.rank(), 4 * me.rank() + 2};
    std::vector<int> const odd{4 * me.rank() + 1, 4 * me.rank() + 3};
    return lockstep::merge(me, even, odd, {.k = 2});
  });
  CHECK(run.results()[3] == std::vector{12, 13, 14, 15});
  CHECK(run.counts().steps == 20);
}

TEST_CASE("two lists that interleave in every way are merged", "[sorting][once]") {
  for (auto const lists : {merge_lists::half, merge_lists::whole})
    for (auto const [d, k] : {std::array{0, 4}, {1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 2}, {3, 1}}) {
      auto const n = k * sets_of_a_list(d, lists);
      if (n == 0 || n > 4) continue;
      if (lists == merge_lists::whole && d == 0) continue;
      std::vector<bool> is_x(index(2 * n));
      std::fill(is_x.begin() + n, is_x.end(), true);
      do {
        std::vector<int> x;
        std::vector<int> y;
        for (int value = 2 * n; value-- > 0;) (is_x[index(value)] ? x : y).push_back(value);
        for (auto const& how : all_ways(index(k)))
          check_merged(d, lists, how, list_of(x), list_of(y, 100));
      } while (std::next_permutation(is_x.begin(), is_x.end()));
    }
}

TEST_CASE("all lists of 0 and 1, of any sizes, are merged, and equal ones stay in order",
          "[sorting][once]") {
  for (auto const lists : {merge_lists::half, merge_lists::whole})
    for (auto const& how : all_ways(2)) {
      int const d = lists == merge_lists::half ? 1 : 2;
      int const most = 2 * sets_of_a_list(d, lists);
      auto const zeros_and_ones = [&](int ones, int size, int first) {
        std::vector<int> values(index(size));
        std::fill_n(values.begin(), ones, 1);
        return list_of(values, first);
      };
      for (int n = 0; n <= most; ++n)
        for (int m = 0; m <= most; ++m)
          for (int ones = 0; ones <= n; ++ones)
            for (int others = 0; others <= m; ++others)
              check_merged(d, lists, how, zeros_and_ones(ones, n, 0),
                           zeros_and_ones(others, m, 100));
    }
}

TEST_CASE("merging takes the steps that the formulas say, on all hypercubes up to 7", "[sorting]") {
  std::mt19937 random(3);
  for (auto const lists : {merge_lists::half, merge_lists::whole})
    for (int d = lists == merge_lists::half ? 0 : 1; d <= 7; ++d)
      for (std::size_t const k : {1U, 2U, 3U, 8U}) {
        auto const n = k * index(sets_of_a_list(d, lists));
        for (auto const& how : all_ways(k))
          check_merged(d, lists, how, list_of(random_values(n, 1 << 14, random)),
                       list_of(random_values(n - random() % k, 1 << 14, random), 10'000));
      }
  auto const steps = [&](int d, merge_lists lists, merge_options const& how) {
    return check_merged(d, lists, how, list_of({5}), list_of({7}, 100)).steps;
  };
  CHECK(steps(5, merge_lists::half, {.k = 3}) == 4 * 3 + 8 * 5 - 4);
  CHECK(steps(5, merge_lists::whole, {.k = 3}) == 4 * 3 + 6 * 5 - 4);
  CHECK(steps(5, merge_lists::whole, {.k = 3, .fused = true}) == 3 * 3 + 3 * 5 - 3);
  CHECK(steps(5, merge_lists::half, {.k = 3, .fused = true}) == 4 * 3 + 4 * 5 - 4);
  // H(3, 5) = 2 + 1 + 1 + 1 + 1
  auto const halving = pipelined_scheme::halving;
  CHECK(steps(5, merge_lists::half, {.k = 3, .prefix = halving}) == 2 * 3 + 6 * 5 - 2 + 4 * 6);
  CHECK(steps(5, merge_lists::whole, {.k = 3, .prefix = halving}) == 2 * 3 + 4 * 5 - 2 + 4 * 6);
}

TEST_CASE("lists of few values, of one, and one before the other are merged", "[sorting]") {
  std::mt19937 random(4);
  for (auto const lists : {merge_lists::half, merge_lists::whole})
    for (int d = 1; d <= 5; ++d)
      for (auto const& how : all_ways(5)) {
        auto const n = 5 * index(sets_of_a_list(d, lists));
        for (unsigned const most : {1U, 2U, 7U})
          check_merged(d, lists, how, list_of(random_values(n, most, random)),
                       list_of(random_values(n - n / 3, most, random), 10'000));
        auto const all_of = [&](int value) { return list_of(std::vector<int>(n, value), value); };
        check_merged(d, lists, how, all_of(1000), all_of(0));
        check_merged(d, lists, how, all_of(0), all_of(1000));
        check_merged(d, lists, how, {}, all_of(0));
        check_merged(d, lists, how, all_of(0), {});
        check_merged(d, lists, how, {}, {});
      }
}

TEST_CASE("sets of one element are merged on one port, and sets of none in no steps", "[sorting]") {
  std::mt19937 random(5);
  for (auto const lists : {merge_lists::half, merge_lists::whole}) {
    for (int d = 1; d <= 6; ++d)
      for (auto const& how : all_ways(1)) {
        auto const n = index(sets_of_a_list(d, lists));
        check_merged(d, lists, how, list_of(random_values(n, 40, random)),
                     list_of(random_values(n, 40, random), 10'000), {.strict = true, .workers = 1});
      }
    CHECK(check_merged(3, lists, {.k = 0}, {}, {}).rounds == 0);
  }
}

TEST_CASE("merging costs the same on every engine", "[sorting][threads]") {
  std::mt19937 random(6);
  for (auto const lists : {merge_lists::half, merge_lists::whole})
    for (auto const& how : all_ways(4)) {
      auto const n = 4 * index(sets_of_a_list(4, lists));
      auto const x = list_of(random_values(n, 30, random));
      auto const y = list_of(random_values(n - 2, 30, random), 10'000);
      auto const counts = check_merged(4, lists, how, x, y);
      for (auto const& choice : reference::all_engines())
        CHECK(check_merged(4, lists, how, x, y, reference::on(choice, merging_machine)) == counts);
    }
}

TEST_CASE("merges in all subcubes at the same time", "[sorting][sanitize]") {
  machine const on{hypercube{5}, merging_machine};
  auto const run = on.run([](processor& me) {
    auto part = me.subset(lockstep::dimensions{0, 2, 4});
    int const at = 100 * me.rank();  // differs from subcube to subcube
    std::vector<int> const x{part.rank() * 10 + at / 100 % 2, part.rank() * 10 + 2};
    std::vector<int> const y{part.rank() * 10 + 1, part.rank() * 10 + 5};
    return lockstep::merge(part, x, y, {.k = 2});
  });
  for (int rank = 0; rank < 32; ++rank) {
    auto const tens = ((rank & 1) | (rank >> 1 & 2) | (rank >> 2 & 4)) * 10;
    CHECK(run.results()[index(rank)] == std::vector{tens + rank % 2, tens + 1, tens + 2, tens + 5});
  }
  CHECK(run.counts().steps == 4 * 2 + 8 * 3 - 4);
}

TEST_CASE("merging refuses what it cannot merge", "[sorting][sanitize]") {
  auto const refused = [](auto const& on, auto const& merge_sets) {
    return refusal_of<lockstep::invalid_argument>(
        machine{on, merging_machine}, [&](processor& me) { static_cast<void>(merge_sets(me)); });
  };
  std::vector<int> const one{1};
  auto const half = [&](merge_options const& how, std::vector<int> const& x = {1}) {
    return [=, &one](processor& me) { return lockstep::merge(me, x, one, how); };
  };
  auto const whole = [](merge_options const& how, std::vector<int> const& set = {1}) {
    return [=](processor& me) { return lockstep::merge(me, set, how); };
  };
  merge_options const inorder{.k = 1, .prefix = pipelined_scheme::inorder};
  for (auto const& refusal :
       {refused(hypercube{1}, half(inorder)), refused(hypercube{1}, whole(inorder))})
    CHECK_THAT(refusal, has_text("the schemes fft or halving; take one of them"));
  CHECK_THAT(refused(hypercube{1}, half({.k = 1}, {1, 2})),
             has_text("processor 0 has a set of 2 elements, more than k = 1"));
  CHECK_THAT(refused(hypercube{1}, whole({.k = 2}, {2, 1})), has_text("a list is not sorted"));
  CHECK_THAT(refused(hypercube{0}, whole({.k = 1})),
             has_text("each list needs half of them; take hypercube:1"));
  CHECK_THAT(refused(lockstep::crossbar{4}, half({.k = 1})),
             has_text("is not a hypercube; take hypercube:4"));
  CHECK_THROWS_AS(
      merge_claims(3, merge_lists::half, {.k = 1, .prefix = pipelined_scheme::spanning_tree}),
      lockstep::invalid_argument);
}

TEST_CASE("lists that are not sorted give some result or are refused, without harm",
          "[sorting][sanitize]") {
  std::mt19937 random(7);
  machine const on{hypercube{2}, merging_machine};
  int merged = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<int> values(16);
    for (auto& value : values) value = static_cast<int>(random() % 10);
    for (auto set = values.begin(); set != values.end(); set += 2) std::sort(set, set + 2);
    merge_options const how{.k = 2, .fused = i % 2 == 0};
    try {
      auto const run = on.run([&](processor& me) {
        auto const at = values.begin() + 4 * me.rank();
        return lockstep::merge(me, std::vector(at, at + 2), std::vector(at + 2, at + 4), how);
      });
      ++merged;
      for (auto const& mine : run.results()) {  // full sets, in order, of what was given
        CHECK(mine.size() == 4);
        CHECK(std::ranges::is_sorted(mine));
        for (int const value : mine) CHECK(std::ranges::count(values, value) > 0);
      }
    } catch (lockstep::processor_failed const& failed) {
      CHECK_THROWS_AS(std::rethrow_if_nested(failed), lockstep::invalid_argument);
    }
  }
  CHECK(merged > 0);
  CHECK(merged < 200);
}
