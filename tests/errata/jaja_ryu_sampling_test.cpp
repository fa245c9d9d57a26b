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

/// The logarithm of the probability of more than `most` successes in `trials`, each with `chance`: the sum of
/// the binomial distribution's terms from there on.
double log_of_tail(double trials, double chance, double most) {
  auto const log_of_term = [&](double k) {
    return std::lgamma(trials + 1) - std::lgamma(k + 1) - std::lgamma(trials - k + 1) +
           k * std::log(chance) + (trials - k) * std::log1p(-chance);
  };
  double const first = std::floor(most) + 1;
  double sum = 0;
  double term = 1;  // over the first
  for (double k = first; k <= trials && term > 1e-18 * sum; ++k) {
    term = std::exp(log_of_term(k) - log_of_term(first));
    sum += term;
  }
  return log_of_term(first) + std::log(sum);
}

/// What Lemma 3.5 says of p processors and the least n = r p^2 that it allows, and what is so.
struct overflows_of_step_3 {
  double printed;  ///< p e^(-(c/alpha - 1)^2 alpha n/(3p^2))
  double least;  ///< of the probability that a processor has more than c n/p^2 elements for another
};

overflows_of_step_3 overflows_at_least(int p, double alpha, double c) {
  auto const square = static_cast<std::uint64_t>(p) * static_cast<std::uint64_t>(p);
  std::uint64_t r = 1;
  while (!lockstep::has_room_with_high_probability(p, r * square)) ++r;
  auto const each = static_cast<double>(r);
  // p/alpha destinations get alpha n/p elements each, which step 1 deals out over p slices. The numbers in
  // the slices are negatively associated, so that all are small with at most the product of their
  // probabilities; destinations are independent.
  double const tail = std::exp(log_of_tail(alpha * each * p, 1.0 / p, c * each));
  double const none = static_cast<double>(square) / alpha * std::log1p(-tail);
  return {p * std::exp(-std::pow(c / alpha - 1, 2) * alpha * each / 3), -std::expm1(none)};
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

TEST_CASE("JaJa Ryu 5: within all that Lemma 3.5 asks for, slots overflow more than it says",
          "[errata]") {
  double const alpha = 2;
  // Slots of c n/p^2 elements are whole: nothing is gained or lost by rounding.
  double const c = 304.0 / 112;
  double const c_of_larger = 445.0 / 164;
  CHECK(c_of_larger > alpha + std::sqrt(alpha) / 2);
  CHECK(c > c_of_larger);
  CHECK(c_of_larger > 1 + std::sqrt(0.5));
  auto const [printed, least] = overflows_at_least(1024, alpha, c);  // n/p^2 = 112
  CHECK_THAT(printed, Catch::Matchers::WithinAbs(0.0748, 0.00005));
  CHECK_THAT(least, Catch::Matchers::WithinAbs(0.0809, 0.00005));
  // No high probability: it grows with p.
  auto const larger = overflows_at_least(65'536, alpha, c_of_larger);  // n/p^2 = 164
  CHECK_THAT(larger.printed, Catch::Matchers::WithinAbs(0.0595, 0.00005));
  CHECK_THAT(larger.least, Catch::Matchers::WithinAbs(0.547, 0.0005));
  // With c = 3, as in Theorem 5.2, they are rare.
  CHECK(overflows_at_least(65'536, alpha, 3).least < 0.001);
  // Tails of (alpha n/p^2) h(c/alpha - 1), n/p^2 = 6 ln n, for p^2 of about n slots: where n^(1 - 12h) is 1.
  auto const exponent = [](double eps) { return 1 - 12 * ((1 + eps) * std::log1p(eps) - eps); };
  CHECK(exponent(2.87 / alpha - 1) > 0);
  CHECK(exponent(2.88 / alpha - 1) < 0);
}

TEST_CASE("JaJa Ryu 5: the lost roots are those of the printed estimates", "[errata]") {
  // p e^(-(c/alpha - 1)^2 alpha n/(3p^2)) < n^(1/2 - 2 (c/alpha - 1)^2 alpha) with n/p^2 > 6 ln n and p < sqrt n.
  auto const second = [](double alpha, double c) {
    return 0.5 - 2 * std::pow(c / alpha - 1, 2) * alpha;
  };
  for (double const alpha : {1.0, 2.0, 3.0, 8.0}) {
    double const root = alpha + std::sqrt(alpha) / 2;
    CHECK(second(alpha, 1.001 * root) < 0);
    CHECK(second(alpha, 0.999 * root) > 0);
  }
  // p^2 e^(-(c - 1)^2 n/(3p^2)) < n^(1 - 2 (c - 1)^2).
  auto const first = [](double c) { return 1 - 2 * std::pow(c - 1, 2); };
  CHECK(first(1.001 * (1 + std::sqrt(0.5))) < 0);
  CHECK(first(0.999 * (1 + std::sqrt(0.5))) > 0);
  CHECK(3 > 2 + std::sqrt(2.0) / 2);        // Theorem 5.2's c with alpha = 2
  CHECK_FALSE(3 > 2 + std::sqrt(2.0 / 2));  // the other reading
}

TEST_CASE("JaJa Ryu 5: with c = 3 slots rarely overflow where alpha is 2", "[errata]") {
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
  constexpr int n = 80;  // at least 2p(p - 1)^2, and a multiple of p^2
  auto const time_with = [](std::uint64_t packet, double tau) {
    return machine_of(p, packet)
        .run([](processor& me) {
          return lockstep::median_sort(me, scattered_keys(n, me), n).attempts;
        })
        .time(lockstep::block_distributed_model{tau});
  };
  // 3 tau + p^2 + 2n/p + T_comm, where T_comm = 4 tau + 3n/p + 2pm, Corollary 5.1 (1).
  auto const printed = [](double packet, double tau) {
    return 3 * tau + p * p + 2.0 * n / p + 4 * tau + 3.0 * n / p + 2 * p * packet;
  };
  CHECK(printed(64, 64) == 1076);
  CHECK(time_with(64, 64) == 1152);
  CHECK(time_with(16, 64) <= printed(16, 64));
  CHECK(time_with(1, 64) <= printed(1, 64));
}

TEST_CASE("JaJa Ryu 16: for alpha < 1 some bucket has more than alpha n/p elements, always",
          "[errata]") {
  constexpr int p = 8;
  constexpr int n = 4096;
  auto const run = machine_of(p).run(
      [](processor& me) { return lockstep::sample_sort(me, scattered_keys(n, me), n).bucket; });
  CHECK(std::ranges::max(run.results()) >= n / p);  // as in any run
  auto const printed = [](double alpha) {
    return n * std::exp(-std::pow(1 - 1 / alpha, 2) * 5 * alpha * std::log(n) / 2);
  };
  CHECK_THAT(printed(0.5), Catch::Matchers::WithinRel(std::pow(n, -0.25)));
  CHECK(printed(0.5) < 0.13);
  CHECK(printed(1) >= 1);  // says nothing
}

TEST_CASE("JaJa Ryu 17: for eps = 3 a tail is more than e^(-eps^2 Nq/3)", "[errata]") {
  constexpr double p = 1024;
  constexpr double each = 128;  // n/p^2
  CHECK(each > 6 * std::log(each * p * p));
  auto const printed_for_a_slot = [](double c) { return -(c - 1) * (c - 1) * each / 3; };
  auto const tail = [](double c) { return log_of_tail(each * p, 1 / p, c * each); };
  CHECK(std::lround(tail(4)) == -331);
  CHECK(std::lround(2 * std::log(p) + printed_for_a_slot(4)) == -370);
  for (double const c : {1.71, 2.0, 2.5, 2.8}) CHECK(tail(c) < printed_for_a_slot(c));
  for (double const c : {3.5, 4.0}) CHECK(tail(c) > printed_for_a_slot(c));
  CHECK(tail(4) < tail(2));  // the lemma stays
}
