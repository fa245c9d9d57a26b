#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "index.hpp"
#include "papers/jaja_ryu/measured_block.hpp"

// What JaJa and Ryu 1994 print of broadcasts and sums (section 3), and the same put right.

using lockstep::machine_of_paper;
using lockstep::processor;

namespace {

/// 2 tau ceil(log p/log(tau/m + 1)), as it is printed, in floating point.
double printed_bound(machine_of_paper const& on) {
  auto const tau = static_cast<double>(on.tau);
  return 2 * tau * std::ceil(std::log(on.p) / std::log(tau / static_cast<double>(on.m) + 1));
}

/// The time of a k-ary broadcast of one item, by a run.
std::uint64_t time_with(machine_of_paper const& on, int k) {
  lockstep::machine const machine(lockstep::crossbar{on.p},
                                  {.strict = true, .packet = static_cast<std::uint64_t>(on.m)});
  auto const run = machine.run([&](processor& me) {
    return lockstep::broadcast(me, me.rank() + 7,
                               {.scheme = lockstep::collective_scheme::k_ary, .k = k});
  });
  for (auto const& item : run.results()) CHECK(item == 7);
  return run.counts().startups * static_cast<std::uint64_t>(on.tau) + run.counts().words;
}

/// Most additions of a processor that sums up n numbers, ceil(n/p) of them at most on each.
int most_additions(int p, int k, std::size_t n) {
  std::vector<int> additions(static_cast<std::size_t>(p));
  auto const run =
      lockstep::machine(lockstep::crossbar{p}, {.strict = true}).run([&](processor& me) {
        int count = 0;
        auto const add = [&count](long a, long b) {
          ++count;
          return a + b;
        };
        auto const rank = static_cast<std::size_t>(me.rank());
        long own = static_cast<long>(rank);  // numbers 0, 1, .., n - 1, dealt out
        for (auto i = rank + index(p); i < n; i += index(p)) own = add(own, static_cast<long>(i));
        auto const sum =
            lockstep::reduce(me, add, own, {.scheme = lockstep::collective_scheme::k_ary, .k = k});
        additions[rank] = count;
        return sum.value_or(-1);
      });
  CHECK(run.results().front() == static_cast<long>(n * (n - 1) / 2));
  return *std::ranges::max_element(additions);
}

/// Best time of a broadcast whose phases have any radices: from s processors that have the item on.
std::uint64_t best_time(machine_of_paper const& on, int s, std::map<int, std::uint64_t>& known) {
  if (s == on.p) return 0;
  if (auto const found = known.find(s); found != known.end()) return found->second;
  std::uint64_t best = ~std::uint64_t{0};
  for (int radix = 2; s * (radix - 1) < on.p; ++radix) {
    auto const then = std::min(s * radix, on.p);
    auto const words = static_cast<std::uint64_t>(on.m * ((then - s + s - 1) / s));
    best = std::min(best, static_cast<std::uint64_t>(on.tau) + words + best_time(on, then, known));
  }
  return known[s] = best;
}

std::uint64_t best_time(machine_of_paper const& on) {
  std::map<int, std::uint64_t> known;
  return best_time(on, 1, known);
}

/// Theorem 3.1's: tau log p/log(tau/m + 2) + m log p.
double lower_bound_of_theorem(machine_of_paper const& on) {
  auto const tau = static_cast<double>(on.tau);
  auto const m = static_cast<double>(on.m);
  return tau * std::log2(on.p) / std::log2(tau / m + 2) + m * std::log2(on.p);
}

}  // namespace

TEST_CASE("JaJa Ryu 9: k = tau/m + 1 has to be a whole number", "[errata]") {
  machine_of_paper const down{5, 3, 2};
  CHECK(time_with(down, 3 / 2 + 1) == 15);  // k = floor(tau/m) + 1
  CHECK(printed_bound(down) == 12);
  machine_of_paper const up{10, 6, 5};
  CHECK(time_with(up, 2 + 1) == 43);  // k = ceil(tau/m) + 1
  CHECK(printed_bound(up) == 36);
  CHECK_THROWS_AS(lockstep::tree_arity(3, 2), lockstep::invalid_argument);
  for (machine_of_paper const& whole : {machine_of_paper{5, 4, 2}, {10, 5, 5}, {10, 10, 5}}) {
    auto const k = static_cast<int>(whole.k());
    CHECK(k == lockstep::tree_arity(static_cast<std::uint64_t>(whole.tau),
                                    static_cast<std::uint64_t>(whole.m)));
    CHECK(static_cast<double>(time_with(whole, k)) <= printed_bound(whole));
  }
}

TEST_CASE("JaJa Ryu 10: ceil(log p/log k) is for whole numbers", "[errata]") {
  struct power {
    int p;
    int k;
  };
  int wrong = 0;
  for (power const& of : {power{125, 5}, {216, 6}}) {
    INFO("p = " << of.p << ", k = " << of.k);
    CHECK(lockstep::tree_phases(of.p, of.k) == 3);
    if (std::ceil(std::log(of.p) / std::log(of.k)) == 4) ++wrong;
    CHECK(lockstep::block_tree_counts(of.p, 1, of.k, 1).startups == 3);
  }
  CHECK(wrong == 2);
  // tau = 0 has logarithms to the base 1, m > tau a tree of one branch.
  CHECK_THROWS_AS(lockstep::tree_arity(0, 1), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::tree_arity(3, 4), lockstep::invalid_argument);
}

TEST_CASE("JaJa Ryu 11: log(tau/m) is 0 for tau = m", "[errata]") {
  // As printed: n/p + tau log p/(m log(tau/m)).
  CHECK(std::isinf(8 * std::log2(64.0) / (8 * std::log2(8.0 / 8.0))));
  bool is_met = false;
  for (int const p : {1, 2, 5, 8, 27, 64})
    for (int const k : {2, 3, 5, 9})  // tau = (k - 1)m
      for (std::size_t const n : {64U, 100U, 640U}) {
        INFO("p = " << p << ", k = " << k << ", n = " << n);
        auto const each = static_cast<int>((n + index(p) - 1) / index(p));
        auto const mended = each - 1 + (k - 1) * lockstep::tree_phases(p, k);
        auto const most = most_additions(p, k, n);
        CHECK(most <= mended);
        is_met = is_met || (p > 1 && most == mended);
      }
  CHECK(is_met);
}

TEST_CASE("JaJa Ryu 12: the k-ary tree is best up to a constant", "[errata]") {
  machine_of_paper const large{66, 1024, 16};
  CHECK(time_with(large, 65) == 3088);
  CHECK(best_time(large) == 2064);
  CHECK(time_with(large, 66) == 2064);  // one phase
  machine_of_paper const small{8, 4, 1};
  CHECK(time_with(small, 5) == 13);
  CHECK(best_time(small) == 11);
  double worst = 0;
  for (int p = 2; p <= 128; ++p)
    for (std::int64_t const m : {1, 16})
      for (std::int64_t const packets : {1, 2, 4, 16, 64}) {
        machine_of_paper const on{p, packets * m, m};
        INFO(on.text());
        auto const tree = lockstep::block_tree_counts(p, 1, static_cast<int>(on.k()),
                                                      static_cast<std::uint64_t>(m));
        auto const time = time_of(tree, static_cast<std::uint64_t>(on.tau));
        auto const best = static_cast<double>(best_time(on));
        CHECK(best <= time);
        CHECK(lower_bound_of_theorem(on) <= best * (1 + 1e-12));
        worst = std::max(worst, time / best);
      }
  CHECK(worst > 1.49);
  CHECK(worst <= 1.5);
}
