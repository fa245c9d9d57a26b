// Schedules in GOAL that lockstep writes, read back and played: the counts of the run that they are of.

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <lockstep/algorithms/schedules/goal_schedule.hpp>
#include <lockstep/experiments/registry.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/traces/goal_trace.hpp>

#include "../catch.hpp"
#include "experiments/default_request.hpp"

namespace {

/// Runs an algorithm, and the schedule of the run, and compares.
void check_round_trip(lockstep::experiment const& which, std::string const& on) {
  std::shared_ptr<lockstep::topology const> const network = lockstep::parse(on);
  auto asked = default_request(which, network);
  std::ostringstream text;
  lockstep::machine const traced(network, asked.options);
  lockstep::goal_trace trace(text, traced, {.program = which.name});
  std::array<lockstep::observer*, 1> const watching{&trace};
  asked.observers = watching;
  auto const run = which.run(asked).record;
  trace.finish();
  INFO(which.name << " on " << on);
  std::istringstream in(text.str());
  auto const schedule = lockstep::goal_schedule::read(in, "run.goal");
  CHECK(schedule.order() == lockstep::goal_order{});
  CHECK(schedule.unmatched().empty());
  auto const again = lockstep::machine(network, run.options()).run([&](lockstep::processor& me) {
    static_cast<void>(lockstep::play(me, schedule, run.options().word_bytes));
  });
  auto expected = run.counts();
  expected.hot_startups = expected.memory = 0;  // of one-sided calls and memory, not of messages
  CHECK(to_string(again.counts()) == to_string(expected));
  CHECK(again.counts() == expected);
  CHECK(again.makespan() == run.makespan());
  CHECK(again.span() == run.span());
  CHECK(again.phases().size() == run.phases().size());
}

}  // namespace

TEST_CASE("goal: each algorithm's schedule played again has the counts of its run", "[goal]") {
  constexpr int most_processors = 16;
  auto const size_of = [](std::string const& on) { return lockstep::parse(on)->size(); };
  for (auto const& which : lockstep::experiments()) DYNAMIC_SECTION(which.name) {
      auto const smallest = std::ranges::min(which.examples, {}, size_of);
      for (auto const& on : which.examples)
        if (on == smallest || size_of(on) <= most_processors) check_round_trip(which, on);
    }
}
