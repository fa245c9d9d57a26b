#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "index.hpp"
#include "prefix/prefix_samples.hpp"

using lockstep::machine;
using lockstep::machine_options;
using lockstep::monoid;
using lockstep::prefix_kind;
using lockstep::processor;

/// A stretch of ranks, which joins only with the next one: it tells in which order, and of what.
struct stretch {
  std::int32_t first = 0;
  std::int32_t last = -1;
  bool is_torn = false;

  friend bool operator==(stretch const&, stretch const&) = default;
};

namespace {

/// Joins stretches; it has no identity.
struct join {
  stretch operator()(stretch const& a, stretch const& b) const {
    return {a.first, b.last, a.is_torn || b.is_torn || a.last + 1 != b.first};
  }
};

/// Networks of d = 1 .. 10, with the steps that a prefix takes there.
struct sample {
  std::string spec;
  std::uint64_t steps;
  bool strict;
};

std::vector<sample> samples_up_to(int largest) {
  std::vector<sample> all;
  for (int d = 1; d <= largest; ++d) {
    auto const size = std::to_string(d);
    auto const number = static_cast<std::uint64_t>(d);
    all.push_back({"tree:" + size, 4 * (number - 1), false});
    all.push_back({"hypercube:" + size, number, true});
    all.push_back({"shuffle-exchange:" + size, d == 1 ? 1 : 3 * number, true});
  }
  return all;
}

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
  for (auto const& [spec, steps, strict] : samples_up_to(10))
    for (auto const kind : all_prefix_kinds) {
      machine const on{lockstep::parse(spec), {.strict = strict, .workers = 1}};
      auto const values = random_matrices(on.size(), 11);
      auto const run = on.run(
          [&](processor& me) { return prefix(me, product, values[index(me.rank())], kind); });
      INFO(spec << ", kind " << static_cast<int>(kind));
      CHECK((run.results() == scanned(values, kind)));
      CHECK(run.counts().steps == steps);
      for (auto const& claimed : lockstep::prefix_claims(on.topology(), 1)) {
        INFO(claimed.figure << " = " << claimed.formula << " = " << claimed.value() << ", measured "
                            << metric_value(run.counts(), claimed.figure));
        CHECK(holds(claimed, run.counts()));
      }
    }
}

TEST_CASE("prefixes of strings", "[prefix]") {
  for (auto const& [spec, steps, strict] : samples_up_to(4)) {
    machine const on{lockstep::parse(spec), {.strict = strict, .workers = 1}};
    auto const run = on.run([](processor& me) {
      return prefix(me, std::plus<last_letters>{},
                    last_letters(static_cast<char>('a' + me.rank())));
    });
    INFO(spec);
    last_letters expected;
    for (int rank = 0; rank < on.size(); ++rank) {
      expected = expected + last_letters(static_cast<char>('a' + rank));
      CHECK((run.results()[index(rank)] == expected));
    }
  }
}

TEST_CASE("an operator without identity, joined in rank order only", "[prefix][sanitize]") {
  for (auto const& [spec, steps, strict] : samples_up_to(5))
    for (auto const kind : all_prefix_kinds) {
      machine const on{lockstep::parse(spec), {.strict = strict, .workers = 1}};
      auto const run = on.run([&](processor& me) {
        return prefix(me, join{}, stretch{me.rank(), me.rank(), false}, kind);
      });
      INFO(spec << ", kind " << static_cast<int>(kind));
      for (int rank = 0; rank < on.size(); ++rank) {
        auto const expected = [&]() -> std::optional<stretch> {
          switch (kind) {
            case prefix_kind::inclusive:
              return stretch{0, rank, false};
            case prefix_kind::exclusive:
              if (rank == 0) return std::nullopt;
              return stretch{0, rank - 1, false};
            case prefix_kind::backward:
              return stretch{rank, on.size() - 1, false};
            case prefix_kind::backward_exclusive:
              break;
          }
          if (rank == on.size() - 1) return std::nullopt;
          return stretch{rank + 1, on.size() - 1, false};
        };
        CHECK((run.results()[index(rank)] == expected()));
      }
    }
}

TEST_CASE("prefixes on every engine", "[prefix]") {
  for (auto const* const spec : {"tree:4", "hypercube:4", "shuffle-exchange:4"}) {
    auto const on_fibers = counts_of_sums(spec, {.workers = 1});
    CHECK(counts_of_sums(spec, {.workers = 2}) == on_fibers);
    CHECK(counts_of_sums(spec, {.engine = lockstep::engine::threads}) == on_fibers);
  }
}

TEST_CASE("prefixes on processors that are threads", "[prefix][threads]") {
  CHECK(counts_of_sums("tree:4", {.engine = lockstep::engine::threads}).steps == 12);
  CHECK(counts_of_sums("hypercube:4", {.engine = lockstep::engine::threads}).steps == 4);
  CHECK(counts_of_sums("shuffle-exchange:4", {.engine = lockstep::engine::threads}).steps == 12);
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
  for (auto const& [spec, steps, strict] : samples_up_to(6)) {
    machine const on{lockstep::parse(spec), {.strict = strict, .workers = 1}};
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
    INFO(spec);
    CHECK(sums.counts().steps == steps);
    CHECK(sums.counts().volume == sums.counts().messages);
    CHECK(firsts.counts().steps == steps);
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
  for (auto const& [spec, steps, strict] : samples_up_to(5)) {
    machine const on{lockstep::parse(spec), {.strict = strict, .workers = 1}};
    auto const run =
        on.run([](processor& me) { return lockstep::prefix_broadcast(me, 7 + me.rank()); });
    CHECK(run.results() == std::vector<int>(index(on.size()), 7));
    CHECK(run.counts().steps == steps);
  }
}

TEST_CASE("with all ports a tree's children are taken in at once", "[prefix]") {
  for (auto const& [spec, steps, strict] : samples_up_to(6))
    for (auto const with : {lockstep::ports::all, lockstep::ports::per_pass}) {
      auto const counted = counts_of_sums(spec, {.ports = with});
      for (auto const& claimed : prefix_claims(*lockstep::parse(spec), 1, with)) {
        INFO(spec << ": " << claimed.figure << " = " << claimed.formula);
        CHECK(holds(claimed, counted));
      }
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
  CHECK_THROWS_WITH(on.run([](processor& me) {
    return prefix(me, monoid{0, std::plus<int>{}}, 1);
  }),
                    has_text("crossbar:4") && has_text("hypercube:4"));
  CHECK_THROWS_AS(lockstep::prefix_claims(on.topology(), 1), lockstep::invalid_argument);
}
