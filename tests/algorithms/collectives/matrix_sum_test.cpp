#include <lockstep/algorithms/collectives/matrix_sum.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include <lockstep/algorithms/collectives/reduce_scatter.hpp>
#include <lockstep/algorithms/collectives/schedule_counts.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"

using lockstep::one_phase;
using lockstep::pieces;
using lockstep::processor;

namespace {

lockstep::machine strict_machine(int p, std::uint64_t packet = 1,
                                 lockstep::engine engine = lockstep::engine::fibers) {
  return lockstep::machine(lockstep::crossbar{p},
                           {.strict = true, .packet = packet, .engine = engine, .workers = 1});
}

std::vector<int> matrix_of(int rank, std::size_t n) {
  std::vector<int> matrix(n * n);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    matrix[i] = (rank + 3) * (static_cast<int>(i) + 1);
  return matrix;
}

std::vector<int> sum_by_hand(int p, std::size_t n) {
  std::vector<int> sum(n * n);
  for (int rank = 0; rank < p; ++rank)
    std::ranges::transform(sum, matrix_of(rank, n), sum.begin(), std::plus<>{});
  return sum;
}

auto summed_on(lockstep::machine const& on, std::size_t n, lockstep::scatter_options const& options,
               std::vector<std::uint64_t>* additions = nullptr) {
  return on.run([&](processor& me) {
    auto const mine = matrix_of(me.rank(), n);
    std::uint64_t count = 0;
    auto const add = [&count](int a, int b) {
      ++count;
      return a + b;
    };
    auto sum = matrix_sum(me, add, std::span(mine), options);
    if (additions != nullptr) (*additions)[index(me.rank())] = count;
    return sum;
  });
}

}  // namespace

TEST_CASE("the root gets the sum of matrices") {
  for (int const p : {1, 2, 3, 8, 9, 12})
    for (int const k : {2, 3, 4, one_phase})
      for (std::size_t const n : {0U, 1U, 2U, 5U, 6U})
        for (int const root : {0, p / 2}) {
          INFO("p = " << p << ", k = " << k << ", n = " << n << ", root " << root);
          auto const run = summed_on(strict_machine(p, 3), n, {.k = k, .root = root});
          for (int rank = 0; rank < p; ++rank)
            CHECK(run.results()[index(rank)] ==
                  (rank == root ? sum_by_hand(p, n) : std::vector<int>{}));
          pieces const of(n * n, p);
          auto const counted =
              circulant_all_gather_counts(of, k, k, 3) + piece_tree_counts(of, k, root, 3);
          CHECK(run.counts().words == counted.words);
          CHECK(run.counts().startups == counted.startups);
          CHECK(run.counts().volume == counted.volume);
        }
}

TEST_CASE("a matrix sum takes n^2(1 - 1/p) additions in a processor") {
  for (int const p : {2, 4, 6, 9, 16})
    for (int const k : {2, 3, 4, one_phase})
      for (std::size_t const n : {5U, 12U, 13U}) {
        INFO("p = " << p << ", k = " << k << ", n = " << n);
        std::vector<std::uint64_t> additions(index(p));
        static_cast<void>(summed_on(strict_machine(p), n, {.k = k}, &additions));
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
        auto const run = strict_machine(p, 2).run([&](processor& me) {
          auto const mine = matrix_of(me.rank(), n);
          return reduce_scatter(me, std::plus<int>{}, std::span(mine), {.k = k});
        });
        auto const sum = sum_by_hand(p, n);
        pieces const of(n * n, p);
        for (int rank = 0; rank < p; ++rank)
          CHECK(std::ranges::equal(run.results()[index(rank)],
                                   std::span(sum).subspan(of.before(rank), of.size(rank))));
        auto const counted = circulant_all_gather_counts(of, k, k, 2);
        CHECK(run.counts().words == counted.words);
        CHECK(run.counts().startups == counted.startups);
      }
}

TEST_CASE("with k >= p matrices are added in the order of ranks") {
  // Strings of the form a..b, of which only neighbours join.
  struct range {
    int first;
    int last;
  };
  auto const join = [](range const& a, range const& b) {
    return a.last + 1 == b.first ? range{a.first, b.last} : range{-1, -1};
  };
  for (int const root : {0, 3, 5}) {
    auto const run = strict_machine(6).run([&](processor& me) {
      std::vector<range> const mine(9, {me.rank(), me.rank()});
      auto const sum = matrix_sum(me, join, std::span(mine), {.root = root});
      return std::ranges::all_of(sum,
                                 [](range const& all) { return all.first == 0 && all.last == 5; });
    });
    for (bool const is_right : run.results()) CHECK(is_right);
  }
}

TEST_CASE("matrix sums count the same with threads", "[threads]") {
  auto const on_fibers = summed_on(strict_machine(6, 2), 5, {.k = 3, .root = 1});
  auto const on_threads =
      summed_on(strict_machine(6, 2, lockstep::engine::threads), 5, {.k = 3, .root = 1});
  CHECK(on_threads.results() == on_fibers.results());
  CHECK(on_threads.counts() == on_fibers.counts());
}

TEST_CASE("matrices of two sizes, and k below 2, are refused") {
  CHECK_THROWS_AS(summed_on(strict_machine(4), 2, {.k = 1}), lockstep::error);
  CHECK(refusal_of<lockstep::invalid_argument>(
            strict_machine(4),
            [](processor& me) {
              std::vector<int> const mine(4);
              return reduce_scatter(me, std::plus<int>{}, std::span(mine), {.k = 1}).size();
            }) ==
        "reduce_scatter: a tree cuts into k >= 2 parts, not 1; tree_arity(tau, m) tells the "
        "best");
  CHECK_THROWS_AS(strict_machine(4).run([](processor& me) {
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
