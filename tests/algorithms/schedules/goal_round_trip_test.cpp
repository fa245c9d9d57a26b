// Schedules of random programs, read back and played: the counts of the runs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <lockstep/algorithms/schedules/goal_schedule.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/traces/goal_trace.hpp>

#include "algorithms/schedules/goal_text.hpp"
#include "catch.hpp"
#include "core/random_programs/random_generator.hpp"

namespace {

/// Whether the schedule is to have the steps of the program: it may lack figures of their own.
bool has_all_steps(lockstep::goal_schedule const& of) {
  return std::ranges::all_of(of.exceptions(), [](std::string const& one) {
    return one == "hot start-ups" || one == "memory";
  });
}

lockstep::run_record traced_run(reference::experiment const& of, std::string& text) {
  std::ostringstream out;
  lockstep::machine const on(of.network, of.options);
  lockstep::goal_trace trace(out, on);
  auto const run = on.run(
      [&](lockstep::processor& me) {
        static_cast<void>(play(of.calls[static_cast<std::size_t>(me.rank())], me));
      },
      trace);
  trace.finish();
  text = out.str();
  return run;
}

}  // namespace

TEST_CASE("a random program's schedule played again has the counts of the program") {
  int played = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    auto const of =
        seed % 2 == 0 ? reference::free_program(seed) : reference::lockstep_program(seed);
    INFO(seed << '\n' << to_string(of));
    std::string text;
    auto const run = traced_run(of, text);
    auto const schedule = reference::schedule_of(text);
    if (!has_all_steps(schedule)) continue;
    lockstep::machine const on(of.network, run.options());
    auto const again = on.run([&](lockstep::processor& me) {
      static_cast<void>(lockstep::play(me, schedule, run.options().word_bytes));
    });
    auto expected = run.counts();
    expected.hot_startups = expected.memory = 0;
    INFO(text);
    CHECK(to_string(again.counts()) == to_string(expected));
    CHECK(again.counts() == expected);
    CHECK(again.makespan() == run.makespan());
    CHECK(again.span() == run.span());
    ++played;
  }
  CHECK(played > 320);
}
