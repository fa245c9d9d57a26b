#include <lockstep/algorithms/prefix/detail/show_sums.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/algorithms/random_access/item_scan.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>

#include "algorithms/shown_at.hpp"
#include "catch.hpp"

using lockstep::monoid;
using lockstep::pipelined_scheme;
using lockstep::prefix_kind;
using lockstep::processor;
using lockstep::rank_interval;
using reference::intervals;

namespace {

monoid const plus{0, std::plus<int>{}};

template <class Program>
reference::call_log watched(std::string const& spec, Program const& program,
                            lockstep::machine_options const& options = {}) {
  reference::call_log log;
  lockstep::machine const machine{lockstep::parse(spec), options};
  (void)machine.run(program, log);
  return log;
}

/// The ranks that a prefix covers in the end.
intervals whole(prefix_kind kind, int rank, int p) {
  bool const inclusive = lockstep::is_inclusive(kind);
  rank_interval const covered = lockstep::is_forward(kind)
                                    ? rank_interval{0, inclusive ? rank : rank - 1}
                                    : rank_interval{inclusive ? rank : rank + 1, p - 1};
  return covered.first > covered.last ? intervals{} : intervals{covered};
}

/// Each sum that is shown is that of the ranks that it is said to cover.
void check_values(reference::call_log const& log, std::string const& name,
                  std::string const& values) {
  auto const shown = reference::shown_as(log, name);
  auto const with = reference::shown_as(log, values);
  CHECK_FALSE(shown.empty());
  for (auto const& [rank, covered] : shown) {
    REQUIRE(covered.size() == with.at(rank).size());
    for (std::size_t i = 0; i < covered.size(); ++i) {
      auto const& ranges = std::get<intervals>(covered[i]);
      auto const numbers = reference::numbers_in(with.at(rank)[i]);
      for (std::size_t j = 0; j < ranges.size(); ++j)
        CHECK(numbers.at(j) == reference::sum_of_ranks(ranges[j]));
    }
  }
}

}  // namespace

TEST_CASE("the sums of a prefix are those of the ranks that are shown, and come to cover all") {
  auto const kind = GENERATE(prefix_kind::inclusive, prefix_kind::exclusive, prefix_kind::backward,
                             prefix_kind::backward_exclusive);
  for (std::string const spec : {"hypercube:4", "tree:4", "shuffle-exchange:3", "hypercube:0"}) {
    INFO(spec);
    auto const log =
        watched(spec, [&](processor& me) { return prefix(me, plus, me.rank(), kind); });
    check_values(log, "sum", "value of sum");
    check_values(log, "prefix", "value of prefix");
    int const p = lockstep::parse(spec)->size();
    for (auto const& [rank, shown] : reference::shown_as(log, "prefix"))
      CHECK(std::get<intervals>(shown.back()) == whole(kind, rank, p));
  }
}

TEST_CASE("on a hypercube the ranks that a prefix covers grow to all up to its own") {
  auto const log =
      watched("hypercube:4", [](processor& me) { return prefix(me, plus, me.rank()); });
  for (auto const& [rank, shown] : reference::shown_as(log, "prefix")) {
    REQUIRE(shown.size() == 5);
    for (int i = 0; i <= 4; ++i)
      CHECK(std::get<intervals>(shown[static_cast<std::size_t>(i)]) ==
            intervals{{rank >> i << i, rank}});
  }
}

TEST_CASE("a scan shows the ranks that it covers") {
  auto const log =
      watched("crossbar:13", [](processor& me) { return item_scan(me, plus, me.rank()); });
  check_values(log, "scan", "value of scan");
  for (auto const& [rank, shown] : reference::shown_as(log, "scan before"))
    CHECK(std::get<intervals>(shown.back()) == whole(prefix_kind::exclusive, rank, 13));
}

TEST_CASE("pipelined prefixes show the ranks that their sums cover") {
  struct network_of_scheme {
    pipelined_scheme scheme;
    std::string spec;
    lockstep::ports with = lockstep::ports::one;
  };
  auto const kind = GENERATE(prefix_kind::inclusive, prefix_kind::backward_exclusive);
  for (auto const& [scheme, spec, with] :
       {network_of_scheme{pipelined_scheme::lagged, "tree:4"},
        network_of_scheme{pipelined_scheme::inorder, "hypercube:3"},
        network_of_scheme{pipelined_scheme::spanning_tree, "hypercube:4"},
        network_of_scheme{pipelined_scheme::halving, "hypercube:4"},
        network_of_scheme{pipelined_scheme::halving, "shuffle-exchange:3"},
        network_of_scheme{pipelined_scheme::fft, "hypercube:3", lockstep::ports::all},
        network_of_scheme{pipelined_scheme::relay, "shuffle-exchange:3"},
        network_of_scheme{pipelined_scheme::combined, "shuffle-exchange:4"}}) {
    INFO(name_of(scheme) << " on " << spec);
    auto const network = lockstep::parse(spec);
    lockstep::prefix_schedule const schedule(*network, scheme, with);
    auto const log =
        watched(spec,
                [&, &plus = plus](processor& me) {
                  return pipelined_prefix(me, plus, std::vector<int>(5, me.rank()), schedule, kind);
                },
                {.ports = with});
    check_values(log, "prefixes", "values of prefixes");
    if (scheme == pipelined_scheme::halving) {
      check_values(log, "sums", "values of sums");
      check_values(log, "sums before", "values of sums before");
    }
    for (auto const& [rank, shown] : reference::shown_as(log, "prefixes")) {
      auto const covered = whole(kind, rank, network->size());
      CHECK(std::get<intervals>(shown.back()) ==
            (covered.empty() ? intervals{} : intervals(5, covered.front())));
    }
  }
}
