#include <lockstep/algorithms/textbook/prefix.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/textbook/pipelined_prefix_by_halving.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "experiments/refusal_of.hpp"
#include "index.hpp"
#include "prefix/prefix_samples.hpp"

using lockstep::machine;
using lockstep::monoid;
using lockstep::prefix_kind;
using lockstep::processor;
namespace textbook = lockstep::textbook;

namespace {

monoid<matrix2, std::multiplies<matrix2>> const product{matrix2{}, {}};

/// k prefixes of matrices, each a list by processor.
std::vector<std::vector<matrix2>> random_problems(int k, int processors) {
  std::vector<std::vector<matrix2>> problems;
  for (int j = 0; j < k; ++j)
    problems.push_back(random_matrices(processors, static_cast<unsigned>(300 + j)));
  return problems;
}

std::vector<matrix2> values_of(std::vector<std::vector<matrix2>> const& problems, int rank) {
  std::vector<matrix2> mine;
  for (auto const& each : problems) mine.push_back(each[index(rank)]);
  return mine;
}

/// Runs the textbook form on a strict machine and compares it with a scan, and then with the fast
/// form: its results and counts.
void check_against_fast_form(int d, int k, prefix_kind kind, lockstep::machine_options options) {
  INFO("d = " << d << ", k = " << k << ", kind " << static_cast<int>(kind));
  options.strict = true;
  machine const on{lockstep::parse("hypercube:" + std::to_string(d)), options};
  auto const problems = random_problems(k, on.size());
  auto const run = on.run([&](processor& me) {
    return textbook::pipelined_prefix_by_halving(me, product, values_of(problems, me.rank()), kind);
  });
  CHECK(wrong_prefixes(run.results(), problems, kind) == 0);

  lockstep::prefix_schedule const halving(on.topology(), lockstep::pipelined_scheme::halving,
                                          options.ports);
  auto const fast = on.run([&](processor& me) {
    return lockstep::pipelined_prefix(me, product, values_of(problems, me.rank()), halving, kind);
  });
  CHECK(run.results() == fast.results());
  CHECK(run.counts() == fast.counts());
}

}  // namespace

TEST_CASE("textbook: prefix on three networks is a scan") {
  auto const spec = GENERATE(as<std::string>{}, "tree:4", "hypercube:4", "shuffle-exchange:4");
  auto const kind = GENERATE(from_range(all_prefix_kinds));
  machine const on{lockstep::parse(spec)};
  auto const values = random_matrices(on.size(), 17);
  auto const run = on.run(
      [&](processor& me) { return textbook::prefix(me, product, values[index(me.rank())], kind); });
  CHECK(run.results() == scanned(values, kind));
  CHECK(run.counts().steps == (spec == "hypercube:4" ? 4U : 12U));
}

TEST_CASE("textbook: pipelined prefix by halving is that of the fast form") {
  int const d = GENERATE(0, 1, 2, 3, 4, 5, 6);
  for (int const k : {0, 1, 2, 3, 5, 8, 31, 64})
    check_against_fast_form(d, k, prefix_kind::inclusive, {});
}

TEST_CASE("textbook: pipelined prefix by halving of every kind, with one port and with all") {
  auto const with = GENERATE(lockstep::ports::one, lockstep::ports::all);
  for (auto const kind : all_prefix_kinds)
    for (int const k : {1, 7, 16}) check_against_fast_form(3, k, kind, {.ports = with});
}

TEST_CASE("textbook: pipelined prefix by halving on both engines", "[sanitize][threads]") {
  for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads})
    check_against_fast_form(4, 9, prefix_kind::inclusive, {.engine = engine});
}

TEST_CASE("textbook: pipelined prefix by halving keeps the bound of 2k + 2d steps") {
  for (int d = 1; d <= 7; ++d)
    for (std::size_t const k : {1U, 6U, 128U}) {
      machine const on{lockstep::parse("hypercube:" + std::to_string(d)), {.strict = true}};
      auto const run = on.run([&](processor& me) {
        return textbook::pipelined_prefix_by_halving(me, monoid{0, std::plus<int>{}},
                                                     std::vector<int>(k, me.rank()));
      });
      std::size_t expected = 0;
      for (int i = 1; i <= d; ++i) expected += 2 * ((k + (1U << i) - 1) >> i);
      CHECK(run.counts().steps == expected);
      CHECK(run.counts().steps <= 2 * k + 2 * static_cast<std::size_t>(d));
    }
}

TEST_CASE("textbook: pipelined prefix by halving refuses other networks") {
  machine const on{lockstep::parse("tree:3")};
  CHECK(refusal_of<lockstep::invalid_argument>(on,
                                               [](processor& me) {
                                                 return textbook::pipelined_prefix_by_halving(
                                                     me, monoid{0, std::plus<int>{}},
                                                     std::vector<int>(2));
                                               }) ==
        "textbook::pipelined_prefix_by_halving: tree:3 is not a hypercube; for example "
        "hypercube:4");
}
