#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/all_gather.hpp>
#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/algorithms/collectives/reduce.hpp>
#include <lockstep/algorithms/collectives/scatter.hpp>
#include <lockstep/algorithms/collectives/transpose.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"

using lockstep::collective_scheme;
using lockstep::processor;

namespace {

constexpr int sizes[] = {1, 2, 3, 5, 8, 9, 16, 27};
constexpr int ways[] = {2, 3, 4, 100};
using enum lockstep::access;
constexpr lockstep::access accesses[] = {messages, reads, writes};

/// n = 0, 1, p - 1, p, and numbers that p does not divide.
std::vector<std::size_t> sampled_lengths(int p) {
  auto const count = static_cast<std::size_t>(p);
  return {0, 1, count - 1, count, count + 1, 2 * count, 3 * count + count / 2, 61};
}

std::vector<int> made(std::size_t n, int from = 0) {
  std::vector<int> numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = 1000 * from + 7 * static_cast<int>(i) + 1;
  return numbers;
}

/// Elements [jn/p, (j+1)n/p).
std::vector<int> piece(std::vector<int> const& all, int j, int p) {
  auto const at = [&](int i) {
    return all.begin() + static_cast<std::ptrdiff_t>(index(i) * all.size() / index(p));
  };
  return {at(j), at(j + 1)};
}

lockstep::machine strict_crossbar(int p, lockstep::engine engine = lockstep::engine::fibers) {
  return lockstep::machine(lockstep::crossbar{p}, {.strict = true, .engine = engine, .workers = 1});
}

/// A stretch of ranks, which joins only with the next one: it tells in which order.
struct stretch {
  int first = 0;
  int last = -1;
  bool is_torn = false;

  friend bool operator==(stretch const&, stretch const&) = default;
};

struct join {
  stretch operator()(stretch const& a, stretch const& b) const {
    return {a.first, b.last, a.is_torn || b.is_torn || a.last + 1 != b.first};
  }
};

}  // namespace

TEST_CASE("scatter deals pieces out, and gather brings them back") {
  for (int const p : sizes)
    for (int const k : ways)
      for (auto const n : sampled_lengths(p))
        for (int root = 0; root < p; root += p / 3 + 1) {
          INFO("p = " << p << ", k = " << k << ", n = " << n << ", root " << root);
          auto const all = made(n);
          lockstep::scatter_options const options{.k = k, .root = root};
          auto const dealt = strict_crossbar(p).run([&](processor& me) {
            std::vector<int> const mine = me.rank() == root ? all : std::vector<int>{};
            return scatter(me, std::span(mine), n, options);
          });
          for (int rank = 0; rank < p; ++rank)
            CHECK(dealt.results()[index(rank)] == piece(all, rank, p));
          auto const brought = strict_crossbar(p).run([&](processor& me) {
            return gather(me, std::span<int const>(piece(all, me.rank(), p)), n, options);
          });
          for (int rank = 0; rank < p; ++rank)
            CHECK(brought.results()[index(rank)] == (rank == root ? all : std::vector<int>{}));
        }
}

TEST_CASE("all_gather brings pieces together everywhere") {
  for (int const p : sizes)
    for (int const k : ways)
      for (int const first_k : {0, 2, 5})
        for (auto const n : sampled_lengths(p)) {
          INFO("p = " << p << ", k = " << k << ", first " << first_k << ", n = " << n);
          auto const all = made(n);
          auto const run = strict_crossbar(p).run([&](processor& me) {
            return all_gather(me, std::span<int const>(piece(all, me.rank(), p)), n,
                              {.k = k, .first_k = first_k});
          });
          for (int rank = 0; rank < p; ++rank) {
            CHECK(run.results()[index(rank)] == all);
            CHECK(run.processors()[index(rank)].words_received ==
                  n - piece(all, rank, p).size());  // what it lacks, once
          }
        }
}

TEST_CASE("all_gather of one element each") {
  for (int const p : sizes)
    for (std::uint64_t const packet : {1U, 3U, 8U, 100U}) {
      auto const run = strict_crossbar(p).run([&](processor& me) {
        return all_gather(me, 10 * me.rank(), lockstep::in_two_phases(p, packet));
      });
      for (auto const& all : run.results()) {
        REQUIRE(all.size() == index(p));
        for (int rank = 0; rank < p; ++rank) CHECK(all[index(rank)] == 10 * rank);
      }
    }
}

TEST_CASE("broadcast gives everybody the root's block") {
  for (auto const scheme : lockstep::all_collective_schemes)
    for (int const p : sizes)
      for (int const k : ways)
        for (auto const n : sampled_lengths(p))
          for (int root = 0; root < p; root += p / 2 + 1) {
            INFO(name_of(scheme) << ", p = " << p << ", k = " << k << ", n = " << n << ", root "
                                 << root);
            auto const run = strict_crossbar(p).run([&](processor& me) {
              auto block = made(n, me.rank());
              broadcast(me, std::span(block), {.scheme = scheme, .k = k, .root = root});
              return block;
            });
            for (auto const& block : run.results()) CHECK(block == made(n, root));
          }
}

TEST_CASE("broadcast of one element") {
  auto const run = strict_crossbar(9).run([](processor& me) {
    return broadcast(me, me.rank() + 0.5, {.scheme = collective_scheme::k_ary, .k = 3, .root = 4});
  });
  for (double const got : run.results()) CHECK(got == 4.5);
  CHECK(run.counts().startups == 2);
  CHECK(run.counts().words == 4);
}

TEST_CASE("reduce and all_reduce add blocks up") {
  for (auto const scheme : lockstep::all_collective_schemes)
    for (int const p : sizes)
      for (int const k : ways)
        for (auto const n : sampled_lengths(p))
          for (int root = 0; root < p; root += p / 2 + 1) {
            INFO(name_of(scheme) << ", p = " << p << ", k = " << k << ", n = " << n << ", root "
                                 << root);
            std::vector<int> sums(n);
            for (int rank = 0; rank < p; ++rank)
              std::ranges::transform(sums, made(n, rank), sums.begin(), std::plus<>{});
            lockstep::collective_options const options{.scheme = scheme, .k = k, .root = root};
            auto const to_root = strict_crossbar(p).run([&](processor& me) {
              auto const block = made(n, me.rank());
              return reduce(me, std::plus<int>{}, std::span(block), options);
            });
            for (int rank = 0; rank < p; ++rank)
              CHECK(to_root.results()[index(rank)] == (rank == root ? sums : std::vector<int>{}));
            auto const to_all = strict_crossbar(p).run([&](processor& me) {
              auto const block = made(n, me.rank());
              return all_reduce(me, std::plus<int>{}, std::span(block), options);
            });
            for (auto const& got : to_all.results()) CHECK(got == sums);
          }
}

TEST_CASE("operands are combined in rank order") {
  for (auto const scheme : lockstep::all_collective_schemes)
    for (int const p : sizes)
      for (int const k : ways)
        for (std::size_t const n : {1U, 4U, 30U}) {
          if (scheme == collective_scheme::k_ary && n > 1 && p > k) continue;  // commutative only
          for (int root = 0; root < p; ++root) {
            INFO(name_of(scheme) << ", p = " << p << ", k = " << k << ", n = " << n << ", root "
                                 << root);
            lockstep::collective_options const options{.scheme = scheme, .k = k, .root = root};
            std::vector<stretch> const all(n, {0, p - 1, false});
            auto const run = strict_crossbar(p).run([&](processor& me) {
              std::vector<stretch> const own(n, {me.rank(), me.rank(), false});
              auto const sums = reduce(me, join{}, std::span(own), options);
              auto const everywhere = all_reduce(me, join{}, std::span(own), options);
              return (me.rank() != root || sums == all) && everywhere == all;
            });
            for (auto const is_right : run.results()) CHECK(is_right);
          }
        }
}

TEST_CASE("reduce and all_reduce of one element each") {
  auto const run = strict_crossbar(11).run([](processor& me) {
    auto const sum = reduce(me, std::plus<int>{}, me.rank(), {.root = 3});
    auto const product = all_reduce(me, [](double a, double b) { return a * b; }, 2.0,
                                    {.scheme = collective_scheme::direct});
    return (sum == (me.rank() == 3 ? std::optional(55) : std::nullopt)) && product == 2048;
  });
  for (auto const is_right : run.results()) CHECK(is_right);
}

TEST_CASE("transpose brings rows together") {
  for (int const p : sizes)
    for (auto const q : sampled_lengths(p))
      for (auto const how : accesses) {
        INFO("p = " << p << ", q = " << q << ", " << name_of(how));
        auto const run = strict_crossbar(p).run([&](processor& me) {
          std::vector<int> column(q);
          for (std::size_t r = 0; r < q; ++r) column[r] = 100 * static_cast<int>(r) + me.rank();
          return transpose(me, column, how);
        });
        std::vector<int> by_rows;
        for (std::size_t r = 0; r < q; ++r)
          for (int c = 0; c < p; ++c) by_rows.push_back(100 * static_cast<int>(r) + c);
        for (int rank = 0; rank < p; ++rank) {
          auto const first = index(rank) * q / index(p) * index(p);
          auto const last = index(rank + 1) * q / index(p) * index(p);
          CHECK(run.results()[index(rank)] ==
                std::vector<int>(by_rows.begin() + static_cast<std::ptrdiff_t>(first),
                                 by_rows.begin() + static_cast<std::ptrdiff_t>(last)));
        }
      }
}

namespace {

/// All collectives one after another, checked; counts of the run.
lockstep::counts counts_of_all(int p, std::size_t n, int k, int root, lockstep::access how,
                               lockstep::engine engine = lockstep::engine::fibers) {
  auto const run = strict_crossbar(p, engine).run([&](processor& me) {
    auto const all = made(n);
    auto const mine = piece(all, me.rank(), p);
    lockstep::scatter_options const along_tree{.k = k, .root = root, .how = how};
    bool is_right = scatter(me, std::span(all), n, along_tree) == mine;
    is_right &= gather(me, std::span(mine), n, along_tree).size() == (me.rank() == root ? n : 0);
    is_right &= all_gather(me, std::span(mine), n, {.k = k, .how = how}) == all;
    is_right &= transpose(me, all, how).size() == mine.size() * index(p);
    for (auto const scheme : lockstep::all_collective_schemes) {
      lockstep::collective_options const options{scheme, k, root, how};
      auto block = made(n, me.rank());
      broadcast(me, std::span(block), options);
      is_right &= block == made(n, root);
      is_right &= broadcast(me, me.rank(), options) == root;
      auto const sums = all_reduce(me, std::plus<int>{}, std::span(all), options);
      auto const at_root = reduce(me, std::plus<int>{}, std::span(all), options);
      is_right &= me.rank() != root || at_root == sums;
      is_right &= n == 0 || sums.back() == p * all.back();
      is_right &= all_reduce(me, std::plus<int>{}, 1, options) == p;
    }
    return is_right;
  });
  for (auto const is_right : run.results()) CHECK(is_right);
  CHECK(run.counts().queued == 0);
  CHECK(run.counts().contention <= 1);
  return run.counts();
}

}  // namespace

TEST_CASE("reads and writes count as the messages that they cause") {
  for (int const p : {1, 2, 5, 9})
    for (std::size_t const n : {0U, 1U, 4U, 23U}) {
      auto const two_sided = counts_of_all(p, n, 3, p / 2, messages);
      CHECK(counts_of_all(p, n, 3, p / 2, reads) == two_sided);
      CHECK(counts_of_all(p, n, 3, p / 2, writes) == two_sided);
      CHECK((p == 1 || two_sided.rounds > 0));
    }
}

TEST_CASE("collectives of processors that are threads", "[threads]") {
  for (auto const how : accesses)
    CHECK(counts_of_all(5, 12, 2, 1, how, lockstep::engine::threads) ==
          counts_of_all(5, 12, 2, 1, how));
}

TEST_CASE("collectives, small", "[sanitize]") {
  for (auto const how : accesses) CHECK(counts_of_all(4, 9, 2, 3, how).volume > 0);
}

TEST_CASE("groups have collectives of their own at the same time") {
  for (auto const how : accesses) {
    auto const run = strict_crossbar(12).run([how](processor& whole) {
      bool const even = whole.rank() % 2 == 0;
      std::vector<int> const members =
          even ? std::vector<int>{10, 0, 4, 2, 8, 6} : std::vector<int>{1, 3, 5, 7, 9, 11};
      auto me = whole.subset(members);
      lockstep::collective_options const options{
          even ? collective_scheme::k_ary : collective_scheme::transpose, 3, 2, how};
      std::vector<int> block(7, whole.rank());
      broadcast(me, std::span(block), options);
      auto const ranks = all_gather(me, whole.rank(), {.k = even ? 2 : 4, .how = how});
      auto const sum = all_reduce(me, std::plus<int>{}, whole.rank(), options);
      return block == std::vector<int>(7, even ? 4 : 5) && ranks == members &&
             sum == (even ? 30 : 36);
    });
    for (auto const is_right : run.results()) CHECK(is_right);
  }
}

TEST_CASE("collectives refuse what they cannot do") {
  lockstep::machine const machine{lockstep::crossbar{4}};
  std::vector<int> const three(3);
  auto const refused = [&](auto const& program) {
    return refusal_of<lockstep::invalid_argument>(machine, [&](processor& me) {
      static_cast<void>(program(me));
      return 0;
    });
  };
  CHECK_THAT(refused([&](auto& me) { return scatter(me, std::span(three), 4); }),
             has_text("scatter: this processor has 3 elements; it needs 4"));
  CHECK_THAT(refused([&](auto& me) { return gather(me, std::span(three), 8); }),
             has_text("gather: this processor has 3 elements; it needs 2"));
  CHECK_THAT(refused([&](auto& me) { return all_gather(me, std::span(three), 8); }),
             has_text("all_gather: this processor has 3 elements; it needs 2"));
  CHECK_THAT(refused([&](auto& me) { return scatter(me, std::span(three), 3, {.k = 1}); }),
             has_text("scatter: a tree cuts into k >= 2 parts, not 1"));
  CHECK_THAT(refused([&](auto& me) { return all_gather(me, 1, {.k = 0}); }),
             has_text("all_gather: a tree cuts into k >= 2 parts, not 0"));
  CHECK_THAT(refused([&](auto& me) { return all_gather(me, 1, {.first_k = 1}); }),
             has_text("all_gather: a tree cuts into k >= 2 parts, not 1"));
  lockstep::collective_options const unary{.scheme = collective_scheme::k_ary, .k = 1};
  CHECK_THAT(refused([&](auto& me) { return broadcast(me, 1, unary); }),
             has_text("broadcast: a tree cuts"));
  CHECK_THAT(refused([&](auto& me) { return reduce(me, std::plus<int>{}, 1, unary); }),
             has_text("reduce: a tree cuts"));
  CHECK_THAT(refused([&](auto& me) { return all_reduce(me, std::plus<int>{}, 1, unary); }),
             has_text("all_reduce: a tree cuts"));
}

TEST_CASE("a root has to be a processor") {
  lockstep::machine const machine{lockstep::crossbar{4}};
  auto const refused = [&](auto const& program) {
    return refusal_of<lockstep::invalid_rank>(machine, [&](processor& me) {
      static_cast<void>(program(me));
      return 0;
    });
  };
  std::vector<int> const one(1);
  for (int const root : {-1, 4}) {
    auto const text = "no processor " + std::to_string(root) + " to be the root, only 0 to 3";
    CHECK_THAT(refused([&](auto& me) { return broadcast(me, 1, {.root = root}); }),
               has_text("broadcast: there is " + text));
    CHECK_THAT(refused([&](auto& me) { return reduce(me, std::plus<int>{}, 1, {.root = root}); }),
               has_text("reduce: there is " + text));
    CHECK_THAT(refused([&](auto& me) { return scatter(me, std::span(one), 1, {.root = root}); }),
               has_text("scatter: there is " + text));
    CHECK_THAT(refused([&](auto& me) { return gather(me, std::span(one), 4, {.root = root}); }),
               has_text("gather: there is " + text));
  }
}

TEST_CASE("blocks have to be of one size") {
  lockstep::machine const machine{lockstep::crossbar{3}};
  auto const columns = [](processor& me) {
    return transpose(me, std::vector<int>(me.rank() == 2 ? 9 : 6));
  };
  CHECK_THROWS_AS(machine.run(columns), lockstep::size_mismatch);
  auto const blocks = [](processor& me) {
    std::vector<int> const block(me.rank() == 2 ? 9 : 6);
    return reduce(me, std::plus<int>{}, std::span(block));
  };
  CHECK_THROWS_AS(machine.run(blocks), lockstep::size_mismatch);
}

TEST_CASE("a tree's arity and phases are whole numbers") {
  CHECK(lockstep::tree_arity(16, 1) == 17);
  CHECK(lockstep::tree_arity(16, 16) == 2);
  CHECK(lockstep::tree_arity(std::uint64_t{1} << 40U, 1) == lockstep::one_phase);
  CHECK_THROWS_WITH(lockstep::tree_arity(0, 4),
                    has_text("tau = 0 is not a whole number of") && has_text("give tau 4, say"));
  CHECK_THROWS_WITH(lockstep::tree_arity(10, 4), has_text("give tau 8, say"));
  CHECK_THROWS_WITH(lockstep::tree_arity(2, 4), has_text("give tau 4, say"));
  CHECK_THROWS_AS(lockstep::tree_arity(2, 0), lockstep::invalid_argument);
  CHECK(lockstep::tree_phases(1, 2) == 0);
  CHECK(lockstep::tree_phases(125, 5) == 3);
  CHECK(lockstep::tree_phases(216, 6) == 3);
  CHECK(lockstep::tree_phases(217, 6) == 4);
  CHECK(lockstep::tree_phases(lockstep::one_phase, lockstep::one_phase) == 1);
  for (int const p : {1, 5, 125}) CHECK(lockstep::is_power_of(5, p));
  for (int const p : {2, 24, 126}) CHECK_FALSE(lockstep::is_power_of(5, p));
  CHECK_FALSE(lockstep::is_power_of(lockstep::one_phase, lockstep::one_phase - 1));
  CHECK_THROWS_AS(lockstep::tree_phases(0, 2), lockstep::invalid_argument);
  CHECK_THROWS_AS(lockstep::tree_phases(4, 1), lockstep::invalid_argument);
}

TEST_CASE("the collectives' documentation is right") {
  auto const dealt = lockstep::machine{lockstep::crossbar{4}}.run([](processor& me) {
    std::vector<int> all;
    if (me.rank() == 0) all = {10, 11, 12, 13, 14, 15, 16, 17};
    return lockstep::scatter(me, std::span<int const>(all), 8);
  });
  CHECK(dealt.results()[3] == std::vector{16, 17});
  CHECK(dealt.counts().words == 6);

  auto const gathered = lockstep::machine{lockstep::crossbar{3}}.run([](processor& me) {
    std::array const mine{10 * me.rank(), 10 * me.rank() + 1};
    return lockstep::all_gather(me, std::span<int const>(mine), 6);
  });
  CHECK(gathered.results()[1] == std::vector{0, 1, 10, 11, 20, 21});
  CHECK(gathered.counts().words == 4);

  auto const told = lockstep::machine{lockstep::crossbar{4}}.run([](processor& me) {
    std::vector<int> block(8, me.rank());
    lockstep::broadcast(me, std::span(block), {.root = 2});
    return block[7];
  });
  CHECK(told.results()[0] == 2);
  CHECK(told.counts().words == 12);

  auto const summed = lockstep::machine{lockstep::crossbar{9}}.run([](processor& me) {
    std::vector<int> const block{me.rank(), 1};
    return lockstep::reduce(me, std::plus<int>{}, std::span<int const>(block));
  });
  CHECK(summed.results()[0] == std::vector{36, 9});

  auto const everywhere = lockstep::machine{lockstep::crossbar{8}}.run([](processor& me) {
    return lockstep::all_reduce(me, std::plus<int>{}, me.rank(),
                                {.scheme = collective_scheme::k_ary});
  });
  CHECK(everywhere.results()[5] == 28);
  CHECK(everywhere.counts().startups == 6);

  auto const rotated = lockstep::machine{lockstep::crossbar{3}}.run([](processor& me) {
    int const c = me.rank();
    return lockstep::transpose(me, std::vector<int>{c, 10 + c, 20 + c, 30 + c});
  });
  CHECK(rotated.results()[2] == std::vector{20, 21, 22, 30, 31, 32});
  CHECK(rotated.counts().words == 4);
}
