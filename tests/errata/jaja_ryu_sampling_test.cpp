#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/routing/randomized_routing.hpp>
#include <lockstep/algorithms/sorting/median_sort.hpp>
#include <lockstep/algorithms/sorting/sample_sort.hpp>
#include <lockstep/cost_models.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "papers/jaja_ryu/probabilities.hpp"

// What JaJa and Ryu 1994 print of random routing and of sorts by buckets (sections 3.3 and 5.1),
// and the same put right.

using lockstep::machine;
using lockstep::median_sort_route;
using lockstep::processor;

namespace {

machine machine_of(int p, std::uint64_t packet = 1) {
  return machine(lockstep::crossbar{p}, {.strict = true, .packet = packet});
}

/// Distinct keys of one processor, of n on p, in no order.
std::vector<int> scattered_keys(int n, processor const& me) {
  std::vector<int> mine;
  for (int i = 0; i < n / me.size(); ++i)
    mine.push_back(static_cast<int>((std::int64_t{i * me.size() + me.rank()} * 7'919) % n));
  return mine;
}

/// Steps 1 to 5 of Algorithm Sample Sort as printed: pivots are keys, and nothing tells equal keys
/// apart.
std::size_t printed_bucket(processor& me, std::vector<int> const& mine, std::uint64_t n) {
  auto const drawn =
      lockstep::detail::drawn_sample(mine.size(), lockstep::samples_of(n), false,
                                     lockstep::detail::randomness_of_samples(1, me.rank()));
  std::vector<int> samples;
  for (auto const index : drawn) samples.push_back(mine[index]);
  auto all = lockstep::all_gather(me, std::span<int const>(samples),
                                  samples.size() * static_cast<std::size_t>(me.size()));
  std::ranges::sort(all);
  std::vector<int> pivots;
  for (auto const rank : lockstep::detail::ranks_of_pivots(all.size(), me.size()))
    pivots.push_back(all[rank]);
  auto const bucket_of = [&](int key) {
    return static_cast<int>(std::ranges::upper_bound(pivots, key) - pivots.begin());
  };
  return lockstep::randomized_routing(me, std::span<int const>(mine), bucket_of,
                                      {.slot = lockstep::randomized_slot(n, me.size(), 3)})
      .elements.size();
}

/// The time that Theorem 5.2 prints, of a run and of its formula, at tau = 100.
struct times {
  double measured;
  double printed;
};

times times_of_sample_sort(std::uint64_t packet) {
  constexpr int p = 16;
  constexpr int n = 16'384;
  constexpr double tau = 100;
  auto const run = machine_of(p, packet).run(
      [](processor& me) { return lockstep::sample_sort(me, scattered_keys(n, me), n).attempts; });
  CHECK(run.results()[0] == 1);
  auto const m = static_cast<double>(packet);
  auto const printed = 3 * tau + (p - 1) * m * std::ceil(5 * std::log(n) / m) + 6.0 * n / p;
  return {run.time(lockstep::block_distributed_model{tau}), printed};
}

}  // namespace

TEST_CASE("JaJa Ryu 5: Lemma 3.5's union is over p slices and p destinations", "[errata]") {
  // 18 elements on average from one in between to a destination, with room for 36: c = 2.
  lockstep::slot_setting const of{128, 18 * 128 * 128, 1, 2};
  constexpr std::uint64_t runs = 40;
  auto const counted = lockstep::count_overflows(of, runs, 1);
  double const share = static_cast<double>(counted.in_step_3) / runs;
  double const chernoff = std::exp(-18.0 / 3);  // (c/alpha - 1)^2 alpha n/(3 p^2) = 6
  double const printed = 128 * chernoff;
  CHECK(printed < 0.32);
  CHECK(share > 0.45);  // 0.58 in the long run
  CHECK(share <= std::min(1.0, 128 * printed));
}

TEST_CASE("JaJa Ryu 5: c = 3 is on the edge where alpha is 2", "[errata]") {
  double const alpha = 2;
  CHECK(alpha + std::sqrt(alpha / 2) == 3);  // the lemma asks for more than that
  CHECK(lockstep::count_overflows({16, 16'384, 2, 3}, 50, 1).share() == 0);
  CHECK(lockstep::count_overflows({16, 2048, 2, 3}, 50, 1).share() > 0.8);  // p^2 > n/(6 ln n)
}

TEST_CASE("JaJa Ryu 8: Theorem 3.4 leaves out that slots are whole packets", "[errata]") {
  constexpr double tau = 100;
  constexpr double c = 1.72;
  constexpr std::uint64_t n = 16'384;
  auto const time_with = [](std::uint64_t packet, bool real_sizes = false) {
    auto const run = machine_of(16, packet).run([&](processor& me) {
      std::vector<int> homes;
      for (int i = 0; i < static_cast<int>(n) / 16; ++i) homes.push_back(i % 16);
      return lockstep::randomized_routing(
                 me, std::span<int const>(homes), std::identity{},
                 {.slot = lockstep::randomized_slot(n, 16, c), .real_sizes = real_sizes})
          .attempts;
    });
    CHECK(run.results()[0] == 1);
    return run.time(lockstep::block_distributed_model{tau});
  };
  constexpr double printed = 2 * (tau + c * n / 16);
  CHECK(printed < 3'723);
  CHECK(time_with(48) == 4'520);  // slots of 111 elements are three packets
  CHECK(time_with(48) <= printed + 2 * 15 * 48);
  CHECK(time_with(1) <= printed);
  CHECK(time_with(48, true) <= printed);  // a word with their number, and the elements alone
}

TEST_CASE("JaJa Ryu 8: Theorem 5.2 leaves out that slots are whole packets", "[errata]") {
  // Slots of 192 elements are four packets of 56 words; 56 < 6 ln n, which the remark allows.
  auto const [in_packets, printed] = times_of_sample_sort(56);
  CHECK(in_packets > printed);
  CHECK(in_packets <= printed + 2 * 15 * 56);  // (p - 1)m for each transposition
  auto const whole = times_of_sample_sort(48);
  CHECK(whole.measured <= whole.printed);
  auto const words = times_of_sample_sort(1);
  CHECK(words.measured <= words.printed);
}

TEST_CASE("JaJa Ryu 13: equal keys make one bucket of all, unless places tell them apart",
          "[errata]") {
  constexpr std::uint64_t n = 4096;
  auto const equal_keys = [](processor const& me) {
    return std::vector<int>(n / static_cast<std::size_t>(me.size()), 7);
  };
  CHECK(refusal_of<lockstep::invalid_argument>(
            machine_of(8), [&](processor& me) { return printed_bucket(me, equal_keys(me), n); }) ==
        "randomized_routing: in Step 3 slots of 192 elements overflow in each of 20 draws; "
        "take a larger c");
  // Distinct keys: what is printed is what is done.
  auto const printed =
      machine_of(8).run([](processor& me) { return printed_bucket(me, scattered_keys(n, me), n); });
  auto const mended = machine_of(8).run([](processor& me) {
    return lockstep::sample_sort(me, scattered_keys(n, me), n).elements.size();
  });
  CHECK(printed.results() == mended.results());
  auto const with_places = machine_of(8).run(
      [&](processor& me) { return lockstep::sample_sort(me, equal_keys(me), n).elements.size(); });
  for (auto const bucket : with_places.results()) CHECK(bucket <= 2 * n / 8);
  auto const by_medians = machine_of(8).run(
      [&](processor& me) { return lockstep::median_sort(me, equal_keys(me), n).bucket; });
  for (auto const bucket : by_medians.results()) CHECK(bucket <= 2 * n / 8);
}

TEST_CASE("JaJa Ryu 13: sample sort does not leave n/p elements on each processor", "[errata]") {
  constexpr int n = 4096;
  auto const sizes = [](bool evened_out) {
    return machine_of(8)
        .run([evened_out](processor& me) {
          return lockstep::sample_sort(me, scattered_keys(n, me), n, std::less<>{},
                                       {.evened_out = evened_out})
              .elements.size();
        })
        .results();
  };
  auto const printed = sizes(false);
  CHECK(std::ranges::max(printed) > n / 8 + n / 80);
  CHECK(sizes(true) == std::vector<std::size_t>(8, n / 8));
}

TEST_CASE("JaJa Ryu 13: 5 ln n is not a whole number", "[errata]") {
  for (std::uint64_t const n : {2U, 256U, 4096U, 16'384U}) {
    double const printed = 5 * std::log(static_cast<double>(n));
    CHECK(printed != std::floor(printed));
    CHECK(lockstep::samples_of(n) == static_cast<std::uint64_t>(std::floor(printed)) + 1);
  }
}

TEST_CASE("JaJa Ryu 8: median sort, p^2 has room for samples and sizes only where m = 1",
          "[errata]") {
  constexpr int p = 4;
  constexpr int n = 80;
  constexpr double tau = 50;
  // 3 tau + p^2 + 2n/p + T_comm, where T_comm = 2(tau + 3n/p).
  constexpr double printed = 3 * tau + p * p + 2.0 * n / p + 2 * (tau + 3.0 * n / p);
  CHECK(printed == 426);
  auto const time_with = [](std::uint64_t packet) {
    return machine_of(p, packet)
        .run([](processor& me) {
          return lockstep::median_sort(me, scattered_keys(n, me), n, std::less<>{},
                                       {.way = median_sort_route::random})
              .attempts;
        })
        .time(lockstep::block_distributed_model{tau});
  };
  CHECK(time_with(1) <= printed);
  CHECK(time_with(16) > printed);
}
