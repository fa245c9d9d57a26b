#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/arity.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/algorithms/collectives/transpose.hpp>

#include "catch.hpp"
#include "check_claims.hpp"
#include "collectives/collective_samples.hpp"

using lockstep::bdm_machine;
using lockstep::collective_options;
using lockstep::collective_scheme;
using lockstep::one_phase;
using lockstep::pieces;
using lockstep::processor;

namespace {

std::uint64_t up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// ceil(log_k p).
std::uint64_t log_up(std::uint64_t p, std::uint64_t k) {
  std::uint64_t digits = 0;
  for (auto rest = p; rest > 1; rest = up(rest, k)) ++digits;
  return digits;
}

/// Runs the program, and compares counts with claims, which tell each figure.
template <class Program>
void check_collective(bdm_machine const& on, std::vector<lockstep::claim> const& claims,
                      Program const& program) {
  auto const counts = reference::strict_crossbar(on.p, on.packet).run(program).counts();
  CHECK(counts.queued == 0);
  CHECK(reference::check_claims(claims, counts) == 0);
  std::set<std::string> exact;
  for (auto const& claimed : claims)
    if (claimed.bound == lockstep::comparison::equal) exact.insert(claimed.figure);
  exact.erase("time");
  CHECK(exact == std::set<std::string>{"messages", "rounds", "startups", "volume", "words"});
  CHECK(claims.size() > 5);
}

/// Machines with a tau of whole packets.
std::vector<bdm_machine> machines() {
  std::vector<bdm_machine> all;
  for (int const p : {1, 2, 3, 5, 8, 9, 16, 27})
    for (std::uint64_t const packet : {1U, 2U, 5U})
      for (std::uint64_t const k : {2U, 3U, 4U, 40U}) all.push_back({p, (k - 1) * packet, packet});
  return all;
}

std::vector<std::size_t> lengths(int p) {
  return {0, 1, index(p) - 1, index(p), index(p) + 1, 5 * index(p), 47};
}

std::string text_of(bdm_machine const& on) {
  return "p = " + std::to_string(on.p) + ", tau = " + std::to_string(on.tau) +
         ", m = " + std::to_string(on.packet);
}

double value_of(std::vector<lockstep::claim> const& claims, std::string const& figure) {
  auto const found = std::ranges::find(claims, figure, &lockstep::claim::figure);
  REQUIRE(found != claims.end());
  return found->value();
}

}  // namespace

TEST_CASE("scatter, gather, all-gather and transpose cost what is claimed") {
  for (auto const& on : machines())
    for (auto const n : lengths(on.p))
      for (int const k : {lockstep::tree_arity(on.tau, on.packet), one_phase})
        for (int const root : {0, on.p / 2}) {
          INFO(text_of(on) << ", n = " << n << ", k = " << k << ", root " << root);
          lockstep::scatter_options const options{.k = k, .root = root};
          std::vector<int> const all(n);
          auto const mine = [&, of = pieces(n, on.p)](processor& me) {
            return std::span(all).first(of.size(me.rank()));
          };
          check_collective(on, scatter_claims(on, n, options), [&](processor& me) {
            return scatter(me, std::span(all), n, options).size();
          });
          check_collective(on, scatter_claims(on, n, options),
                           [&](processor& me) { return gather(me, mine(me), n, options).size(); });
          check_collective(on, all_gather_claims(on, n, {.k = k}), [&](processor& me) {
            return all_gather(me, mine(me), n, {.k = k}).size();
          });
          check_collective(on, transpose_claims(on, n),
                           [&](processor& me) { return transpose(me, all).size(); });
        }
}

TEST_CASE("broadcast, reduce and all-reduce cost what is claimed") {
  for (auto const& on : machines())
    for (auto const n : lengths(on.p))
      for (auto const scheme : lockstep::all_collective_schemes)
        for (int const root : {0, on.p / 2}) {
          collective_options const options{scheme, lockstep::tree_arity(on.tau, on.packet), root};
          INFO(text_of(on) << ", n = " << n << ", " << name_of(scheme) << ", root " << root);
          check_collective(on, broadcast_claims(on, n, options), [&](processor& me) {
            std::vector<int> block(n);
            broadcast(me, std::span(block), options);
          });
          std::vector<int> const block(n);
          check_collective(on, reduce_claims(on, n, options), [&](processor& me) {
            return reduce(me, std::plus<int>{}, std::span(block), options).size();
          });
          check_collective(on, all_reduce_claims(on, n, options), [&](processor& me) {
            return all_reduce(me, std::plus<int>{}, std::span(block), options).size();
          });
        }
}

TEST_CASE("one item along a k-ary tree") {
  for (int p = 1; p <= 150; ++p)
    for (std::uint64_t const k : {2U, 3U, 5U, 6U, 17U, 200U})
      for (std::uint64_t const m : {1U, 7U}) {
        INFO("p = " << p << ", k = " << k << ", m = " << m);
        auto const count = static_cast<std::uint64_t>(p);
        std::uint64_t rounds = 0;
        for (std::uint64_t s = 1; s < count; s *= k) rounds += up(std::min(s * k, count) - s, s);
        auto const counts = lockstep::block_tree_counts(p, 1, static_cast<int>(k), m);
        CHECK(counts.rounds == rounds);
        CHECK(counts.words == m * rounds);
        CHECK(counts.startups == log_up(count, k));
        CHECK(counts.messages == count - 1);
        CHECK(counts.volume == m * (count - 1));
        auto const tau = (k - 1) * m;  // Theorem 3.1
        CHECK(time_of(counts, tau) <= static_cast<double>(2 * tau * log_up(count, k)));
      }
}

TEST_CASE("blocks along a k-ary tree, p = k^d, as the paper's groups") {
  for (std::uint64_t const k : {2U, 3U, 4U, 7U})
    for (std::uint64_t d = 1, p = k; p <= 256; ++d, p *= k)
      for (std::uint64_t const m : {1U, 3U, 8U})
        for (std::uint64_t const n : {p, 5 * p, 24 * p}) {
          INFO("k = " << k << ", d = " << d << ", m = " << m << ", n = " << n);
          std::uint64_t words = 0;
          for (std::uint64_t i = 1, power = k; i <= d; ++i, power *= k)
            words += (k - 1) * m * up(n, power * m);
          auto const arity = static_cast<int>(k);
          pieces const of(n, static_cast<int>(p));
          for (auto const& half : {piece_tree_counts(of, arity, 1, m),
                                   lockstep::circulant_all_gather_counts(of, arity, arity, m)}) {
            CHECK(half.startups == d);
            CHECK(half.words == words);
            CHECK(half.rounds == d * (k - 1));
          }
        }
}

TEST_CASE("2(2 tau ceil(log_k p) + n) holds for every p, n and m that divides tau") {
  for (int p = 1; p <= 40; ++p)
    for (std::uint64_t const m : {1U, 2U, 3U, 16U})
      for (std::uint64_t const packets : {1U, 2U, 3U, 7U, 11U, 50U})
        for (std::size_t const n : {0U, 1U, 2U, 7U, 30U, 64U, 100U, 999U, 4096U, 5003U}) {
          auto const k = packets + 1;
          pieces const of(n, p);
          auto const back = lockstep::circulant_all_gather_counts(of, static_cast<int>(k),
                                                                  static_cast<int>(k), m);
          auto const half =
              static_cast<double>(2 * packets * m * log_up(static_cast<std::uint64_t>(p), k) + n);
          for (int root = 0; root < p; root += p / 4 + 1) {
            INFO("p = " << p << ", m = " << m << ", k = " << k << ", n = " << n << ", root "
                        << root);
            auto const there = piece_tree_counts(of, static_cast<int>(k), root, m);
            CHECK(time_of(there, packets * m) <= half);
            CHECK(time_of(there + back, packets * m) <= 2 * half);
          }
          CHECK(time_of(back, packets * m) <= half);
        }
}

TEST_CASE("broadcast by two transpositions") {
  for (int p = 1; p <= 20; ++p)
    for (std::size_t q = 0; q <= 70; q += index(p % 3) + 1)
      for (int root = 0; root < p; ++root) {
        auto const count = index(p);
        auto const own = q / count + (index(root) < q % count ? 1 : 0);
        auto const claims = lockstep::broadcast_claims({.p = p}, q, {.root = root});
        INFO("p = " << p << ", q = " << q << ", root " << root);
        CHECK(value_of(claims, "words") ==
              static_cast<double>(q - own + (count - 1) * up(q, count)));
        CHECK(value_of(claims, "rounds") == 2 * (p - 1));
        if (q >= count) CHECK(value_of(claims, "startups") == (p > 1 ? 2 : 0));
      }
}

TEST_CASE("broadcast straight from the root") {
  collective_options const direct{.scheme = collective_scheme::direct, .root = 3};
  auto const claims = lockstep::broadcast_claims({.p = 12, .tau = 3, .packet = 8}, 20, direct);
  CHECK(value_of(claims, "rounds") == 11);
  CHECK(value_of(claims, "startups") == 1);
  CHECK(value_of(claims, "words") == 11 * 24);
  CHECK(value_of(claims, "volume") == 11 * 24);
  CHECK(value_of(claims, "messages") == 11);
  CHECK(value_of(claims, "time") == 3 + 11 * 24);
}

TEST_CASE("a transposition costs (p - 1)m ceil(q/(pm)) for every q") {
  for (std::uint64_t p = 1; p <= 20; ++p)
    for (std::uint64_t q = 0; q <= 100; ++q)
      for (std::uint64_t const m : {1U, 2U, 9U}) {
        INFO("p = " << p << ", q = " << q << ", m = " << m);
        auto const counts = lockstep::transpose_counts(static_cast<int>(p), q, m);
        CHECK(counts.words == (p - 1) * m * up(q, p * m));
        CHECK(counts.rounds == p - 1);
        CHECK(counts.startups == (p > 1 && q > 0 ? 1U : 0U));
        CHECK(counts.messages == (p - 1) * std::min(p, q));
      }
}

TEST_CASE("one element each, gathered in two phases") {
  for (std::uint64_t p = 1; p <= 130; ++p)
    for (std::uint64_t m = 1; m <= 40; ++m) {
      std::uint64_t b = 1;
      while (b < m && b * b < p) ++b;
      auto const two = lockstep::in_two_phases(static_cast<int>(p), m);
      auto const first_k = two.first_k == 0 ? two.k : two.first_k;
      auto const counts =
          circulant_all_gather_counts(pieces(p, static_cast<int>(p)), first_k, two.k, m);
      INFO("p = " << p << ", m = " << m);
      CHECK(counts.words == m * (b - 1) + m * up(b, m) * (up(p, b) - 1));
      CHECK(counts.rounds == b - 1 + up(p, b) - 1);
      CHECK(counts.volume == p * counts.words);
      CHECK(counts.messages == p * counts.rounds);
      for (std::uint64_t const tau : {m, 5 * m}) {  // Lemma 3.2
        CHECK(time_of(counts, tau) <= static_cast<double>(2 * tau + m * m + p));
        bdm_machine const on{static_cast<int>(p), tau, m};
        auto const chosen = cheapest_all_gather(on, p);
        auto const time = time_of(
            circulant_all_gather_counts(
                pieces(p, on.p), chosen.first_k == 0 ? chosen.k : chosen.first_k, chosen.k, m),
            tau);
        CHECK(time <= std::min(static_cast<double>(tau + m * (p - 1)), time_of(counts, tau)));
      }
    }
  auto const two = lockstep::in_two_phases(30, 32);
  CHECK(circulant_all_gather_counts(pieces(30, 30), two.first_k, two.k, 32).words == 288);
}

TEST_CASE("the cheaper way to scatter") {
  for (int p = 1; p <= 64; ++p)
    for (std::uint64_t const tau : {1U, 6U, 60U, 600U})
      for (std::size_t const n : {0U, 1U, 10U, 100U, 1000U}) {
        bdm_machine const on{p, tau, 1};
        auto const options = cheapest_scatter(on, n, 0);
        auto const time = time_of(piece_tree_counts(pieces(n, p), options.k, 0, 1), tau);
        auto const count = static_cast<std::uint64_t>(p);
        INFO("p = " << p << ", tau = " << tau << ", n = " << n);
        auto const phases = log_up(count, tau + 1);
        CHECK(time <= static_cast<double>(
                          std::min(2 * tau * phases + n, tau + (count - 1) * up(n, count))));
      }
  CHECK(lockstep::cheapest_scatter({64, 1, 1}, 64, 5).k == one_phase);
  auto const tree =
      lockstep::cheapest_scatter({64, 32, 32}, 64, 5);  // 12 start-ups, but fewer packets
  CHECK(tree.k == 2);
  CHECK(tree.root == 5);
}

TEST_CASE("bounds of k-ary trees where they were not made for") {
  collective_options const binary{.scheme = collective_scheme::k_ary, .k = 2};
  auto const erratum = [&](bdm_machine const& on) {
    return lockstep::broadcast_claims(on, 1, binary).back().erratum;
  };
  CHECK(erratum({5, 4, 4}).empty());
  CHECK_THAT(erratum({5, 3, 2}), has_text("tau of whole packets"));
  CHECK_THAT(erratum({5, 0, 2}), has_text("tau of whole packets"));
  CHECK(erratum({5, 8, 4}) == "made for k = tau/m + 1");
  // What fails: k = floor(tau/m) + 1, and ceil(tau/m) + 1.
  CHECK(time_of(lockstep::block_tree_counts(5, 1, 2, 2), 3) == 15);
  CHECK(value_of(lockstep::broadcast_claims({5, 3, 2}, 1, binary), "time") == 12);
  CHECK(time_of(lockstep::block_tree_counts(10, 1, 3, 5), 6) == 43);  // not 36
}

TEST_CASE("claims of machines that there are not") {
  CHECK_THROWS_AS(lockstep::transpose_counts(0, 1, 1), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::transpose_counts(1, 1, 0), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::block_tree_counts(4, 1, 1, 1), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::circulant_all_gather_counts(pieces(4, 4), 1, 2, 1),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::piece_tree_counts(pieces(4, 4), 2, 4, 1), lockstep::invalid_rank);
  CHECK_THROWS_AS(lockstep::in_two_phases(0, 1), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::in_two_phases(1, 0), lockstep::invalid_argument);
}
