#include <lockstep/algorithms/collectives/block_broadcast.hpp>

#include <cstdint>
#include <vector>

#include <lockstep/algorithms/textbook/allgather_digit.hpp>

#include "catch.hpp"
#include "collectives/collective_samples.hpp"
#include "experiments/refusal_of.hpp"

using lockstep::one_phase;
using lockstep::pieces;
using lockstep::processor;
using lockstep::scatter_options;
using reference::check_results;
using reference::made;
using reference::strict_crossbar;

namespace {

std::uint64_t ratio_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// Broadcasts a block, and checks that everybody has it.
auto broadcast_on(lockstep::machine const& on, std::size_t n, scatter_options const& options) {
  return check_results(
      on,
      [&](processor& me) {
        auto block = made(n, me.rank());
        block_broadcast(me, std::span(block), options);
        return block;
      },
      [&](int) { return made(n, options.root); });
}

/// Words of both halves for p = k^d.
std::uint64_t words_of_groups(std::uint64_t p, std::uint64_t k, std::uint64_t n, std::uint64_t m) {
  std::uint64_t words = 0;
  for (std::uint64_t power = k; power <= p; power *= k)
    words += (k - 1) * m * ratio_up(n, power * m);
  return 2 * words;
}

}  // namespace

TEST_CASE("block broadcast gives everybody the root's block, one element too") {
  for (int const p : {1, 2, 3, 7, 9, 16})
    for (int const k : {2, 3, 5, one_phase})
      for (std::size_t const n : {0U, 1U, 2U, 9U, 16U, 50U})
        for (int const root : {0, p - 1}) {
          INFO("p = " << p << ", k = " << k << ", n = " << n << ", root " << root);
          scatter_options const options{.k = k, .root = root};
          pieces const of(n, p);
          reference::check_counts(
              broadcast_on(strict_crossbar(p, 2), n, options).counts(),
              piece_tree_counts(of, k, root, 2) + circulant_all_gather_counts(of, k, k, 2));
        }
}

TEST_CASE("block broadcast takes the words of the paper's groups for p = k^d", "[sanitize]") {
  for (std::uint64_t const k : {2U, 3U, 4U})
    for (std::uint64_t p = k, d = 1; p <= 64; p *= k, ++d)
      for (std::uint64_t const m : {1U, 4U})
        for (std::uint64_t const n : {p, 6 * p}) {
          INFO("p = " << p << ", k = " << k << ", m = " << m << ", n = " << n);
          auto const run =
              broadcast_on(strict_crossbar(static_cast<int>(p), m), n, {.k = static_cast<int>(k)});
          CHECK(run.counts().startups == 2 * d);
          CHECK(run.counts().words == words_of_groups(p, k, n, m));
          CHECK(run.counts().rounds == 2 * d * (k - 1));
        }
}

TEST_CASE("the second way takes 2(p - 1)m ceil(n/(pm)) words if p divides n") {
  for (std::uint64_t const p : {2U, 5U, 12U})
    for (std::uint64_t const m : {1U, 4U})
      for (std::uint64_t const n : {p, 7 * p}) {
        auto const run = broadcast_on(strict_crossbar(static_cast<int>(p), m), n, {});
        CHECK(run.counts().words == 2 * (p - 1) * m * ratio_up(n, p * m));
        CHECK(run.counts().startups == 2);
      }
}

TEST_CASE("the paper's all-gather by digits gives the same, for the same words") {
  for (int const k : {2, 3, 4, 7})
    for (int p = 1; p <= 64; p *= k)
      for (std::uint64_t const m : {1U, 3U})
        for (std::size_t const n : {index(p), 5 * index(p), 24 * index(p)}) {
          INFO("p = " << p << ", k = " << k << ", m = " << m << ", n = " << n);
          auto const all = made(n);
          pieces const of(n, p);
          auto const on = strict_crossbar(p, m);
          auto const gather = [&](auto const& way) {
            return on.run([&](processor& me) {
              auto const mine = std::span(all).subspan(of.before(me.rank()), of.size(me.rank()));
              return way(me, mine);
            });
          };
          auto const by_digits = gather([&](processor& me, std::span<int const> mine) {
            return lockstep::textbook::allgather_digit(me, mine, n, k);
          });
          auto const by_shifts = gather([&](processor& me, std::span<int const> mine) {
            return all_gather(me, mine, n, {.k = k});
          });
          for (auto const& got : by_digits.results()) CHECK(got == all);
          CHECK(by_digits.results() == by_shifts.results());
          CHECK(by_digits.counts() == by_shifts.counts());
        }
}

TEST_CASE("the paper's all-gather by digits is for powers of k") {
  CHECK(refusal_of<lockstep::invalid_argument>(strict_crossbar(6), [](processor& me) {
          int const mine = 1;
          return lockstep::textbook::allgather_digit(me, std::span(&mine, 1), 6, 2).size();
        }) == "allgather_digit: p is a power of k; all_gather takes every p");
}

TEST_CASE("block broadcast counts the same with threads", "[threads]") {
  scatter_options const options{.k = 3, .root = 4};
  CHECK(broadcast_on(strict_crossbar(7, 2, lockstep::engine::threads), 30, options).counts() ==
        broadcast_on(strict_crossbar(7, 2), 30, options).counts());
}

TEST_CASE("block broadcast refuses k below 2 and roots that are not ranks") {
  CHECK_THROWS_AS(broadcast_on(strict_crossbar(4), 8, {.root = 4}), lockstep::error);
  CHECK(refusal_of<lockstep::invalid_argument>(strict_crossbar(4),
                                               [](processor& me) {
                                                 std::vector<int> block(8);
                                                 block_broadcast(me, std::span(block), {.k = 1});
                                               }) ==
        "block_broadcast: a tree cuts into k >= 2 parts, not 1; tree_arity(tau, m) tells the "
        "best");
}

TEST_CASE("what the header of block_broadcast shows") {
  lockstep::machine machine{lockstep::crossbar{9}};
  auto run = machine.run([](lockstep::processor& me) {
    std::vector<int> block(18, me.rank());
    lockstep::block_broadcast(me, std::span(block), {.k = 3});
    return block[17];
  });
  CHECK(run.results()[8] == 0);
  CHECK(run.counts().startups == 4);
  CHECK(run.counts().words == 32);
}
