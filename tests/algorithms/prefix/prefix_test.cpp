#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "check_claims.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "prefix/prefix_samples.hpp"

using lockstep::machine;
using lockstep::machine_options;
using lockstep::monoid;
using lockstep::prefix_kind;
using lockstep::processor;

namespace {

/// Adds up all ranks, and checks the sums.
lockstep::counts counts_of_sums(std::string const& spec, machine_options const& options) {
  machine const on{lockstep::parse(spec), options};
  auto const run = on.run([](processor& me) {
    return prefix(me, monoid{0, std::plus<int>{}}, me.rank());
  });
  for (int rank = 0; rank < on.size(); ++rank)
    CHECK(run.results()[index(rank)] == rank * (rank + 1) / 2);
  return run.counts();
}

}  // namespace

TEST_CASE("all kinds of prefix of matrices, on all networks", "[prefix]") {
  monoid const product{matrix2{}, std::multiplies<matrix2>{}};
  for (auto const& network : prefix_networks(10))
    for (auto const kind : all_prefix_kinds) {
      auto const on = network.on({.workers = 1});
      auto const values = random_matrices(on.size(), 11);
      auto const run = on.run(
          [&](processor& me) { return prefix(me, product, values[index(me.rank())], kind); });
      INFO(network.spec << ", kind " << static_cast<int>(kind));
      CHECK((run.results() == scanned(values, kind)));
      CHECK(run.counts().steps == network.steps);
      reference::check_claims(lockstep::prefix_claims(on.topology(), 1), run.counts());
    }
}

TEST_CASE("an operator without identity, joined in rank order only", "[prefix][sanitize]") {
  for (auto const& network : prefix_networks(5))
    for (auto const kind : all_prefix_kinds) {
      auto const on = network.on({.workers = 1});
      auto const run = on.run([&](processor& me) {
        return prefix(me, join_stretches{}, stretch{me.rank(), me.rank()}, kind);
      });
      INFO(network.spec << ", kind " << static_cast<int>(kind));
      CHECK((run.results() == joined_stretches(kind, on.size())));
    }
}

TEST_CASE("prefixes on every engine", "[prefix][threads]") {
  for (auto const& [spec, steps] : prefix_networks(4, 4)) {
    auto const on_fibers = counts_of_sums(spec, {.workers = 1});
    CHECK(on_fibers.steps == steps);
    CHECK(counts_of_sums(spec, {.workers = 2}) == on_fibers);
    CHECK(counts_of_sums(spec, {.engine = lockstep::engine::threads}) == on_fibers);
  }
}

TEST_CASE("a prefix of each row of a hypercube", "[prefix][sanitize]") {
  machine const cube{lockstep::hypercube{6}, {.strict = true}};
  auto const run = cube.run([](processor& me) {
    auto part = me.subset(lockstep::dimensions{{0, 1, 2}});
    return prefix(part, monoid{0, std::plus<int>{}}, me.rank());
  });
  for (int rank = 0; rank < 64; ++rank) {
    int sum = 0;
    for (int other = rank / 8 * 8; other <= rank; ++other) sum += other;
    CHECK(run.results()[index(rank)] == sum);
  }
  CHECK(run.counts().steps == 3);
}

TEST_CASE("segmented prefix and data distribution", "[prefix][sanitize]") {
  std::mt19937 random(5);
  for (auto const& network : prefix_networks(6)) {
    auto const on = network.on({.workers = 1});
    std::vector<char> begins(index(on.size()));
    for (auto& each : begins) each = random() % 3 == 0 ? 1 : 0;
    auto const values = random_matrices(on.size(), 11);
    auto const sums = on.run([&](processor& me) {
      return segmented_prefix(me, monoid{matrix2{}, std::multiplies<matrix2>{}},
                              begins[index(me.rank())] != 0, values[index(me.rank())]);
    });
    auto const firsts = on.run([&](processor& me) {
      return lockstep::data_distribution(me, begins[index(me.rank())] != 0, 10 + me.rank());
    });
    INFO(network.spec);
    CHECK(sums.counts().steps == network.steps);
    CHECK(sums.counts().volume == sums.counts().messages);
    CHECK(firsts.counts().steps == network.steps);
    matrix2 sum;
    int first = 0;
    for (int rank = 0; rank < on.size(); ++rank) {
      bool const is_first = rank == 0 || begins[index(rank)] != 0;
      sum = is_first ? values[index(rank)] : sum * values[index(rank)];
      if (is_first) first = rank;
      CHECK((sums.results()[index(rank)] == sum));
      CHECK(firsts.results()[index(rank)] == 10 + first);
    }
  }
}

TEST_CASE("broadcast by the prefix of Copy", "[prefix]") {
  for (auto const& network : prefix_networks(5)) {
    auto const on = network.on({.workers = 1});
    auto const run =
        on.run([](processor& me) { return lockstep::prefix_broadcast(me, 7 + me.rank()); });
    CHECK(run.results() == std::vector<int>(index(on.size()), 7));
    CHECK(run.counts().steps == network.steps);
  }
}

TEST_CASE("with all ports a tree's children are taken in at once", "[prefix]") {
  for (auto const& [spec, steps] : prefix_networks(6))
    for (auto const with : {lockstep::ports::all, lockstep::ports::per_pass}) {
      INFO(spec);
      reference::check_claims(prefix_claims(*lockstep::parse(spec), 1, with),
                              counts_of_sums(spec, {.ports = with}));
    }
  CHECK(counts_of_sums("tree:4", {.ports = lockstep::ports::all}).steps == 6);
}

TEST_CASE("a value is taken as the operator's own type", "[prefix]") {
  machine const cube{lockstep::hypercube{3}};
  auto const run = cube.run([](processor& me) {
    return prefix(me, monoid{0L, std::plus<long>{}}, 1 << 30, prefix_kind::exclusive);
  });
  CHECK(run.results()[0] == 0);
  CHECK(run.results()[7] == 7L << 30);
}

TEST_CASE("prefixes of truth values", "[prefix]") {
  machine const cube{lockstep::hypercube{3}};
  auto const run = cube.run([](processor& me) {
    return prefix(me, monoid{false, std::logical_or<bool>{}}, me.rank() == 5);
  });
  CHECK(run.results() == std::vector<bool>{false, false, false, false, false, true, true, true});
}

TEST_CASE("what is a range of elements is not a value to combine", "[prefix]") {
  using pair = std::array<int, 2>;
  auto const plus = [](pair const& a, pair const& b) { return pair{a[0] + b[0], a[1] + b[1]}; };
  STATIC_REQUIRE_FALSE(lockstep::associative_operator<decltype(plus), pair>);
  STATIC_REQUIRE(lockstep::associative_operator<std::plus<int>, int>);
}

TEST_CASE("there is no prefix on other networks", "[prefix]") {
  machine const on{lockstep::crossbar{4}};
  auto const check_refused = [&](auto const& program) {
    CHECK_THAT(refusal_of<lockstep::invalid_argument>(on, program),
               has_text("crossbar:4") && has_text("hypercube:4"));
  };
  monoid const plus{0, std::plus<int>{}};
  check_refused([&](processor& me) { return prefix(me, plus, 1); });
  check_refused([&](processor& me) { return block_prefix(me, plus, std::vector<int>(3)); });
  CHECK_THROWS_AS(lockstep::prefix_claims(on.topology(), 1), lockstep::invalid_argument);
}
