#include <lockstep/algorithms/sorting/merge_sort.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/judgement.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "core/machines.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "sorting/sorted_on_cube.hpp"

using lockstep::claim_verdict;
using lockstep::even_block;
using lockstep::hypercube;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::merge_options;
using lockstep::pipelined_scheme;
using lockstep::processor;

namespace {

/// Sorts items, of which each processor has its even block, and compares result and claims.
lockstep::counts check_merge_sort(int d, items_to_sort const& items, merge_options how = {},
                                  machine_options const& options = all_ports_in_lock_step) {
  machine const on{hypercube{d}, options};
  how.k = even_block(items.size(), on.size(), 0).count;
  auto const run = on.run([&](processor& me) {
    auto const [first, count] = even_block(items.size(), me.size(), me.rank());
    return merge_sort(me, some_of(items, first, count), how, by_value);
  });
  INFO("d = " << d << ", n = " << items.size() << (how.fused ? ", fused" : ""));
  auto const expected = stably_sorted(items);
  int wrong = 0;
  for (int rank = 0; rank < on.size(); ++rank)
    if (run.results()[index(rank)] != some_of(expected, index(rank) * how.k, how.k)) ++wrong;
  CHECK(wrong == 0);
  for (auto const& claimed : merge_sort_claims(d, how)) {
    INFO(claimed.formula << " = " << claimed.value() << ", measured " << run.counts().steps);
    auto const verdict = judge(claimed, run.counts()).verdict;
    bool const is_kept = verdict == claim_verdict::equal || verdict == claim_verdict::holds;
    CHECK(claimed.erratum.empty() == is_kept);
    CHECK((claimed.erratum.empty() || (d == 1 && how.k == 1)));
  }
  CHECK(run.counts().queued == 0);
  return run.counts();
}

std::vector<merge_options> ways_to_merge_sort() {
  return {{},
          {.fused = true},
          {.prefix = pipelined_scheme::halving},
          {.fused = true, .prefix = pipelined_scheme::halving}};
}

}  // namespace

TEST_CASE("the merge sort of the documentation's example", "[sorting][sanitize]") {
  lockstep::machine cube{lockstep::hypercube{3}, {.ports = lockstep::ports::all}};
  auto run = cube.run([](lockstep::processor& me) {
    return lockstep::merge_sort(me, std::vector{-me.rank(), me.rank()}, {.k = 2});
  });
  CHECK(run.results()[0] == std::vector{-7, -6});
  CHECK(run.counts().steps == 48);
}

TEST_CASE("merge sort sorts all sequences of 0 and 1, stably", "[sorting][once]") {
  for (bool const fused : {false, true})
    for (int const d : {1, 2, 3})
      for (std::size_t const n : {1U, 3U, 8U})
        for (unsigned word = 0; word < 1U << n; ++word) {
          std::vector<int> values;
          for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<int>(word >> i & 1U));
          check_merge_sort(d, items_of(values), {.fused = fused});
        }
}

TEST_CASE("merge sort sorts any number of any values, in the steps of its formulas", "[sorting]") {
  std::mt19937 random(1);
  for (int d = 0; d <= 4; ++d)
    for (std::size_t const n : {0U, 1U, 2U, 31U, 64U})
      for (auto const& how : ways_to_merge_sort())
        for (auto const& items : sequences_to_sort(n, random)) check_merge_sort(d, items, how);
}

TEST_CASE("merge sort on hypercubes up to 7", "[sorting]") {
  std::mt19937 random(2);
  for (int d = 6; d <= 7; ++d)
    for (int const k : {1, 3})
      for (auto const& how : ways_to_merge_sort())
        check_merge_sort(d, items_of(values_below(500, index(k << d), random)), how);
  auto const steps = [&](int d, int k, bool fused) {
    auto const items = items_of(values_below(500, index(k << d), random));
    return check_merge_sort(d, items, {.fused = fused}).steps;
  };
  CHECK(steps(4, 3, false) == 4 * 3 * 4 + 3 * 16 - 4);
  CHECK(steps(4, 3, true) == 3 * 3 * 4 + 3 * 4 * 3 / 2);
}

TEST_CASE("merge sort exceeds the paper's bound with one value on each of two processors only",
          "[sorting]") {
  for (int d = 1; d <= 7; ++d)
    for (std::size_t k = 1; k <= 100; ++k)
      for (auto how : ways_to_merge_sort()) {
        how.k = k;
        auto const claims = merge_sort_claims(d, how);
        bool const is_exceeded =
            d == 1 && k == 1 && how.prefix == pipelined_scheme::halving && !how.fused;
        CHECK(claims.back().erratum.empty() != is_exceeded);
        CHECK((claims.front().value() > claims.back().value()) == is_exceeded);
      }
}

TEST_CASE("merge sort with one value of each processor, on one port", "[sorting]") {
  std::mt19937 random(3);
  for (int d = 0; d <= 6; ++d)
    for (auto const& how : ways_to_merge_sort())
      check_merge_sort(d, items_of(values_below(40, index(1 << d), random)), how,
                       {.strict = true, .workers = 1});
}

TEST_CASE("merge sort costs the same on every engine", "[sorting][threads][sanitize]") {
  std::mt19937 random(4);
  auto const items = items_of(values_below(20, 45, random));
  auto const counts = check_merge_sort(4, items);
  for (auto const& choice : reference::all_engines())
    CHECK(check_merge_sort(4, items, {}, reference::on(choice, all_ports_in_lock_step)) == counts);
}

TEST_CASE("merge sort refuses what it cannot sort", "[sorting][sanitize]") {
  CHECK_THAT(refusal_of<lockstep::invalid_argument>(
                 machine{hypercube{1}},
                 [](processor& me) {
                   static_cast<void>(merge_sort(me, std::vector{1},
                                                {.k = 1, .prefix = pipelined_scheme::inorder}));
                 }),
             has_text("the schemes fft or halving; take one of them"));
  auto const refused = [](auto const& on, std::size_t k) {
    return refusal_of<lockstep::invalid_argument>(machine{on}, [&](processor& me) {
      static_cast<void>(merge_sort(me, std::vector{2, 1}, {.k = k}));
    });
  };
  CHECK(refused(hypercube{1}, 1) ==
        "merge sort: processor 0 has a set of 2 elements, more than k = 1; give the same k "
        "everywhere, "
        "that of the largest set");
  CHECK_THAT(refused(lockstep::crossbar{4}, 2), has_text("take hypercube:4"));
}
