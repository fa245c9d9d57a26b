#include "papers/jaja_ryu/probabilities.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/algorithms/sorting/sample_sort.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"

using lockstep::processor;
using lockstep::slot_setting;

namespace {

struct attempts_and_redrawn {
  int attempts = 0;
  std::uint64_t redrawn = 0;
};

/// What the routing of that setting takes on a machine.
attempts_and_redrawn routed_on_a_machine(slot_setting const& of, std::uint64_t seed) {
  lockstep::machine const on(lockstep::crossbar{of.processors}, {.strict = true});
  auto const run = on.run([&](processor& me) {
    std::vector<int> homes(of.elements / static_cast<std::size_t>(me.size()));
    for (std::size_t i = 0; i < homes.size(); ++i) homes[i] = of.destination_of(i);
    auto const routed = randomized_routing(me, std::span<int const>(homes), std::identity{},
                                           {of.slot(), seed, 1'000});
    return attempts_and_redrawn{routed.attempts, routed.redrawn};
  });
  attempts_and_redrawn all{run.results().front().attempts, 0};
  for (auto const& one : run.results()) all.redrawn += one.redrawn;
  return all;
}

}  // namespace

TEST_CASE("slots drawn without a machine overflow where those of a run do", "[papers]") {
  // 256 elements in slots of 7, 4 on average: either step overflows in some runs.
  int in_step_1 = 0;
  int in_step_3 = 0;
  int in_neither = 0;
  for (slot_setting const& of : {slot_setting{4, 256, 1, 1.5}, slot_setting{8, 1024, 2, 2.8}})
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      INFO("p = " << of.processors << ", seed " << seed);
      auto const drawn = lockstep::drawn_loads(of, seed);
      auto const [attempts, redrawn] = routed_on_a_machine(of, seed);
      if (drawn.step_1 > of.slot()) {
        CHECK(redrawn > 0);
        ++in_step_1;
      } else if (drawn.step_3 > of.slot()) {
        CHECK(attempts > 1);
        ++in_step_3;
      } else {
        CHECK(attempts == 1);
        CHECK(redrawn == 0);
        ++in_neither;
      }
    }
  CHECK(in_step_1 > 0);
  CHECK(in_step_3 > 0);
  CHECK(in_neither > 0);
}

TEST_CASE("shares of runs that overflow are what Lemmas 3.4 and 3.5 come to", "[papers]") {
  auto const share = [](slot_setting const& of) {
    return lockstep::count_overflows(of, 100, 1).share();
  };
  // Outside of p^2 < n/(6 ln n) slots overflow, even those larger than the theorem asks for.
  CHECK_FALSE(slot_setting{16, 2048, 1, 1.71}.is_of_theorem());
  CHECK(share({16, 2048, 1, 1.71}) == 1);
  CHECK(share({16, 2048, 2, 3}) > 0.8);
  CHECK(share({8, 1024, 1, 1.71}) > 0.03);
  CHECK(share({8, 1024, 1, 1.71}) < 0.25);
  // Within it they do not.
  CHECK(slot_setting{16, 16'384, 2, 3}.is_of_theorem());
  CHECK(share({16, 16'384, 2, 3}) == 0);
  CHECK(share({8, 4096, 2, 3}) == 0);
  CHECK(share({8, 4096, 1, 1.71}) == 0);
}

TEST_CASE("buckets drawn without a machine are those of a run", "[papers]") {
  constexpr int p = 4;
  constexpr std::uint64_t n = 1024;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    auto const keys = lockstep::keys_of_run(n, seed);
    lockstep::machine const on(lockstep::crossbar{p}, {.strict = true});
    auto const run = on.run([&](processor& me) {
      auto const mine = std::span(keys).subspan(static_cast<std::size_t>(me.rank()) * n / p, n / p);
      return lockstep::sample_sort(me, std::vector(mine.begin(), mine.end()), n, std::less<>{},
                                   {.seed = seed})
          .bucket;
    });
    CHECK(std::ranges::max(run.results()) == lockstep::drawn_largest_bucket(p, n, seed));
  }
}

TEST_CASE("no bucket of sample sort has more than 2n/p elements", "[papers]") {
  auto const spread = lockstep::measured_buckets(8, 4096, 100, 1);
  CHECK(spread.beyond == 0);
  CHECK(spread.mean > 1.1);
  CHECK(spread.mean < 1.35);
  CHECK(spread.largest >= spread.mean);
  CHECK(spread.largest < 1.7);
}

TEST_CASE("settings lie on both sides of the theorems' condition", "[papers]") {
  int within = 0;
  for (auto const& of : lockstep::slot_settings()) {
    auto const row = lockstep::count_overflows(of, 1, 7);
    CHECK(row.runs == 1);
    CHECK(row.seed == 7);
    CHECK(row.in_either <= row.in_step_1 + row.in_step_3);
    within += row.of.is_of_theorem() ? 1 : 0;
  }
  CHECK(within == 10);
  for (auto const& [processors, elements] : lockstep::bucket_settings())
    CHECK(slot_setting{processors, elements}.is_of_theorem());
}
