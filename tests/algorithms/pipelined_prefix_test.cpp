#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "catch.hpp"
#include "prefix_samples.hpp"

using lockstep::machine;
using lockstep::monoid;
using lockstep::pipelined_scheme;
using lockstep::ports;
using lockstep::prefix_kind;
using lockstep::processor;

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

struct setting {
  std::string spec;
  pipelined_scheme scheme;
  ports with = ports::one;
  bool strict = false;
};

/// Runs k prefixes of matrices, compares all of them with a scan, and the counts with the claims.
lockstep::counts checked(setting const& at, int k, prefix_kind kind) {
  machine const on{lockstep::parse(at.spec), {.ports = at.with, .strict = at.strict}};
  std::vector<std::vector<matrix2>> prefixes;  // by prefix, then by processor
  for (int j = 0; j < k; ++j)
    prefixes.push_back(random_matrices(on.size(), static_cast<unsigned>(100 + j)));
  auto const run = on.run([&](processor& me) {
    std::vector<matrix2> mine;
    for (auto const& prefix : prefixes) mine.push_back(prefix[index(me.rank())]);
    return lockstep::pipelined_prefix(me, monoid{matrix2{}, std::multiplies<matrix2>{}},
                                      std::span<matrix2 const>(mine), at.scheme, kind, at.with);
  });
  INFO(at.spec << ", k = " << k << ", scheme " << static_cast<int>(at.scheme) << ", kind "
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
    INFO(claimed.figure << " " << claimed.formula << " = " << claimed.value << ", measured "
                        << figure_of(run.counts(), claimed.figure));
    CHECK(holds(claimed, run.counts()) == claimed.erratum.empty());
  }
  return run.counts();
}

std::string sized(std::string const& network, int d) { return network + ':' + std::to_string(d); }

}  // namespace

TEST_CASE("k prefixes on a tree, with each kind of ports", "[prefix]") {
  for (int d = 1; d <= 7; ++d)
    for (int const k : {0, 1, 2, 3, 7, 64})
      for (auto const with : {ports::one, ports::all, ports::per_pass})
        checked({sized("tree", d), pipelined_scheme::lagged, with}, k, prefix_kind::inclusive);
}

TEST_CASE("k prefixes by halving, in lock step", "[prefix]") {
  for (auto const* const network : {"hypercube", "shuffle-exchange"})
    for (int d = 1; d <= 7; ++d)
      for (int const k : {0, 1, 2, 3, 7, 64})
        checked({sized(network, d), pipelined_scheme::halving, ports::one, true}, k,
                prefix_kind::inclusive);
}

TEST_CASE("k prefixes on all ports of a hypercube, in lock step", "[prefix]") {
  for (int d = 1; d <= 7; ++d)
    for (int const k : {0, 1, 2, 3, 7, 64})
      checked({sized("hypercube", d), pipelined_scheme::fft, ports::all, true}, k,
              prefix_kind::inclusive);
}

TEST_CASE("k prefixes of every kind by every scheme", "[prefix][sanitize]") {
  for (auto const kind : all_prefix_kinds)
    for (int const k : {1, 5}) {
      checked({"tree:4", pipelined_scheme::lagged}, k, kind);
      checked({"hypercube:4", pipelined_scheme::halving}, k, kind);
      checked({"shuffle-exchange:4", pipelined_scheme::halving}, k, kind);
      checked({"hypercube:4", pipelined_scheme::fft, ports::all}, k, kind);
    }
}

TEST_CASE("on one port of a tree no k prefixes take fewer than 3k steps", "[prefix]") {
  for (int d = 4; d <= 8; ++d)
    for (int const k : {2, 8, 40}) {
      auto const all =
          checked({sized("tree", d), pipelined_scheme::lagged}, k, prefix_kind::inclusive);
      CHECK(all.steps >= 3 * static_cast<std::uint64_t>(k));
    }
  // The paper's bound, 2k + 4 log p, for 8 prefixes on 15 processors: 31; 32 are needed.
  CHECK(checked({"tree:4", pipelined_scheme::lagged}, 8, prefix_kind::inclusive).steps == 32);
  CHECK(checked({"tree:4", pipelined_scheme::lagged, ports::per_pass}, 8, prefix_kind::inclusive)
            .steps == 26);
  CHECK(checked({"hypercube:4", pipelined_scheme::halving}, 8, prefix_kind::inclusive).steps == 16);
}

TEST_CASE("schemes that do not fit are refused with what would do", "[prefix]") {
  using lockstep::why_not_pipelined;
  auto const cube = lockstep::parse("hypercube:3");
  auto const tree = lockstep::parse("tree:3");
  CHECK_THAT(why_not_pipelined(*cube, pipelined_scheme::lagged, ports::one),
             Catch::Contains("tree:4"));
  CHECK_THAT(why_not_pipelined(*tree, pipelined_scheme::halving, ports::one),
             Catch::Contains("hypercube:4"));
  CHECK_THAT(why_not_pipelined(*cube, pipelined_scheme::fft, ports::one),
             Catch::Contains("ports all"));
  CHECK_THROWS_AS(lockstep::pipelined_prefix_claims(*tree, pipelined_scheme::fft, 1, ports::all),
                  lockstep::invalid_argument);
}
