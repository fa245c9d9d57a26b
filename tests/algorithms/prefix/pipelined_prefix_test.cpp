#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "index.hpp"
#include "prefix/prefix_samples.hpp"

using lockstep::machine;
using lockstep::monoid;
using lockstep::pipelined_scheme;
using lockstep::ports;
using lockstep::prefix_kind;
using lockstep::prefix_schedule;
using lockstep::processor;

namespace {

struct problem_instance {
  std::string spec;
  pipelined_scheme scheme;
  ports with = ports::one;
  bool strict = false;
  lockstep::engine engine = lockstep::engine::fibers;
  int workers = 1;
};

/// Runs k prefixes of matrices, compares all of them with a scan, and the counts with the claims.
lockstep::counts checked(problem_instance const& at, int k, prefix_kind kind) {
  machine const on{
      lockstep::parse(at.spec),
      {.ports = at.with, .strict = at.strict, .engine = at.engine, .workers = at.workers}};
  prefix_schedule const schedule(on.topology(), at.scheme, at.with);
  std::vector<std::vector<matrix2>> prefixes;  // by prefix, then by processor
  prefixes.reserve(index(k));
  for (int j = 0; j < k; ++j)
    prefixes.push_back(random_matrices(on.size(), static_cast<unsigned>(100 + j)));
  auto const run = on.run([&](processor& me) {
    std::vector<matrix2> mine;
    mine.reserve(prefixes.size());
    for (auto const& prefix : prefixes) mine.push_back(prefix[index(me.rank())]);
    return lockstep::pipelined_prefix(me, monoid{matrix2{}, std::multiplies<matrix2>{}},
                                      std::span<matrix2 const>(mine), schedule, kind);
  });
  INFO(at.spec << ", k = " << k << ", " << name_of(at.scheme) << ", kind "
               << static_cast<int>(kind));
  int wrong = 0;
  for (int j = 0; j < k; ++j) {
    auto const expected = scanned(prefixes[index(j)], kind);
    for (int rank = 0; rank < on.size(); ++rank)
      if (!(run.results()[index(rank)][index(j)] == expected[index(rank)])) ++wrong;
  }
  CHECK(wrong == 0);
  for (auto const& claimed : lockstep::pipelined_prefix_claims(
           on.topology(), at.scheme, static_cast<std::uint64_t>(k), at.with)) {
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value() << ", measured "
                        << metric_value(run.counts(), claimed.figure));
    CHECK(holds(claimed, run.counts()) == claimed.erratum.empty());
  }
  return run.counts();
}

std::string sized(std::string const& network, int d) { return network + ':' + std::to_string(d); }

std::vector<problem_instance> every_scheme(int d) {
  return {{sized("tree", d), pipelined_scheme::lagged},
          {sized("tree", d), pipelined_scheme::lagged, ports::all},
          {sized("tree", d), pipelined_scheme::lagged, ports::per_pass},
          {sized("hypercube", d), pipelined_scheme::inorder},
          {sized("hypercube", d), pipelined_scheme::inorder, ports::all},
          {sized("hypercube", d), pipelined_scheme::spanning_tree},
          {sized("hypercube", d), pipelined_scheme::halving, ports::one, true},
          {sized("hypercube", d), pipelined_scheme::fft, ports::all, true},
          {sized("shuffle-exchange", d), pipelined_scheme::relay},
          {sized("shuffle-exchange", d), pipelined_scheme::combined},
          {sized("shuffle-exchange", d), pipelined_scheme::combined, ports::all},
          {sized("shuffle-exchange", d), pipelined_scheme::halving, ports::one, true}};
}

}  // namespace

TEST_CASE("k prefixes on seven processors in 2k + 4 steps, strict and for every kind",
          "[sanitize][threads]") {
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads})
    for (auto const kind : {prefix_kind::inclusive, prefix_kind::exclusive, prefix_kind::backward,
                            prefix_kind::backward_exclusive})
      for (int const k : {1, 2, 3, 8, 30}) {
        auto const counts =
            checked({"tree:3", pipelined_scheme::trimmed, ports::one, true, engine}, k, kind);
        CHECK(counts.steps == 2U * static_cast<unsigned>(k) + 4);
        CHECK(counts.messages == 8U * static_cast<unsigned>(k));
        CHECK(counts.queued == 0);
      }
  auto const tree = lockstep::parse("tree:3");
  CHECK(lockstep::fastest_schemes(*tree, 8, ports::one).front().scheme ==
        pipelined_scheme::trimmed);
  CHECK(lockstep::fastest_schemes(*tree, 8, ports::all).front().scheme == pipelined_scheme::lagged);
  for (std::string const other : {"tree:2", "tree:4", "hypercube:3"})
    CHECK_FALSE(prefix_schedule::unsupported_reason(*lockstep::parse(other),
                                                    pipelined_scheme::trimmed, ports::one)
                    .empty());
}

namespace {

constexpr std::array numbers_of_prefixes{0, 1, 2, 3, 7, 64};

void checked_for_all_sizes(std::string const& network, pipelined_scheme scheme, ports with,
                           bool strict = false) {
  for (int d = 1; d <= 10; ++d)
    for (int const k : numbers_of_prefixes)
      checked({sized(network, d), scheme, with, strict}, k, prefix_kind::inclusive);
}

}  // namespace

TEST_CASE("k prefixes on a tree, with each kind of ports", "[prefix]") {
  for (auto const with : {ports::one, ports::all, ports::per_pass})
    checked_for_all_sizes("tree", pipelined_scheme::lagged, with);
}

TEST_CASE("k prefixes on the inorder tree in a hypercube", "[prefix]") {
  for (auto const with : {ports::one, ports::all})
    checked_for_all_sizes("hypercube", pipelined_scheme::inorder, with);
}

TEST_CASE("k prefixes on a spanning tree of a hypercube", "[prefix]") {
  checked_for_all_sizes("hypercube", pipelined_scheme::spanning_tree, ports::one);
}

TEST_CASE("k prefixes on a spanning tree of a hypercube, all ports", "[prefix]") {
  checked_for_all_sizes("hypercube", pipelined_scheme::spanning_tree, ports::all);
}

TEST_CASE("k prefixes on two trees in a shuffle-exchange, words relayed", "[prefix]") {
  for (auto const with : {ports::one, ports::all})
    checked_for_all_sizes("shuffle-exchange", pipelined_scheme::relay, with);
}

TEST_CASE("k prefixes on two trees in a shuffle-exchange, words combined", "[prefix]") {
  for (auto const with : {ports::one, ports::all})
    checked_for_all_sizes("shuffle-exchange", pipelined_scheme::combined, with);
}

TEST_CASE("k prefixes by halving on a hypercube, in lock step", "[prefix]") {
  for (auto const with : {ports::one, ports::all})
    checked_for_all_sizes("hypercube", pipelined_scheme::halving, with, true);
}

TEST_CASE("k prefixes by halving on a shuffle-exchange, in lock step", "[prefix]") {
  for (auto const with : {ports::one, ports::all})
    checked_for_all_sizes("shuffle-exchange", pipelined_scheme::halving, with, true);
}

TEST_CASE("k prefixes on all ports of a hypercube, in lock step", "[prefix]") {
  checked_for_all_sizes("hypercube", pipelined_scheme::fft, ports::all, true);
}

TEST_CASE("64 prefixes on the largest networks by every scheme", "[prefix]") {
  for (auto const& at : every_scheme(10)) checked(at, 64, prefix_kind::inclusive);
}

TEST_CASE("k prefixes of every kind by every scheme", "[prefix]") {
  for (auto const kind : all_prefix_kinds)
    for (int d = 1; d <= 6; ++d)
      for (auto const& at : every_scheme(d))
        for (int const k : {1, 2, 5}) checked(at, k, kind);
}

TEST_CASE("k prefixes of strings by every scheme", "[prefix][sanitize]") {
  monoid const join{last_letters{}, std::plus<last_letters>{}};
  for (int d = 1; d <= 4; ++d)
    for (auto const& at : every_scheme(d)) {
      machine const on{lockstep::parse(at.spec), {.ports = at.with, .workers = 1}};
      prefix_schedule const schedule(on.topology(), at.scheme, at.with);
      auto const letters_of = [](int rank) {
        return std::vector{last_letters(static_cast<char>('a' + rank)),
                           last_letters(static_cast<char>('A' + rank))};
      };
      auto const run = on.run([&](processor& me) {
        auto const mine = letters_of(me.rank());
        return lockstep::pipelined_prefix(me, join, std::span<last_letters const>(mine), schedule);
      });
      INFO(at.spec << ", " << name_of(at.scheme));
      std::vector<last_letters> expected(2);
      for (int rank = 0; rank < on.size(); ++rank) {
        for (std::size_t j = 0; j < 2; ++j) expected[j] = expected[j] + letters_of(rank)[j];
        CHECK((run.results()[index(rank)] == expected));
      }
    }
}

TEST_CASE("k prefixes by every scheme, small", "[prefix][sanitize]") {
  for (auto const& at : every_scheme(3)) checked(at, 3, prefix_kind::exclusive);
}

TEST_CASE("k prefixes of one processor", "[prefix]") {
  for (auto const scheme :
       {pipelined_scheme::inorder, pipelined_scheme::spanning_tree, pipelined_scheme::halving})
    CHECK(checked({"hypercube:0", scheme}, 3, prefix_kind::exclusive).steps == 0);
  CHECK(checked({"hypercube:0", pipelined_scheme::fft, ports::all}, 3, prefix_kind::inclusive)
            .steps == 0);
}

TEST_CASE("k prefixes on every engine", "[prefix]") {
  for (auto at : every_scheme(4)) {
    auto const on_fibers = checked(at, 5, prefix_kind::backward);
    at.engine = lockstep::engine::threads;
    CHECK(checked(at, 5, prefix_kind::backward) == on_fibers);
    at.engine = lockstep::engine::fibers;
    at.workers = 2;
    CHECK(checked(at, 5, prefix_kind::backward) == on_fibers);
  }
}

TEST_CASE("k prefixes on processors that are threads", "[prefix][threads]") {
  for (auto at : every_scheme(3)) {
    at.engine = lockstep::engine::threads;
    checked(at, 2, prefix_kind::inclusive);
  }
}

TEST_CASE("k prefixes in each subcube of a hypercube", "[prefix]") {
  machine const cube{lockstep::hypercube{6}};
  for (auto const scheme :
       {pipelined_scheme::inorder, pipelined_scheme::spanning_tree, pipelined_scheme::halving}) {
    prefix_schedule const schedule(lockstep::hypercube{3}, scheme);
    auto const run = cube.run([&](processor& me) {
      auto part = me.subset(lockstep::dimensions{{1, 3, 4}});
      std::vector<int> const mine{me.rank(), 1};
      return lockstep::pipelined_prefix(part, monoid{0, std::plus<int>{}},
                                        std::span<int const>(mine), schedule);
    });
    INFO(name_of(scheme));
    for (int rank = 0; rank < 64; ++rank) {
      int sum = 0;
      int number = 0;
      for (int other = 0; other <= rank; ++other)
        if ((other & 0b100101) == (rank & 0b100101)) {
          sum += other;
          ++number;
        }
      CHECK(run.results()[index(rank)] == std::vector<int>{sum, number});
    }
    CHECK(run.counts().steps ==
          static_cast<std::uint64_t>(
              pipelined_prefix_claims(lockstep::hypercube{3}, scheme, 2, ports::one)
                  .front()
                  .value()));
  }
}

TEST_CASE("on one port of a tree no k prefixes take fewer than 3k steps", "[prefix]") {
  for (int d = 4; d <= 8; ++d)
    for (int const k : {2, 8, 40})
      for (auto const scheme : lockstep::all_pipelined_schemes) {
        problem_instance const at{sized("tree", d), scheme};
        auto const network = lockstep::parse(at.spec);
        if (!prefix_schedule::unsupported_reason(*network, scheme, ports::one).empty()) continue;
        CHECK(checked(at, k, prefix_kind::inclusive).steps >= 3 * static_cast<std::uint64_t>(k));
      }
  // For 8 prefixes on 15 processors: 31 by the paper's 2k + 4 log p.
  CHECK(checked({"tree:4", pipelined_scheme::lagged}, 8, prefix_kind::inclusive).steps == 32);
  CHECK(checked({"tree:4", pipelined_scheme::lagged, ports::per_pass}, 8, prefix_kind::inclusive)
            .steps == 26);
}

TEST_CASE("known numbers of steps", "[prefix]") {
  auto const steps = [](problem_instance const& at, int k) {
    return checked(at, k, prefix_kind::inclusive).steps;
  };
  CHECK(steps({"hypercube:4", pipelined_scheme::halving}, 8) == 16);
  CHECK(steps({"hypercube:4", pipelined_scheme::inorder}, 8) == 47);
  CHECK(steps({"hypercube:4", pipelined_scheme::inorder, ports::all}, 8) == 27);
  CHECK(steps({"shuffle-exchange:4", pipelined_scheme::relay}, 8) == 112);
  CHECK(steps({"shuffle-exchange:4", pipelined_scheme::combined}, 8) == 84);
  CHECK(steps({"shuffle-exchange:4", pipelined_scheme::halving}, 8) == 30);
}

TEST_CASE("the fastest scheme is the one that takes the fewest steps", "[prefix]") {
  for (auto const* const network : {"tree", "hypercube", "shuffle-exchange"})
    for (int d = 1; d <= 7; ++d)
      for (auto const with : {ports::one, ports::all})
        for (int const k : {1, 3, 20}) {
          auto const spec = sized(network, d);
          auto const schemes =
              fastest_schemes(*lockstep::parse(spec), static_cast<std::uint64_t>(k), with);
          for (auto const& [scheme, steps] : schemes) {
            auto const counted = checked({spec, scheme, with}, k, prefix_kind::inclusive).steps;
            INFO(spec << ", k = " << k << ", " << name_of(scheme));
            CHECK(static_cast<double>(counted) == steps);
            CHECK(steps >= schemes.front().steps);
          }
        }
}

TEST_CASE("schemes that do not fit are refused with an example of what fits", "[prefix]") {
  auto const cube = lockstep::parse("hypercube:3");
  auto const tree = lockstep::parse("tree:3");
  auto const unsupported_reason = [](auto const& network, pipelined_scheme scheme,
                                     ports with = ports::one) {
    return prefix_schedule::unsupported_reason(*network, scheme, with);
  };
  CHECK_THAT(unsupported_reason(cube, pipelined_scheme::lagged), has_text("tree:4"));
  CHECK_THAT(unsupported_reason(tree, pipelined_scheme::inorder), has_text("hypercube:4"));
  CHECK_THAT(unsupported_reason(tree, pipelined_scheme::spanning_tree), has_text("hypercube:4"));
  CHECK_THAT(unsupported_reason(lockstep::parse("hypercube:11"), pipelined_scheme::spanning_tree),
             has_text("take halving"));
  CHECK_THAT(unsupported_reason(tree, pipelined_scheme::halving), has_text("hypercube:4"));
  CHECK_THAT(unsupported_reason(cube, pipelined_scheme::fft), has_text("ports all"));
  CHECK_THAT(unsupported_reason(cube, pipelined_scheme::relay), has_text("shuffle-exchange:4"));
  CHECK_THAT(unsupported_reason(tree, pipelined_scheme::combined), has_text("shuffle-exchange:4"));
  CHECK_THAT(unsupported_reason(cube, pipelined_scheme::halving, ports::per_pass),
             has_text("one or all"));
  CHECK_THROWS_AS(lockstep::pipelined_prefix_claims(*tree, pipelined_scheme::fft, 1, ports::all),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(prefix_schedule(*tree, pipelined_scheme::halving), lockstep::invalid_argument);
  CHECK_THROWS_AS(fastest_schemes(*lockstep::parse("torus:4x4"), 1, ports::one),
                  lockstep::invalid_argument);
}

TEST_CASE("why the paper's bound does not hold", "[prefix]") {
  auto const reason = [](problem_instance const& at, std::uint64_t k) {
    for (auto const& claimed :
         pipelined_prefix_claims(*lockstep::parse(at.spec), at.scheme, k, at.with))
      if (claimed.bound == lockstep::comparison::at_most) return claimed.erratum;
    return std::string("no bound");
  };
  auto const lagged = pipelined_scheme::lagged;
  CHECK(reason({"tree:4", lagged}, 7).empty());  // 29 <= 29.6
  CHECK_THAT(reason({"tree:4", lagged}, 8), has_text("any program 3k at the least"));
  CHECK_THAT(reason({"tree:4", lagged}, 15), has_text("any program 3k at the least"));
  CHECK_THAT(reason({"tree:4", lagged}, 16), has_text("no program takes fewer"));
  CHECK_THAT(reason({"tree:3", lagged}, 64), has_text("this program's inner nodes"));
  CHECK(reason({"tree:4", lagged, ports::per_pass}, 64).empty());
  CHECK_THAT(reason({"hypercube:2", pipelined_scheme::inorder}, 64), has_text("three words"));
  CHECK_THAT(reason({"hypercube:3", pipelined_scheme::inorder}, 64), has_text("five words"));
  CHECK_THAT(reason({"hypercube:5", pipelined_scheme::spanning_tree}, 64),
             has_text("three neighbours"));
  CHECK_THAT(reason({"shuffle-exchange:2", pipelined_scheme::relay}, 64), has_text("three words"));
  CHECK_THAT(reason({"shuffle-exchange:4", pipelined_scheme::relay}, 64), has_text("five words"));
  CHECK_THAT(reason({"shuffle-exchange:4", pipelined_scheme::combined}, 64),
             has_text("three words"));
  for (auto const scheme : {pipelined_scheme::halving, pipelined_scheme::fft})
    CHECK(reason({"hypercube:6", scheme, ports::all}, 64).empty());
}

TEST_CASE("the values of the paper's bounds", "[prefix]") {
  auto const bound = [](std::string const& spec, pipelined_scheme scheme) {
    return pipelined_prefix_claims(*lockstep::parse(spec), scheme, 5, ports::one)[1].value();
  };
  CHECK(bound("hypercube:3", pipelined_scheme::halving) == 22);       // 2k + 4 log p
  CHECK(bound("shuffle-exchange:3", pipelined_scheme::relay) == 60);  // 6k + 10 log p
}

TEST_CASE("ports per pass are left as they were", "[prefix]") {
  machine const cube{lockstep::hypercube{3}, {.ports = ports::per_pass}};
  prefix_schedule const streaming(lockstep::hypercube{2}, pipelined_scheme::spanning_tree);
  auto const run = cube.run([&](processor& me) {
    auto part = me.subset(lockstep::dimensions{{0, 1}});
    std::vector<int> const mine{1};
    if (me.rank() < 4)
      (void)lockstep::pipelined_prefix(part, monoid{0, std::plus<int>{}}, mine, streaming);
    return me.exchange(me.rank() ^ 4, me.rank());
  });
  CHECK(run.results()[6] == 2);
}

TEST_CASE("a schedule is for one network", "[prefix]") {
  prefix_schedule const schedule(lockstep::hypercube{4}, pipelined_scheme::halving);
  machine const cube{lockstep::hypercube{3}};
  CHECK_THROWS_WITH(cube.run([&](processor& me) {
    std::vector<int> const mine{1};
    return lockstep::pipelined_prefix(me, monoid{0, std::plus<int>{}}, std::span<int const>(mine),
                                      schedule);
  }),
                    has_text("hypercube:4") && has_text("hypercube:3"));
}
