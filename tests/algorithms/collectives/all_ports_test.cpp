// Collectives on machines whose processors use all of their ports.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <lockstep/algorithms/collectives/collective_claims.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "algorithms/collectives/network_samples.hpp"
#include "algorithms/shown_at.hpp"
#include "catch.hpp"
#include "experiments/refusal_of.hpp"

using namespace network_samples;  // NOLINT(google-build-using-namespace)
using lockstep::machine;
using lockstep::ports;

namespace {

/// Whether the rounds of a scheme are counted for all ports, and not only bounded.
bool uses_all_ports(collective_scheme scheme) {
  using enum collective_scheme;
  return scheme == direct || scheme == transpose || scheme == tree || scheme == two_way;
}

template <class Results>
bool is_right(Results const& results, int p, chosen_call const& what) {
  for (int rank = 0; rank < p; ++rank)
    if (results[static_cast<std::size_t>(rank)] != expected(rank, p, what)) return false;
  return true;
}

auto run_of(std::shared_ptr<lockstep::topology const> const& network, chosen_call const& what,
            lockstep::machine_options const& options) {
  auto run = machine(network, options).run([&](processor& me) { return call(me, what); });
  CHECK(is_right(run.results(), network->size(), what));
  return run;
}

}  // namespace

TEST_CASE("with all ports collectives go by every scheme that fits, strict: results and counts") {
  for_each_call(ports::all, [](std::shared_ptr<lockstep::topology const> const& network,
                               chosen_call const& what) {
    auto const counts = run_of(network, what, {.ports = ports::all, .strict = true}).counts();
    CHECK(counts.contention <= 1);
    CHECK(counts.queued == 0);
    if (what.scheme == collective_scheme::k_ary) return;
    auto const claimed = lockstep::collective_counts(
        what.operation, *network, what.n,
        {.scheme = what.scheme, .root = what.root, .commutes = true}, 1, ports::all);
    CHECK(counts.volume == claimed.volume);
    CHECK(counts.messages == claimed.messages);
    if (!uses_all_ports(what.scheme)) {
      CHECK(counts.rounds <= claimed.rounds);
      return;
    }
    CHECK(counts.rounds == claimed.rounds);
    CHECK(counts.startups == claimed.startups);
    CHECK(counts.words == claimed.words);
  });
}

TEST_CASE("with all ports the scheme that is chosen takes no more steps than with one") {
  std::size_t with_fewer = 0;
  for (auto const& spec : networks) {
    auto const network = lockstep::parse(spec);
    auto const p = network->size();
    for (auto const operation : operations)
      for (int root = 0; root < (has_root(operation) ? p : 1); root += p / 3 + 1)
        for (std::size_t const n : {0U, 1U, 3U, 16U, 100U, 1000U}) {
          if (operation == collective_operation::barrier && n != 1) continue;
          if (n * static_cast<std::size_t>(p) > 8000) continue;
          INFO(name_of(operation) << " on " << spec << ", root " << root << ", " << n);
          chosen_call const what{operation, collective_scheme::automatic, root, n};
          auto const by_one = run_of(network, what, {.strict = true}).counts();
          auto const by_all = run_of(network, what, {.ports = ports::all, .strict = true}).counts();
          CHECK(by_all.rounds <= by_one.rounds);
          CHECK(by_all.steps <= by_one.steps);
          with_fewer += by_all.steps < by_one.steps ? 1 : 0;
          auto const by_pass = run_of(network, what, {.ports = ports::per_pass}).counts();
          CHECK(by_pass == by_one);
        }
  }
  CHECK(with_fewer > 500);
}

TEST_CASE(
    "with all ports operands are combined in the order of ranks unless the operator commutes") {
  auto const left = [](int a, int /*b*/) { return a; };  // associative: the first of all
  for (auto const& spec : networks) {
    INFO(spec);
    auto const network = lockstep::parse(spec);
    auto const p = network->size();
    auto const run =
        machine(network, {.ports = ports::all, .strict = true}).run([&](processor& me) {
          int const mine = 7 + me.rank();
          std::vector<int> const block(40, mine);
          std::vector<int> const each(static_cast<std::size_t>(p), mine);
          auto const at_root = lockstep::reduce(me, left, mine, {.root = p - 1});
          return lockstep::all_reduce(me, left, mine) == 7 &&
                 lockstep::all_reduce(me, left, block) == std::vector<int>(40, 7) &&
                 at_root.value_or(7) == 7 && lockstep::scan(me, left, mine) == 7 &&
                 lockstep::exclusive_scan(me, left, mine, {}, 3) == (me.rank() == 0 ? 3 : 7) &&
                 lockstep::reduce_scatter(me, left, each) == std::vector<int>{7};
        });
    CHECK(std::ranges::count(run.results(), true) == p);
  }
}

TEST_CASE("with all ports steps are those of the network: one on a crossbar, distances on others") {
  struct steps_of_call {
    collective_operation operation;
    char const* on;
    std::size_t n;
    std::uint64_t by_one;
    std::uint64_t by_all;
  };
  using enum collective_operation;
  for (auto const& of :
       {steps_of_call{broadcast, "crossbar:8", 1, 14, 1},
        steps_of_call{broadcast, "crossbar:8", 800, 14, 2},  // in pieces: fewer words
        steps_of_call{reduce, "crossbar:8", 1, 7, 1},
        steps_of_call{all_reduce, "crossbar:11", 1, 20, 1},
        steps_of_call{all_reduce, "crossbar:11", 1100, 20, 2},
        steps_of_call{scan, "crossbar:11", 1, 4, 1}, steps_of_call{gather, "crossbar:8", 1, 7, 1},
        steps_of_call{scatter, "crossbar:8", 1, 7, 1},
        steps_of_call{all_gather, "crossbar:8", 1, 7, 1},
        steps_of_call{reduce_scatter, "crossbar:8", 1, 7, 1},
        steps_of_call{all_to_all, "crossbar:8", 1, 7, 1},
        steps_of_call{barrier, "crossbar:8", 1, 3, 1},
        steps_of_call{broadcast, "torus:3x5", 1, 5, 3},
        steps_of_call{all_reduce, "torus:3x5", 1, 10, 6},
        steps_of_call{all_gather, "torus:3x5", 1, 6, 3},
        steps_of_call{all_gather, "torus:8", 1, 7, 4},
        steps_of_call{reduce_scatter, "torus:8", 1, 7, 4},
        steps_of_call{broadcast, "tree:4", 1, 8, 6},
        steps_of_call{all_reduce, "tree:4", 1, 12, 6}}) {
    INFO(name_of(of.operation) << " on " << of.on << ", " << of.n);
    auto const network = lockstep::parse(of.on);
    chosen_call const what{of.operation, collective_scheme::automatic, 0, of.n};
    CHECK(run_of(network, what, {.strict = true}).counts().steps == of.by_one);
    CHECK(run_of(network, what, {.ports = ports::all, .strict = true}).counts().steps == of.by_all);
  }
}

TEST_CASE("with all ports the choice knows how far the root is from the others") {
  auto const network = lockstep::parse("mesh:5x5");
  auto const steps = [&](int root) {
    chosen_call const what{collective_operation::broadcast, collective_scheme::automatic, root, 1};
    return run_of(network, what, {.ports = ports::all, .strict = true}).counts().steps;
  };
  CHECK(steps(12) == 4);  // from the middle by a tree; halving lines again and again takes 6
  CHECK(steps(0) == 6);   // from a corner, which is 8 links from the other one
}

TEST_CASE("with all ports the price of a start-up chooses between whole blocks and pieces") {
  lockstep::machine const crossbar(lockstep::parse("crossbar:8"), {.ports = ports::all});
  auto const rounds = [&](std::uint64_t startup_words) {
    return crossbar
        .run([&](processor& me) {
          return lockstep::all_reduce(me, std::plus<int>{}, int_list(64, me.rank()),
                                      {.startup_words = startup_words});
        })
        .counts()
        .rounds;
  };
  CHECK(rounds(0) == 2);
  CHECK(rounds(48) == 2);  // 2 (48 + 8) = 48 + 64
  CHECK(rounds(49) == 1);
}

TEST_CASE("with all ports collectives are right in subsets, whatever links these have") {
  auto const is_right_in = [](processor& part) {
    int const p = part.size();
    int const sum = p * (p - 1) / 2;
    std::plus<int> const plus;
    int_list ranks(static_cast<std::size_t>(p));
    std::iota(ranks.begin(), ranks.end(), 0);
    int_list const alike(ranks.size(), part.rank());
    return lockstep::all_reduce(part, plus, part.rank()) == sum &&
           lockstep::reduce(part, plus, part.rank()).value_or(sum) == sum &&
           lockstep::reduce_scatter(part, plus, alike) == int_list{sum} &&
           lockstep::scan(part, plus, part.rank()) == part.rank() * (part.rank() + 1) / 2 &&
           lockstep::broadcast(part, part.rank(), {.root = p - 1}) == p - 1 &&
           lockstep::all_gather(part, part.rank()) == ranks &&
           lockstep::all_to_all(part, alike, {}) == ranks &&
           lockstep::scatter(part, ranks, ranks.size()) == int_list{part.rank()} &&
           lockstep::gather(part, part.rank(), {.root = p / 2}) ==
               (part.rank() == p / 2 ? ranks : int_list{});
  };
  std::vector<int> const members{1, 2, 4, 7, 8, 11};
  auto const steps_in = [&](char const* spec, ports with) {
    auto const run = machine(lockstep::parse(spec), {.ports = with}).run([&](processor& me) {
      if (std::ranges::find(members, me.rank()) == members.end()) return true;
      auto part = me.subset(members);
      return is_right_in(part);
    });
    INFO(spec);
    CHECK(std::ranges::count(run.results(), false) == 0);
    return run.counts().steps;
  };
  for (char const* const spec : {"crossbar:16", "torus:4x4", "mesh:3x5"})
    CHECK(steps_in(spec, ports::all) <= steps_in(spec, ports::one));
  CHECK(steps_in("crossbar:16", ports::all) == 9);
  for (char const* const spec : {"torus:4x5", "mesh:3x7"}) {
    INFO(spec);
    auto const run = machine(lockstep::parse(spec), {.ports = ports::all, .strict = true})
                         .run([&](processor& me) {
                           auto row = me.row();
                           auto column = me.column();
                           bool const is_right_in_row = is_right_in(row);
                           return is_right_in(column) && is_right_in_row;
                         });
    CHECK(std::ranges::count(run.results(), false) == 0);
  }
  auto const cube = machine(lockstep::parse("hypercube:4"), {.ports = ports::all, .strict = true})
                        .run([&](processor& me) {
                          auto half = me.subset(lockstep::dimensions{0, 2, 3});
                          return is_right_in(half);
                        });
  CHECK(std::ranges::count(cube.results(), false) == 0);
}

TEST_CASE("where only neighbours may talk, collectives use all ports, too") {
  for (char const* const spec : {"torus:3x5", "torus:7", "mesh:3x4", "tree:3"}) {
    auto const network = lockstep::parse(spec);
    for (auto const operation : operations)
      for (auto const scheme :
           schemes_of(operation, *network, lockstep::switching::neighbour, ports::all)) {
        INFO(name_of(operation) << " on " << spec << " by " << name_of(scheme));
        chosen_call const what{operation, scheme, 0, 3};
        lockstep::machine_options options{.switching = lockstep::switching::neighbour,
                                          .strict = true};
        auto const by_one = scheme == collective_scheme::two_way
                                ? std::optional<std::uint64_t>()
                                : run_of(network, what, options).counts().rounds;
        options.ports = ports::all;
        auto const by_all = run_of(network, what, options).counts().rounds;
        if (by_one) CHECK(by_all <= *by_one);
      }
  }
}

TEST_CASE("schemes that need all ports are refused by name where a processor has one") {
  auto const refusal = [](char const* spec, char const* scheme, ports with, auto const& program) {
    return refusal_of<lockstep::invalid_argument>(
        machine(lockstep::parse(spec), {.ports = with}),
        [&](processor& me) { return program(me, scheme); });
  };
  auto const gather_all = [](processor& me, char const* scheme) {
    return lockstep::all_gather(me, me.rank(), {.scheme = scheme}).front();
  };
  auto const prefix = [](processor& me, char const* scheme) {
    return lockstep::scan(me, std::plus<int>{}, me.rank(), {.scheme = scheme});
  };
  CHECK(refusal("torus:4x4", "two-way", ports::one, gather_all) ==
        "all_gather: the scheme two-way does not fit torus:4x4 unless processors use all ports; "
        "take bucket, "
        "ring, tree, or leave the scheme out");
  CHECK(refusal("torus:4x4", "two-way", ports::per_pass, gather_all) ==
        refusal("torus:4x4", "two-way", ports::one, gather_all));
  CHECK(refusal("mesh:4x4", "two-way", ports::all, gather_all) ==
        "all_gather: the scheme two-way does not fit mesh:4x4; take bucket, ring, tree, or leave "
        "the scheme out");
  CHECK(refusal("crossbar:4", "direct", ports::one, prefix) ==
        "scan: the scheme direct does not fit crossbar:4 unless processors use all ports; take "
        "recursive-doubling, binomial, or leave the scheme out");
}

TEST_CASE("an arity that is given is that of a tree with all ports, too") {
  auto const rounds = [](ports with) {
    return machine(lockstep::parse("crossbar:9"), {.ports = with, .strict = true})
        .run([](processor& me) {
          auto const all = lockstep::gather(me, me.rank(), {.k = 3});
          return lockstep::all_gather(me, me.rank(), {.k = 3});
        })
        .counts()
        .rounds;
  };
  CHECK(rounds(ports::one) == 8);
  CHECK(rounds(ports::all) > 2);
}

TEST_CASE("with all ports collectives on a crossbar show what each processor has") {
  auto const network = lockstep::parse("crossbar:4");
  using enum collective_operation;
  for (auto const scheme : {collective_scheme::direct, collective_scheme::transpose})
    for (auto const operation :
         {broadcast, scatter, gather, all_gather, all_reduce, reduce_scatter}) {
      auto const fitting = schemes_of(operation, *network, std::nullopt, ports::all);
      if (std::ranges::find(fitting, scheme) == fitting.end()) continue;
      INFO(name_of(operation) << " by " << name_of(scheme));
      bool const in_pieces = scheme == collective_scheme::transpose;
      std::string const name =
          operation == broadcast && !in_pieces ? "values of the block"
          : (operation == all_reduce && !in_pieces) || operation == reduce_scatter
              ? "values of the sum"
              : "values of the blocks";
      chosen_call const what{operation, scheme, 0, 4};
      reference::call_log log;
      auto const run = machine(network, {.ports = ports::all})
                           .run([&](processor& me) { return call(me, what); }, log);
      auto const last = reference::held_after(log, run.counts().steps);
      for (int rank = 0; rank < 4; ++rank) {
        auto const wanted = expected(rank, 4, what);
        if (wanted.empty()) continue;
        auto const numbers = reference::numbers_in(last.at(rank).at(name));
        CHECK(int_list(numbers.begin(), numbers.end()) == wanted);
      }
    }
}
