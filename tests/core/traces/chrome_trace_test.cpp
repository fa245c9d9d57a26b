#include <lockstep/traces/chrome_trace.hpp>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "core/full_disk.hpp"
#include "core/machines.hpp"
#include "core/random_programs/random_generator.hpp"
#include "trace_events.hpp"

namespace {

using namespace lockstep;
using reference::trace_events;
using strings = std::vector<std::string>;

/// Traces a run of the program.
template <class Program>
trace_events traced(machine const& on, Program const& program, std::string const& title = "test",
                    std::size_t most_kept = chrome_trace::default_most_kept) {
  std::ostringstream out;
  chrome_trace trace(out, on, {.program = title}, most_kept);
  on.run(program, trace);
  trace.finish();
  return trace_events(out.str());
}

void two_steps(processor& me) {
  me.phase("first");
  (void)me.exchange(me.rank() ^ 1, std::vector<int>(me.rank() == 0 ? 1U : 4U));
  me.phase("second");
  if (me.rank() == 0) me.send(2, std::vector<int>{});
  if (me.rank() == 2) (void)me.receive<int>(0);
}

/// Processor 0 is sent to by the others in step 1, and takes it in as they come.
void all_to_one(processor& me) {
  if (me.rank() > 0) me.send(0, me.rank());
  for (int from = 1; me.rank() == 0 && from < me.size(); ++from) (void)me.receive_value<int>(from);
}

}  // namespace

TEST_CASE("a slice for each processor and step, and an arrow for each message",
          "[trace][sanitize][threads]") {
  auto const choice = GENERATE(from_range(reference::all_engines()));
  auto const shown = traced(machine{hypercube{2}, reference::on(choice)}, two_steps);
  CHECK(shown.faults() == strings{});
  CHECK(shown.slices(0) ==
        strings{"step 1: sends 1 word to 1, takes in 4 words from 1 from 1 for 1",
                "step 2: sends an empty message to 2 from 2 for 1"});
  CHECK(shown.slices(1) ==
        strings{"step 1: sends 4 words to 0, takes in 1 word from 0 from 1 for 1"});
  CHECK(shown.slices(2) ==
        strings{"step 1: sends 4 words to 3, takes in 4 words from 3 from 1 for 1",
                "step 2: takes in an empty message from 0 from 2 for 1"});
  CHECK(shown.slices(4) == strings{"first from 1 for 1", "second from 2 for 1"});
  REQUIRE(shown.arrows().size() == 5);
  CHECK(shown.arrows().back() ==
        "step 2: sends an empty message to 2 => step 2: takes in an empty message from 0");
}

TEST_CASE("tracks have names, and the phases stand above the processors", "[trace][sanitize]") {
  auto const shown = traced(
      machine{hypercube{1}}, [](processor& me) { (void)me.exchange(1 - me.rank(), 0); }, "a swap");
  CHECK(shown.faults() == strings{});
  strings names;
  for (auto const& event : shown.events("M"))
    names.push_back(std::to_string(event.at("tid").get<int>()) + " " + event.at("args").dump());
  CHECK(names == strings{R"(2 {"name":"a swap on hypercube:1"})", R"(0 {"name":"processor 0"})",
                         R"(0 {"sort_index":0})", R"(1 {"name":"processor 1"})",
                         R"(1 {"sort_index":1})", R"(2 {"name":"phases"})",
                         R"(2 {"sort_index":-1})"});
}

TEST_CASE("where nothing happens there is a machine without tracks", "[trace][sanitize]") {
  auto const shown = traced(
      machine{hypercube{1}}, [](processor&) {}, "nothing");
  CHECK(shown.faults() == strings{});
  CHECK(shown.events("M").size() == 1);
  CHECK(shown.events("X").empty());
  CHECK(shown.about().at("machine") == "hypercube:1");
  CHECK(shown.about().at("processors") == 2);
  CHECK(shown.about().at("steps") == 0);
  CHECK(shown.about().at("time unit") == "step s is the time from s us to s + 1 us");
}

TEST_CASE("labels stand around the steps of their processor", "[trace][sanitize][threads]") {
  auto const choice = GENERATE(from_range(reference::all_engines()));
  auto const shown = traced(machine{hypercube{1}, reference::on(choice)}, [](processor& me) {
    static_cast<void>(me.exchange(1 - me.rank(), 1));
    me.label("round", [&] {
      static_cast<void>(me.exchange(1 - me.rank(), 2));
      if (me.rank() == 0) me.label("last");
      static_cast<void>(me.exchange(1 - me.rank(), 3));
    });
    static_cast<void>(me.exchange(1 - me.rank(), 4));
  });
  CHECK(shown.faults() == strings{});
  auto const labels = [&](int rank) {
    strings found;
    for (auto const& event : shown.events("X", rank))
      if (event.at("cat") == "label")
        found.push_back(event.at("name").get<std::string>() + " from " + event.at("ts").dump() +
                        " for " + event.at("dur").dump());
    std::ranges::sort(found);
    return found;
  };
  CHECK(labels(0) == strings{"last from 3 for 1", "round from 2 for 2"});
  CHECK(labels(1) == strings{"round from 2 for 2"});
}

TEST_CASE("counters say what each step has, when it changes", "[trace][sanitize]") {
  auto const shown = traced(machine{hypercube{2}}, two_steps);
  strings counted;
  for (auto const& event : shown.events("C"))
    counted.push_back(event.at("name").get<std::string>() + event.at("ts").dump() +
                      event.at("args").dump());
  // Step 2 has an empty message only, which counts in no figure.
  CHECK(counted == strings{R"(messages1{"per step":4})", R"(words1{"per step":13})",
                           R"(messages2{"per step":0})", R"(words2{"per step":0})"});
}

TEST_CASE("a message that queued is shown where it was sent, too", "[trace][sanitize]") {
  SECTION("in the slice of that step") {
    auto const shown = traced(machine{crossbar{4}}, all_to_one);
    CHECK(shown.faults() == strings{});
    CHECK(shown.slices(3) ==
          strings{"step 1: sends 1 word to 0 (which arrives in step 3) from 1 for 1"});
    CHECK(shown.slices(0).back() == "step 3: takes in 1 word from 3 (sent in step 1) from 3 for 1");
  }
  SECTION("in one of its own, where that has been written") {
    auto const shown = traced(machine{crossbar{4}}, all_to_one, "test", 0);
    CHECK(shown.faults() == strings{});
    CHECK(shown.slices(1) == strings{"step 1: sends 1 word to 0 from 1 for 1"});
    CHECK(shown.slices(3) ==
          strings{"step 1: sends 1 word to 0 (which arrives in step 3) from 1.5 for 0.25"});
    CHECK(shown.arrows().back() ==
          "step 1: sends 1 word to 0 (which arrives in step 3) => step 3: takes in 1 word from 3 "
          "(sent in step 1)");
  }
}

TEST_CASE("more than three messages of a step are summed up", "[trace][sanitize]") {
  auto const shown = traced(machine{crossbar{6}, {.ports = ports::all}}, [](processor& me) {
    for (int other = 0; other < me.size(); ++other)
      if (other != me.rank() && me.rank() < 3) me.send(other, std::vector<int>(2));
    for (int other = 0; other < 3; ++other)
      if (other != me.rank()) (void)me.receive<int>(other);
  });
  CHECK(shown.faults() == strings{});
  CHECK(shown.slices(0) == strings{"step 1: sends 5 messages, 10 words in all, takes in 2 words "
                                   "from 1 and 2 words from 2 from 1 for 1"});
  CHECK(shown.events("X", 0).front().at("args").dump() ==
        R"({"messages sent":5,"messages taken in":2,"step":1,"words sent":10,"words taken in":4})");
}

TEST_CASE("names are escaped", "[trace][sanitize]") {
  auto const shown = traced(
      machine{hypercube{1}},
      [](processor& me) {
        me.phase("\"\\ \n\x01\x7f ü \xff \xed\xa0\x80 \xc0\xaf \xf0\x9f\x98\x80 \xe2\x82");
        (void)me.exchange(me.rank() ^ 1, 1);
      },
      "a \"quoted\" name");
  CHECK(shown.faults() == strings{});
  auto const bad = std::string("\uFFFD");
  CHECK(shown.events("X", 2).front().at("name") == "\"\\ \n\x01\x7f ü " + bad + " " + bad + bad +
                                                       bad + " " + bad + bad +
                                                       " \xf0\x9f\x98\x80 " + bad + bad);
  CHECK(shown.about().at("program") == "a \"quoted\" name");
}

TEST_CASE("the trace of a run that ends in an error is whole, and shows what came before",
          "[trace][sanitize]") {
  std::ostringstream out;
  machine const two{hypercube{1}};
  chrome_trace trace(out, two);
  CHECK_THROWS_AS(two.run(
                      [](processor& me) {
                        me.phase("in vain");
                        (void)me.exchange(me.rank() ^ 1, 1);
                        (void)me.receive<int>(me.rank() ^ 1);
                      },
                      trace),
                  deadlock);
  trace.finish();
  trace_events const shown(out.str());
  CHECK(shown.faults() == strings{});
  CHECK(shown.arrows().size() == 2);
  CHECK(shown.slices(2) == strings{"in vain from 1 for 1"});
}

TEST_CASE("a full disk lets the run end, and is told of afterwards", "[trace][sanitize]") {
  reference::check_told_of_full_disk<chrome_trace>(700, "run.json");
}

TEST_CASE("whatever runs, the trace follows the format", "[trace]") {
  auto const seed = GENERATE(range(1, 120));
  auto const most_kept = GENERATE(std::size_t{3}, chrome_trace::default_most_kept);
  auto const of = seed % 2 == 0 ? reference::free_program(static_cast<std::uint64_t>(seed))
                                : reference::lockstep_program(static_cast<std::uint64_t>(seed));
  INFO(seed << '\n' << to_string(of));
  std::ostringstream out;
  machine const on(of.network, of.options);
  chrome_trace trace(out, on, {}, most_kept);
  auto const run = on.run(
      [&](processor& me) { (void)play(of.calls[static_cast<std::size_t>(me.rank())], me); }, trace);
  trace.finish();
  trace_events const shown(out.str());
  CHECK(shown.faults() == strings{});
  CHECK(shown.arrows().size() >= run.counts().messages);
  CHECK(shown.about().at("steps") == run.steps().size());
}
