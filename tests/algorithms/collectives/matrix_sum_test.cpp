#include <lockstep/algorithms/collectives/matrix_sum.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include <lockstep/algorithms/collectives/reduce_scatter.hpp>

#include "algorithms/stretch.hpp"
#include "catch.hpp"
#include "collectives/collective_samples.hpp"
#include "experiments/refusal_of.hpp"

using lockstep::one_phase;
using lockstep::pieces;
using lockstep::processor;
using reference::strict_crossbar;

namespace {

/// Adds up n x n matrices, and checks the sum at the root.
auto summed_on(lockstep::machine const& on, std::size_t n, lockstep::scatter_options const& options,
               std::vector<std::uint64_t>* additions = nullptr) {
  return reference::check_results(
      on,
      [&](processor& me) {
        auto const mine = reference::made(n * n, me.rank());
        std::uint64_t count = 0;
        auto const add = [&count](int a, int b) {
          ++count;
          return a + b;
        };
        auto sum = matrix_sum(me, add, std::span(mine), options);
        if (additions != nullptr) (*additions)[index(me.rank())] = count;
        return sum;
      },
      [&](int rank) {
        return rank == options.root ? reference::sums_of_all(on.size(), n * n) : std::vector<int>{};
      });
}

}  // namespace

TEST_CASE("the root gets the sum of matrices") {
  for (int const p : {1, 2, 3, 8, 9, 12})
    for (int const k : {2, 3, 4, one_phase})
      for (std::size_t const n : {0U, 1U, 2U, 5U, 6U})
        for (int const root : {0, p / 2}) {
          INFO("p = " << p << ", k = " << k << ", n = " << n << ", root " << root);
          pieces const of(n * n, p);
          reference::check_counts(
              summed_on(strict_crossbar(p, 3), n, {.k = k, .root = root}).counts(),
              circulant_all_gather_counts(of, k, k, 3) + piece_tree_counts(of, k, root, 3));
        }
}

TEST_CASE("a matrix sum takes n^2(1 - 1/p) additions in a processor") {
  for (int const p : {2, 4, 6, 9, 16})
    for (int const k : {2, 3, 4, one_phase})
      for (std::size_t const n : {5U, 12U, 13U}) {
        INFO("p = " << p << ", k = " << k << ", n = " << n);
        std::vector<std::uint64_t> additions(index(p));
        static_cast<void>(summed_on(strict_crossbar(p), n, {.k = k}, &additions));
        auto const piece = (n * n + index(p) - 1) / index(p);
        CHECK(std::ranges::max(additions) <= (index(p) - 1) * piece);
        if (n * n % index(p) == 0)
          for (auto const count : additions) CHECK(count == n * n - n * n / index(p));
      }
}

TEST_CASE("everybody gets its piece of the sums, by either half", "[sanitize]") {
  for (int const p : {1, 2, 5, 8, 9})
    for (int const k : {2, 3, one_phase})
      for (std::size_t const n : {0U, 1U, 3U, 6U}) {
        INFO("p = " << p << ", k = " << k << ", n = " << n);
        auto const sum = reference::sums_of_all(p, n * n);
        auto const run = reference::check_results(
            strict_crossbar(p, 2),
            [&](processor& me) {
              auto const mine = reference::made(n * n, me.rank());
              return reduce_scatter(me, std::plus<int>{}, std::span(mine), {.k = k});
            },
            [&](int rank) { return reference::piece(sum, rank, p); });
        reference::check_counts(run.counts(),
                                circulant_all_gather_counts(pieces(n * n, p), k, k, 2));
      }
}

TEST_CASE("with k >= p matrices are added in the order of ranks") {
  int const root = GENERATE(0, 3, 5);
  reference::check_results(
      strict_crossbar(6),
      [&](processor& me) {
        std::vector<stretch> const mine(9, {me.rank(), me.rank()});
        return matrix_sum(me, join_stretches{}, std::span(mine), {.root = root});
      },
      [&](int rank) {
        return std::vector<stretch>(rank == root ? 9 : 0, {0, 5});
      });
}

TEST_CASE("matrix sums count the same with threads", "[threads]") {
  lockstep::scatter_options const options{.k = 3, .root = 1};
  CHECK(summed_on(strict_crossbar(6, 2, lockstep::engine::threads), 5, options).counts() ==
        summed_on(strict_crossbar(6, 2), 5, options).counts());
}

TEST_CASE("matrices of two sizes, and k below 2, are refused") {
  CHECK_THROWS_AS(summed_on(strict_crossbar(4), 2, {.k = 1}), lockstep::error);
  CHECK(refusal_of<lockstep::invalid_argument>(
            strict_crossbar(4),
            [](processor& me) {
              std::vector<int> const mine(4);
              return reduce_scatter(me, std::plus<int>{}, std::span(mine), {.k = 1}).size();
            }) ==
        "reduce_scatter: a tree cuts into k >= 2 parts, not 1; tree_arity(tau, m) tells the "
        "best");
  CHECK_THROWS_AS(strict_crossbar(4).run([](processor& me) {
    std::vector<int> const mine(me.rank() == 0 ? 4 : 9);
    return matrix_sum(me, std::plus<int>{}, std::span(mine)).size();
  }),
                  lockstep::size_mismatch);
}

TEST_CASE("what the headers of matrix_sum and reduce_scatter show") {
  lockstep::machine machine{lockstep::crossbar{4}};
  auto run = machine.run([](lockstep::processor& me) {
    std::vector<int> const matrix{me.rank(), 1, 0, me.rank()};  // 2 x 2
    return lockstep::matrix_sum(me, std::plus<int>{}, std::span<int const>(matrix), {.k = 2});
  });
  CHECK(run.results()[0] == std::vector<int>{6, 4, 0, 6});
  CHECK(run.counts().words == 6);
  auto const halves = lockstep::machine{lockstep::crossbar{3}}.run([](lockstep::processor& me) {
    std::vector<int> const block{me.rank(), 1, 10, 100, 1000, 10000};
    return lockstep::reduce_scatter(me, std::plus<int>{}, std::span<int const>(block));
  });
  CHECK(halves.results()[1] == std::vector<int>{30, 300});
  CHECK(halves.counts().words == 4);
}
