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

#include "algorithms/stretch.hpp"
#include "catch.hpp"
#include "collectives/collective_samples.hpp"
#include "experiments/refusal_of.hpp"

using lockstep::collective_scheme;
using lockstep::processor;
using reference::check_results;
using reference::int_list;
using reference::made;
using reference::piece;
using reference::strict_crossbar;

namespace {

using enum lockstep::access;
constexpr lockstep::access accesses[] = {messages, reads, writes};
constexpr int sizes[] = {1, 2, 3, 5, 8, 9, 16, 27};

/// n = 0, 1, p - 1, p, and numbers that p does not divide.
std::vector<std::size_t> sampled_lengths(int p) {
  auto const count = index(p);
  return {0, 1, count - 1, count, count + 1, 2 * count, 3 * count + count / 2, 61};
}

/// Calls check(p, k, n, root) for machines, ways and lengths of all kinds, and some roots.
template <class Check>
void for_each_case(Check const& check) {
  for (int const p : sizes)
    for (int const k : {2, 3, 4, 100})
      for (auto const n : sampled_lengths(p))
        for (int root = 0; root < p; root += p / 3 + 1) {
          INFO("p = " << p << ", k = " << k << ", n = " << n << ", root " << root);
          check(p, k, n, root);
        }
}

/// All collectives one after another, checked; counts of the run.
lockstep::counts counts_of_all(int p, std::size_t n, int k, int root, lockstep::access how,
                               lockstep::engine engine = lockstep::engine::fibers) {
  auto const run = strict_crossbar(p, 1, engine).run([&](processor& me) {
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

TEST_CASE("scatter deals pieces out, and gather brings them back") {
  for_each_case([](int p, int k, std::size_t n, int root) {
    auto const all = made(n);
    lockstep::scatter_options const options{.k = k, .root = root};
    check_results(
        strict_crossbar(p),
        [&](processor& me) {
          int_list const mine = me.rank() == root ? all : int_list{};
          return scatter(me, std::span(mine), n, options);
        },
        [&](int rank) { return piece(all, rank, p); });
    check_results(
        strict_crossbar(p),
        [&](processor& me) {
          return gather(me, std::span<int const>(piece(all, me.rank(), p)), n, options);
        },
        [&](int rank) { return rank == root ? all : int_list{}; });
  });
}

TEST_CASE("all_gather brings pieces together everywhere") {
  for (int const first_k : {0, 2, 5})
    for_each_case([&](int p, int k, std::size_t n, int root) {
      if (root > 0) return;
      INFO("first " << first_k);
      auto const all = made(n);
      auto const run = check_results(
          strict_crossbar(p),
          [&](processor& me) {
            return all_gather(me, std::span<int const>(piece(all, me.rank(), p)), n,
                              {.k = k, .first_k = first_k});
          },
          [&](int) { return all; });
      for (int rank = 0; rank < p; ++rank)
        CHECK(run.processors()[index(rank)].words_received ==
              n - piece(all, rank, p).size());  // what it lacks, once
    });
}

TEST_CASE("all_gather of one element each") {
  for (int const p : sizes)
    for (std::uint64_t const packet : {1U, 3U, 8U, 100U}) {
      int_list ranks(index(p));
      std::iota(ranks.begin(), ranks.end(), 0);
      check_results(
          strict_crossbar(p),
          [&](processor& me) {
            return all_gather(me, me.rank(), lockstep::in_two_phases(p, packet));
          },
          [&](int) { return ranks; });
    }
}

TEST_CASE("broadcast gives everybody the root's block, reduce and all_reduce add blocks up") {
  auto const scheme = GENERATE(from_range(lockstep::all_collective_schemes));
  INFO(name_of(scheme));
  for_each_case([&](int p, int k, std::size_t n, int root) {
    lockstep::collective_options const options{.scheme = scheme, .k = k, .root = root};
    check_results(
        strict_crossbar(p),
        [&](processor& me) {
          auto block = made(n, me.rank());
          broadcast(me, std::span(block), options);
          return block;
        },
        [&](int) { return made(n, root); });
    auto const sums = reference::sums_of_all(p, n);
    check_results(
        strict_crossbar(p),
        [&](processor& me) {
          auto const block = made(n, me.rank());
          return reduce(me, std::plus<int>{}, std::span(block), options);
        },
        [&](int rank) { return rank == root ? sums : int_list{}; });
    check_results(
        strict_crossbar(p),
        [&](processor& me) {
          auto const block = made(n, me.rank());
          return all_reduce(me, std::plus<int>{}, std::span(block), options);
        },
        [&](int) { return sums; });
  });
}

TEST_CASE("collectives of one element") {
  auto const run = check_results(
      strict_crossbar(9),
      [](processor& me) {
        return broadcast(me, me.rank() + 0.5,
                         {.scheme = collective_scheme::k_ary, .k = 3, .root = 4});
      },
      [](int) { return 4.5; });
  CHECK(run.counts().startups == 2);
  CHECK(run.counts().words == 4);
  check_results(
      strict_crossbar(11),
      [](processor& me) { return reduce(me, std::plus<int>{}, me.rank(), {.root = 3}); },
      [](int rank) { return rank == 3 ? std::optional(55) : std::nullopt; });
  check_results(
      strict_crossbar(11),
      [](processor& me) {
        return all_reduce(me, std::multiplies<double>{}, 2.0,
                          {.scheme = collective_scheme::direct});
      },
      [](int) { return 2048.0; });
}

TEST_CASE("operands are combined in rank order") {
  auto const scheme = GENERATE(from_range(lockstep::all_collective_schemes));
  INFO(name_of(scheme));
  for (int const p : sizes)
    for (int const k : {2, 3, 4, 100})
      for (std::size_t const n : {1U, 4U, 30U}) {
        if (scheme == collective_scheme::k_ary && n > 1 && p > k) continue;  // commutative only
        for (int root = 0; root < p; ++root) {
          INFO("p = " << p << ", k = " << k << ", n = " << n << ", root " << root);
          lockstep::collective_options const options{.scheme = scheme, .k = k, .root = root};
          std::vector<stretch> const all(n, {0, p - 1});
          check_results(
              strict_crossbar(p),
              [&](processor& me) {
                std::vector<stretch> const own(n, {me.rank(), me.rank()});
                auto const sums = reduce(me, join_stretches{}, std::span(own), options);
                auto const everywhere = all_reduce(me, join_stretches{}, std::span(own), options);
                return (me.rank() != root || sums == all) && everywhere == all;
              },
              [](int) { return true; });
        }
      }
}

TEST_CASE("transpose brings rows together") {
  for (int const p : sizes)
    for (auto const q : sampled_lengths(p))
      for (auto const how : accesses) {
        INFO("p = " << p << ", q = " << q << ", " << name_of(how));
        check_results(
            strict_crossbar(p),
            [&](processor& me) {
              int_list column(q);
              for (std::size_t r = 0; r < q; ++r) column[r] = 100 * static_cast<int>(r) + me.rank();
              return transpose(me, column, how);
            },
            [&](int rank) {
              int_list rows;
              for (auto r = index(rank) * q / index(p); r < index(rank + 1) * q / index(p); ++r)
                for (int c = 0; c < p; ++c) rows.push_back(100 * static_cast<int>(r) + c);
              return rows;
            });
      }
}

TEST_CASE("reads and writes count as the messages that they cause") {
  for (int const p : {1, 2, 5, 9})
    for (std::size_t const n : {0U, 1U, 4U, 23U}) {
      auto const two_sided = counts_of_all(p, n, 3, p / 2, messages);
      CHECK(counts_of_all(p, n, 3, p / 2, reads) == two_sided);
      CHECK(counts_of_all(p, n, 3, p / 2, writes) == two_sided);
      CHECK((p == 1 || two_sided.rounds > 0));
    }
}

TEST_CASE("collectives of processors that are threads", "[threads][sanitize]") {
  for (auto const how : accesses)
    CHECK(counts_of_all(5, 12, 2, 1, how, lockstep::engine::threads) ==
          counts_of_all(5, 12, 2, 1, how));
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
  std::vector<int> const three(3);
  auto const check = [&](auto const& program, std::string const& text) {
    CHECK_THAT(refusal_of<lockstep::invalid_argument>(lockstep::machine{lockstep::crossbar{4}},
                                                      [&](processor& me) {
                                                        static_cast<void>(program(me));
                                                        return 0;
                                                      }),
               has_text(text));
  };
  check([&](auto& me) { return scatter(me, std::span(three), 4); },
        "scatter: this processor has 3 elements; it needs 4");
  check([&](auto& me) { return gather(me, std::span(three), 8); },
        "gather: this processor has 3 elements; it needs 2");
  check([&](auto& me) { return all_gather(me, std::span(three), 8); },
        "all_gather: this processor has 3 elements; it needs 2");
  check([&](auto& me) { return scatter(me, std::span(three), 3, {.k = 1}); },
        "scatter: a tree cuts into k >= 2 parts, not 1");
  check([&](auto& me) { return all_gather(me, 1, {.k = 0}); },
        "all_gather: a tree cuts into k >= 2 parts, not 0");
  check([&](auto& me) { return all_gather(me, 1, {.first_k = 1}); },
        "all_gather: a tree cuts into k >= 2 parts, not 1");
  lockstep::collective_options const unary{.scheme = collective_scheme::k_ary, .k = 1};
  check([&](auto& me) { return broadcast(me, 1, unary); }, "broadcast: a tree cuts");
  check([&](auto& me) { return reduce(me, std::plus<int>{}, 1, unary); }, "reduce: a tree cuts");
  check([&](auto& me) { return all_reduce(me, std::plus<int>{}, 1, unary); },
        "all_reduce: a tree cuts");
}

TEST_CASE("a root has to be a processor") {
  int const root = GENERATE(-1, 4);
  auto const check = [&](std::string const& name, auto const& program) {
    CHECK_THAT(refusal_of<lockstep::invalid_rank>(lockstep::machine{lockstep::crossbar{4}},
                                                  [&](processor& me) {
                                                    static_cast<void>(program(me));
                                                    return 0;
                                                  }),
               has_text(name + ": there is no processor " + std::to_string(root) +
                        " to be the root, only 0 to 3"));
  };
  std::vector<int> const one(1);
  check("broadcast", [&](auto& me) { return broadcast(me, 1, {.root = root}); });
  check("reduce", [&](auto& me) { return reduce(me, std::plus<int>{}, 1, {.root = root}); });
  check("scatter", [&](auto& me) { return scatter(me, std::span(one), 1, {.root = root}); });
  check("gather", [&](auto& me) { return gather(me, std::span(one), 4, {.root = root}); });
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
