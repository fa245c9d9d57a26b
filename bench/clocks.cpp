// Runs that are kept for a clock beside the same runs that are counted, from their start to their end, and
// what it takes to price one of them.

#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include <lockstep/clock_models.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

using lockstep::processor;

/// Each sends a word to the next of a ring, in every step.
word pass_on(processor& me, int steps) {
  auto const p = me.size();
  word mine = static_cast<word>(me.rank());
  for (int step = 0; step < steps; ++step)
    mine = me.exchange((me.rank() + 1) % p, mine, (me.rank() + p - 1) % p);
  if (mine != static_cast<word>((me.rank() + p - steps % p) % p)) throw std::logic_error("ring");
  return mine;
}

/// Each sends a word to a processor at a distance that a generator draws anew for every step.
word permute(processor& me, int steps) {
  auto const p = static_cast<word>(me.size());
  auto const rank = static_cast<word>(me.rank());
  word distance = 1;
  word mine = rank;
  word travelled = 0;
  for (int step = 0; step < steps; ++step) {
    distance = distance * 1'664'525 + 1'013'904'223;
    auto const ahead = 1 + (distance >> 16U) % (p - 1);
    mine = me.exchange(static_cast<int>((rank + ahead) % p), mine,
                       static_cast<int>((rank + p - ahead) % p));
    travelled = (travelled + ahead) % p;
  }
  if (mine != (rank + p - travelled) % p) throw std::logic_error("permutation");
  return mine;
}

struct clocked_workload {
  char const* name;
  word (*program)(processor& me, int steps);
};

/// Seconds of a run, of the same run kept for a clock, and of its timeline.
struct clock_seconds {
  double counted = 0;
  double clocked = 0;
  double priced = 0;
};

/// Nothing where counts differ.
std::optional<clock_seconds> clock_seconds_of(clocked_workload const& of, int processors,
                                              int steps) {
  auto options = one_worker.options();
  lockstep::crossbar const network{processors};
  lockstep::machine const counted{network, options};
  options.clocked = true;
  lockstep::machine const clocked{network, options};
  auto const program = [&](processor& me) { return of.program(me, steps); };
  clock_seconds took;
  lockstep::counts counts;
  took.counted = seconds_of([&] { counts = counted.run(program).counts(); });
  bool is_same = false;
  took.clocked = seconds_of([&] { is_same = clocked.run(program).counts() == counts; });
  if (!is_same) return std::nullopt;
  auto const run = clocked.run(program);
  took.priced =
      seconds_of([&] { benchmark::DoNotOptimize(run.timeline(lockstep::loggp_clock{})); });
  return took;
}

}  // namespace

void add_clocks(scope const& of) {
  constexpr int processors = 1024;
  int const steps = of.quick ? 100 : 500;
  for (auto const& each : {clocked_workload{"ring", pass_on}, {"permutation", permute}})
    add(fmt::format("clock/{}", each.name), 1, [=](benchmark::State& state) {
      least counted, clocked, priced;
      for ([[maybe_unused]] auto _ : state)
        for (int times = 0; times < 5; ++times) {
          auto const took = clock_seconds_of(each, processors, steps);
          if (!took) return state.SkipWithError("a clock changes the counts");
          counted.add(took->counted);
          clocked.add(took->clocked);
          priced.add(took->priced);
        }
      constexpr double ns = 1e9 / processors;
      state.counters[counted_ns] = counted.seconds() * ns / steps;
      state.counters[clocked_ns] = clocked.seconds() * ns / steps;
      state.counters[timeline_ns] = priced.seconds() * ns / steps;
    });
}

}  // namespace bench
