// The clock of LogGP beside the rules of the simulator LogGOPSim: equal where a processor waits for what
// comes, and otherwise as docs/clocks.md says.

#include <sstream>
#include <string>
#include <vector>

#include <lockstep/algorithms/schedules/goal_schedule.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/timeline.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/traces/goal_trace.hpp>

#include "algorithms/schedules/goal_text.hpp"
#include "algorithms/schedules/loggops_rules.hpp"
#include "catch.hpp"

using lockstep::crossbar;
using lockstep::goal_schedule;
using lockstep::machine;
using lockstep::processor;
using reference::schedule_of;

namespace {

lockstep::loggp_clock const model{
    .latency_us = 5, .overhead_us = 1, .gap_us = 2, .gap_us_per_byte = 0.01, .operation_us = 1};

double by_clock(goal_schedule const& schedule) {
  machine const on{crossbar{schedule.ranks()}, {.clocked = true}};
  auto const run = on.run([&](processor& me) { static_cast<void>(play(me, schedule)); });
  return run.timeline(model).makespan;
}

/// Both makespans of what a program does, read back from its trace.
template <class Program>
void check_equal(machine const& on, Program const& program) {
  std::ostringstream text;
  lockstep::goal_trace trace(text, on);
  static_cast<void>(on.run(program, trace));
  trace.finish();
  auto const schedule = schedule_of(text.str());
  CHECK(reference::loggops_makespan(schedule, model) == Approx(by_clock(schedule)));
}

}  // namespace

TEST_CASE(
    "the clock and LogGOPSim's rules agree on programs whose processors wait for what comes") {
  check_equal(machine{crossbar{8}}, [](processor& me) {  // a chain
    if (me.rank() > 0) static_cast<void>(me.receive<long>(me.rank() - 1));
    if (me.rank() < 7) me.send(me.rank() + 1, std::vector<long>(20));
  });
  check_equal(machine{crossbar{6}}, [](processor& me) {  // around a ring
    for (int round = 0; round < 5; ++round)
      static_cast<void>(
          me.exchange((me.rank() + 1) % 6, std::vector<long>(3), (me.rank() + 5) % 6));
  });
  check_equal(machine{lockstep::hypercube{4}}, [](processor& me) {  // doubling
    long sum = me.rank();
    for (int bit = 1; bit < 16; bit *= 2) sum += me.exchange(me.rank() ^ bit, sum);
  });
  check_equal(machine{crossbar{5}}, [](processor& me) {  // one after another to all
    for (int to = 1; to < 5 && me.rank() == 0; ++to) me.send(to, std::vector<long>(10));
    if (me.rank() > 0) static_cast<void>(me.receive<long>(0));
  });
}

TEST_CASE("LogGOPSim charges a receiver for what arrives, whether it asked for it or not") {
  // Rank 0's message of 1,008 bytes arrives just before rank 2's, which rank 1 waits for.
  auto const schedule = schedule_of(R"(num_ranks 4
rank 0 { calc 10 send 1008b to 1 }
rank 1 { a: recv 8b from 2 b: send 8b to 3 b requires a recv 1008b from 0 }
rank 2 { calc 11 send 8b to 1 }
rank 3 { recv 8b from 1 }
)");
  // The clock: rank 1 has what it asked for at 17 + 0.07 + 1, and its answer is there at 25.14; the port
  // is free for the other message at 17 + 2.07, and it ends after 10.07 + 1.
  CHECK(by_clock(schedule) == Approx(30.14));
  // LogGOPSim: rank 0's message takes the interface from 16 to 28.07, when rank 2's comes in; the answer
  // leaves at 29.14 and is there at 36.21.
  CHECK(reference::loggops_makespan(schedule, model) == Approx(36.21));
}

TEST_CASE("LogGOPSim charges a receiver's processor for the bytes of a message, too") {
  // Rank 1 computes while the message comes in.
  auto const schedule =
      schedule_of("num_ranks 2 rank 0 { send 1008b to 1 } rank 1 { calc 100 recv 1008b from 0 }");
  CHECK(by_clock(schedule) == Approx(101));                               // 100 + o
  CHECK(reference::loggops_makespan(schedule, model) == Approx(111.07));  // 100 + o + 1007 G
}
