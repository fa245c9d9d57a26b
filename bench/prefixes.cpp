// Prefixes on large machines: one on a million processors, 64 at once on a tree.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/topologies/parse.hpp>

#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

using number = std::int64_t;
lockstep::monoid<number, std::plus<number>> const sum{0, {}};

/// The measurement of a run of prefixes of the ranks.
struct prefix_run {
  double seconds = 0;  ///< between two barriers
  std::uint64_t messages = 0;
  bool is_right = false;
};

/// Runs `prefix_of(me)` on every processor: the last of its prefixes is compared.
template <class Prefix>
prefix_run measured(lockstep::machine const& on, Prefix const& prefix_of) {
  round_clock clock;
  auto const run = on.run([&](lockstep::processor& me) {
    me.barrier();
    clock.begin();
    number const prefix = prefix_of(me);
    me.barrier();
    clock.end();
    number const rank = me.rank();
    return prefix == rank * (rank + 1) / 2 ? 1 : 0;
  });
  bool const is_right = std::ranges::find(run.results(), 0) == run.results().end();
  return {clock.seconds(), run.counts().messages, is_right};
}

prefix_run one_prefix(lockstep::machine const& on) {
  return measured(on, [](lockstep::processor& me) {
    return lockstep::prefix(me, sum, static_cast<number>(me.rank()));
  });
}

prefix_run sixty_four_prefixes(lockstep::machine const& on) {
  lockstep::prefix_schedule const schedule(on.topology(), lockstep::pipelined_scheme::lagged);
  return measured(on, [&](lockstep::processor& me) {
    std::vector<number> const mine(64, me.rank());
    return lockstep::pipelined_prefix(me, sum, std::span(mine), schedule).back();
  });
}

void add_prefix(std::string const& what, std::string const& network, engine_choice const& engine,
                prefix_run (*run)(lockstep::machine const&)) {
  auto const name = fmt::format("prefixes/{}, {}, {}", what, network, engine.name());
  add(name, 1, [=](benchmark::State& state) {
    lockstep::machine const on{lockstep::parse(network), engine.options()};
    prefix_run did;
    for ([[maybe_unused]] auto _ : state) did = run(on);
    if (!did.is_right) return state.SkipWithError("not the prefixes");
    state.counters[run_seconds] = did.seconds;
    state.counters[ns_per_message] = did.seconds * 1e9 / static_cast<double>(did.messages);
  });
}

}  // namespace

void add_prefixes(scope const& of) {
  std::string const one = of.quick ? "10" : "20";
  std::string const many = of.quick ? "8" : "16";
  for (auto const& engine : {one_worker, two_workers}) {
    add_prefix("one", "tree:" + one, engine, one_prefix);
    add_prefix("one", "hypercube:" + one, engine, one_prefix);
    add_prefix("64 at once", "tree:" + many, engine, sixty_four_prefixes);
  }
}

}  // namespace bench
