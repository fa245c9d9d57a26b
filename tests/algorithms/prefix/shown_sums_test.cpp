#include <lockstep/algorithms/prefix/detail/show_sums.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/algorithms/random_access/item_scan.hpp>

#include "algorithms/shown_at.hpp"
#include "catch.hpp"
#include "prefix/prefix_samples.hpp"

using lockstep::monoid;
using lockstep::pipelined_scheme;
using lockstep::prefix_kind;
using lockstep::processor;
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

/// The ranks that a prefix covers in the end, `count` times.
intervals whole(prefix_kind kind, int rank, int p, std::size_t count = 1) {
  auto const covered = covered_by(kind, rank, p);
  return covered.first > covered.last ? intervals{} : intervals(count, covered);
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
  auto const kind = GENERATE(from_range(all_prefix_kinds));
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
  using enum pipelined_scheme;
  auto const kind = GENERATE(prefix_kind::inclusive, prefix_kind::backward_exclusive);
  auto const [scheme, spec] = GENERATE(table<pipelined_scheme, std::string>({
      {lagged, "tree:4"},
      {inorder, "hypercube:3"},
      {spanning_tree, "hypercube:4"},
      {halving, "hypercube:4"},
      {halving, "shuffle-exchange:3"},
      {fft, "hypercube:3"},
      {relay, "shuffle-exchange:3"},
      {combined, "shuffle-exchange:4"},
  }));
  auto const with = scheme == fft ? lockstep::ports::all : lockstep::ports::one;
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
  if (scheme == halving) {
    check_values(log, "sums", "values of sums");
    check_values(log, "sums before", "values of sums before");
  }
  for (auto const& [rank, shown] : reference::shown_as(log, "prefixes"))
    CHECK(std::get<intervals>(shown.back()) == whole(kind, rank, network->size(), 5));
}
