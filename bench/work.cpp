// Calls of work: many in a step, as programs make them from loops, and one in each step.

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <lockstep/topologies/crossbar.hpp>

#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

using lockstep::processor;

constexpr int most_of_a_call = 10;

/// An odd number below `most_of_a_call`; half of that on average.
int amount_of(int call) { return call / 2 * 2 % most_of_a_call + 1; }

/// Calls from two lines by turns, of different amounts.
void work_often(processor& me, int calls) {
  for (int call = 0; call < calls; call += 2) {
    me.work(amount_of(call));
    me.work(1 + me.rank());
  }
}

void work_in_a_step(processor& me, int calls) { work_often(me, calls); }

void work_under_a_label(processor& me, int calls) {
  me.label("labelled");
  work_often(me, calls);
}

void work_in_each_step(processor& me, int calls) {
  for (int call = 0; call < calls; call += 2) {
    me.work(amount_of(call));
    me.idle();
    me.work(1 + me.rank());
    me.idle();
  }
}

void idle_only(processor& me, int calls) {
  for (int call = 0; call < calls; ++call) me.idle();
}

using program = void (*)(processor& me, int calls);

struct working_program {
  char const* name;
  program working;
  program bare;  ///< the same but for the calls of work, or nullptr
};

/// Seconds of a run, the least of several. Errors: std::logic_error where it does not count `operations`.
double seconds_on(lockstep::machine const& on, program of, int calls, word operations) {
  least all;
  for (int times = 0; times < 7; ++times) {
    word counted = 0;
    all.add(seconds_of(
        [&] { counted = on.run([&](processor& me) { of(me, calls); }).counts().operations; }));
    if (counted != operations) throw std::logic_error("work is not counted");
  }
  return all.seconds();
}

}  // namespace

void add_work(scope const& of) {
  constexpr int processors = 64;
  int const calls = of.quick ? 6'400 : 64'000;
  auto const half = static_cast<word>(calls / 2);
  word const wanted =
      processors * half * most_of_a_call / 2 + half * processors * (processors + 1) / 2;
  for (auto const& on : {one_worker, a_thread_each})
    for (auto const& each : {working_program{"in a step", work_in_a_step, nullptr},
                             {"in a step, under a label", work_under_a_label, nullptr},
                             {"one in each step", work_in_each_step, idle_only}})
      add(fmt::format("work/{}, {}", each.name, on.name()), 1, [=](benchmark::State& state) {
        lockstep::machine const four{lockstep::crossbar{processors}, on.options()};
        // Of threads it is the time of the computer, which runs as many at a time as it has cores.
        for ([[maybe_unused]] auto _ : state) {
          auto seconds = seconds_on(four, each.working, calls, wanted);
          if (each.bare != nullptr) seconds -= seconds_on(four, each.bare, calls, 0);
          state.counters[ns_per_call] = seconds * 1e9 / (static_cast<double>(calls) * processors);
        }
      });
}

}  // namespace bench
