#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/algorithms/routing/balance.hpp>
#include <lockstep/algorithms/routing/balance_plan.hpp>
#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "papers/jaja_ryu/measured_block.hpp"

// What JaJa and Ryu 1994 print of load balancing (section 4), and the same put right.

using lockstep::machine_of_paper;

namespace {

using loads = std::vector<std::uint64_t>;

std::uint64_t up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// Theorem 4.1, of all n elements on one processor.
std::uint64_t bound_for_one_source(machine_of_paper const& on, std::uint64_t n) {
  auto const p = static_cast<std::uint64_t>(on.p);
  auto const m = static_cast<std::uint64_t>(on.m);
  return 5 * static_cast<std::uint64_t>(on.tau) + n + n / p + p + 2 * m * m;
}

/// Balances n elements of one processor.
lockstep::measured_block balanced_from_one(machine_of_paper const& on, std::int64_t n,
                                           std::string const& way) {
  auto run = measured_on(on, "balance", {{"n", n}, {"loads", std::string("one")}, {"way", way}});
  CHECK(run.result.correct);
  return run;
}

/// l_i of step 2.3 as printed, for i >= t: min {j | i(n/p - m) + tm < s_j}, if there is one.
std::optional<std::size_t> printed_first_source(loads const& all, std::uint64_t m, std::uint64_t t,
                                                std::uint64_t i) {
  auto const n = std::accumulate(all.begin(), all.end(), std::uint64_t{0});
  std::uint64_t sum = 0;
  for (std::size_t j = 0; j < all.size(); ++j) {
    sum += all[j] / m * m;
    if (i * (n / all.size() - m) + t * m < sum) return j;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("JaJa Ryu 6: shares that packets do not divide, sent straight and by a tree",
          "[errata]") {
  machine_of_paper const on{256, 4, 4};
  // n, p and m powers of two, as the paper has them.
  CHECK(balanced_from_one(on, 256, "direct").time() == 1300);
  CHECK(bound_for_one_source(on, 256) == 565);
  CHECK(balanced_from_one(on, 256, "cheapest").time() == 544);
  auto const fails = balanced_from_one(on, 1280, "direct");  // p | n
  CHECK(fails.time() == 2320);
  CHECK(bound_for_one_source(on, 1280) == 1593);
  // No direct routing does better: a source sends (p - 1)m ceil(n/(pm)) words.
  CHECK(255 * 4 * up(1280, 256 * 4) > 1593);
  for (std::int64_t const n : {1024, 2048}) {  // pm | n
    INFO("n = " << n);
    CHECK(balanced_from_one(on, n, "direct").time() <=
          bound_for_one_source(on, static_cast<std::uint64_t>(n)));
  }
  CHECK(fails.time() <= 1593 + 4 * (256 + 3));  // m(h + 3) more
  CHECK(balanced_from_one(on, 1280, "cheapest").time() <= 1593);
  // The tree of Corollary 3.1, to which step 3 refers, keeps the bound: loads to all, then n/p words to each.
  auto const told = measured_on(on, "all-gather", {{"scheme", std::string("two-phase")}});
  auto const dealt = measured_on(on, "scatter", {{"words", 5}, {"scheme", std::string("k-ary")}});
  CHECK(told.result.correct);
  CHECK(dealt.result.correct);
  CHECK(told.time() == 272);
  CHECK(dealt.time() == 1312);
  CHECK(told.time() + dealt.time() <= bound_for_one_source(on, 1280));
}

TEST_CASE("JaJa Ryu 7: with n/p = m there is nothing to read for i >= t", "[errata]") {
  // Packets of 4: f = 12 0 0 0, rests 0 1 3 0, so that t = (12 - 16 + 16)/4 = 3.
  loads const all{12, 1, 3, 0};
  auto const n = 16U;
  auto const t = (12U - n + 4U * 4U) / 4U;
  CHECK_FALSE(printed_first_source(all, 4, t, 3));
  CHECK(n / 4U - 4U == 0);  // by which h <= ceil(M/(n/p - m)) + 1 divides
  // Where n/p > m there is a source.
  CHECK(printed_first_source({28, 1, 3, 0}, 4, (28 - 32 + 16) / 4, 3) == 0);
  auto const plan = lockstep::plan_balance(all, 4);
  CHECK(plan.shares == std::vector<std::size_t>(4, 4));
  for (std::size_t phase : {0U, 1U})
    for (auto const& move : plan.phases.at(phase).moves) CHECK(move.to != 3);
  std::size_t of_rests = 0;
  for (auto const& move : plan.phases[2].moves)
    if (move.to == 3) of_rests += move.elements;
  CHECK(of_rests == 4);
  CHECK(plan.most_readers == 3);
}
