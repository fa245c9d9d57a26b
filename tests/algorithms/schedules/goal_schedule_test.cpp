// GOAL schedules: read, matched and played on a machine, and our own exports read back.

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/algorithms/schedules/goal_schedule.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>
#include <lockstep/traces/goal_trace.hpp>

#include "algorithms/schedules/goal_text.hpp"
#include "catch.hpp"

using lockstep::crossbar;
using lockstep::goal_arrival;
using lockstep::goal_operation;
using lockstep::goal_schedule;
using lockstep::machine;
using lockstep::processor;
using reference::schedule_of;

namespace {

std::string refusal_of(std::string const& text) {
  try {
    static_cast<void>(schedule_of(text));
  } catch (lockstep::invalid_argument const& refused) {
    return refused.message();
  }
  return "nothing is refused";
}

auto played(goal_schedule const& schedule, machine const& on) {
  return on.run([&](processor& me) { return lockstep::play(me, schedule); });
}

/// What a schedule's receives get by the sequential matching of sends.
std::vector<std::vector<goal_arrival>> expected(goal_schedule const& schedule) {
  std::vector<std::vector<goal_arrival>> all;
  for (int rank = 0; rank < schedule.ranks(); ++rank) {
    auto& got = all.emplace_back();
    auto const sends = schedule.sends_for(rank);
    auto send = sends.begin();
    for (auto const& one : schedule.operations_of(rank))
      if (one.what == goal_operation::kind::receive)
        got.push_back({one.peer, (*send++).value(), (one.amount + 7) / 8});
  }
  return all;
}

constexpr char const* small = R"(// a comment
num_ranks 3
rank 0 { /* another,
  of two lines */
  l1: send 8b to 1 tag 7 cpu 0 nic 1
  l2: calc 100
  send 20b to 2
  l2 requires l1
}
rank 2{l9:recv 20 b from 0}
rank 1 {
  a: recv 8b from 0 tag 7
}
)";

}  // namespace

TEST_CASE("a GOAL schedule is read and played") {
  auto const schedule = schedule_of(small);
  REQUIRE(schedule.ranks() == 3);
  CHECK(schedule.operations_of(0)[1] ==
        goal_operation{goal_operation::kind::calculate, -1, 100, 0, 6});
  CHECK(schedule.operations_of(0)[2] == goal_operation{goal_operation::kind::send, 2, 20, 0, 7});
  CHECK(schedule.partly_ordered() == 1);
  auto const run = played(schedule, machine{crossbar{3}});
  CHECK(run.results() == expected(schedule));
  CHECK(run.counts().steps == 2);
  CHECK(run.counts().volume == 1 + 3);  // 20 bytes are three words
  CHECK(run.counts().operations == 100);
}

TEST_CASE("requirements reorder a rank's operations, else the file does") {
  auto const schedule = schedule_of(
      "num_ranks 2 rank 0 { a: calc 1 b: calc 2 c: calc 3 d: calc 4 a requires c b irequires d }"
      "rank 1 { a: calc 5 b: calc 6 b requires a }");
  std::vector<std::uint64_t> amounts;
  for (auto const& one : schedule.operations_of(0)) amounts.push_back(one.amount);
  CHECK(amounts == std::vector<std::uint64_t>{3, 1, 4, 2});
  CHECK(schedule.partly_ordered() == 1);
}

TEST_CASE("ranks that would wait in a circle let sends go first, and it is counted") {
  // Each posts a receive and then sends: nobody waits in a circle.
  for (auto const* const order : {"", "s requires r", "s irequires r"}) {
    auto const of_rank = [order](int peer) {
      return "{ r: recv 8b from " + std::to_string(peer) + " s: send 8b to " +
             std::to_string(peer) + " " + order + " }";
    };
    auto const schedule = schedule_of("num_ranks 2 rank 0 " + of_rank(1) + " rank 1 " + of_rank(0));
    INFO(order);
    if (std::string(order) == "s requires r") {
      CHECK_THROWS_AS(played(schedule, machine{crossbar{2}}), lockstep::deadlock);
      CHECK(schedule.order() == lockstep::goal_order{0, 0});
    } else {
      CHECK(played(schedule, machine{crossbar{2}}).counts().steps == 1);
      CHECK(schedule.order() == lockstep::goal_order{2, 2});
    }
  }
}

TEST_CASE("without a circle a rank waits for its receives in the order of the file") {
  auto const schedule = schedule_of(
      "num_ranks 3 rank 0 { recv 8b from 1 send 8b to 2 calc 9 } rank 1 { calc 1 send 8b to 0 }"
      "rank 2 { recv 8b from 0 }");
  using kind = goal_operation::kind;
  std::vector<kind> kinds;
  for (auto const& one : schedule.operations_of(0)) kinds.push_back(one.what);
  CHECK(kinds == std::vector{kind::receive, kind::send, kind::calculate});
  CHECK(schedule.order() == lockstep::goal_order{2, 0});
  CHECK(played(schedule, machine{crossbar{3}}).counts().steps == 2);
}

TEST_CASE("receives of a circle go first where only they can, and what has come is taken") {
  // Rank 0 asks for a message of 1 first, which 1 sends once it has that of 2, which 2 has for 0's.
  auto const schedule = schedule_of(
      "num_ranks 2 rank 0 { a: recv 8b from 1 tag 1 b: recv 8b from 1 tag 2 c: send 8b to 1 tag 3"
      " c requires b } rank 1 { send 8b to 0 tag 2 r: recv 8b from 0 tag 3 s: send 8b to 0 tag 1"
      " s requires r }");
  CHECK(schedule.order() == lockstep::goal_order{2, 1});
  auto const run = played(schedule, machine{crossbar{2}});
  CHECK(run.results() == expected(schedule));
}

TEST_CASE("processors without a rank idle") {
  auto const schedule = schedule_of(
      "num_ranks 2 rank 0 {\n// lockstep: barrier\nsend 8b to 1\n// lockstep: pipelined begin\n"
      "calc 3\n// lockstep: pipelined end\n}\nrank 1 {\n// lockstep: barrier\n"
      "recv 8b from 0\n// lockstep: pipelined begin\n// lockstep: pipelined end\n}");
  auto const run = played(schedule, machine{crossbar{5}});
  CHECK(run.counts().steps == 1);
  CHECK(run.counts().operations == 3);
  CHECK(run.results()[4].empty());
  CHECK_THROWS_WITH(played(schedule_of("num_ranks 6"), machine{crossbar{5}}),
                    has_text("a schedule of 6 ranks on 5 processors"));
}

TEST_CASE("comments of lockstep are operations, which none of their rank overtakes") {
  auto const schedule = schedule_of(R"(// lockstep: subset 7: 1 0
num_ranks 3
rank 0 { b: calc 2
 a: calc 1
 // lockstep: idle 4
 // lockstep: phase ring
 // lockstep: barrier of subset 7
 // lockstep: rearrange 6
 // lockstep: empty
 c: send 1b to 1
 b requires a
}
rank 1 {
 // lockstep: phase ring
 // lockstep: barrier of subset 7
 recv 1b from 0
}
rank 2 {
 // lockstep: phase ring
}
)");
  using kind = goal_operation::kind;
  std::vector<kind> kinds;
  for (auto const& one : schedule.operations_of(0)) kinds.push_back(one.what);
  CHECK(kinds == std::vector{kind::calculate, kind::calculate, kind::idle, kind::phase,
                             kind::barrier, kind::rearrange, kind::send});
  CHECK(schedule.operations_of(0)[0].amount == 1);
  CHECK(schedule.subsets() == std::vector<std::vector<int>>{{1, 0}});
  CHECK(schedule.phases() == std::vector<std::string>{"ring"});
  auto const run = played(schedule, machine{crossbar{3}});
  CHECK(run.counts().rounds == 5);
  CHECK(run.counts().messages == 0);
  CHECK(run.counts().rearranged == 6);
  REQUIRE(run.phases().size() == 1);
  CHECK(run.phases()[0].name == "ring");
}

TEST_CASE("comments of lockstep that it does not write are refused with their line") {
  auto const in_rank = [](std::string const& comment) {
    return refusal_of("num_ranks 2\nrank 0 {\n// lockstep: " + comment + "\n}");
  };
  for (auto const* const wrong :
       {"jump", "idle", "idle x", "idle 3 4", "barrier of subset 1", "barrier of", "along 1",
        "pipelined", "pipelined middle", "rearrange -1", "subset 1: 0 1"}) {
    INFO(wrong);
    CHECK(in_rank(wrong).find("line 3: \"// lockstep: " + std::string(wrong) +
                              "\" is not a comment that lockstep writes") != std::string::npos);
  }
  CHECK(in_rank("pipelined end")
            .find("line 3: pipelined rounds of rank 0 end here, which have not begun") !=
        std::string::npos);
  CHECK(in_rank("pipelined begin")
            .find("line 3: pipelined rounds of rank 0 begin here and do not "
                  "end") != std::string::npos);
  CHECK(in_rank("pipelined begin\n// lockstep: pipelined begin")
            .find("line 4: pipelined rounds of rank 0 begin here, which have begun already") !=
        std::string::npos);
  for (auto const* const wrong : {"subset 1:", "subset 1: 0 0", "subset x: 0", "idle 3"}) {
    INFO(wrong);
    CHECK(refusal_of("// lockstep: " + std::string(wrong) + "\nnum_ranks 1")
              .find("line 1: \"// lockstep: ") != std::string::npos);
  }
  CHECK(refusal_of("// lockstep: subset 1: 0 9\nnum_ranks 2\nrank 0 {\n// lockstep: barrier of "
                   "subset 1\n}")
            .find("line 4") != std::string::npos);
  auto const made = [](goal_operation const& one) { return goal_schedule({{one}}); };
  using kind = goal_operation::kind;
  CHECK_THROWS_WITH(made({kind::barrier, 0}), has_text("an operation of subset 0: there are 0"));
  CHECK_THROWS_WITH(made({kind::phase}), has_text("begins phase 0: there are 0"));
  CHECK_THROWS_WITH(made({kind::begin_pipelined}), has_text("that do not end"));
  CHECK_THROWS_WITH(made({kind::end_pipelined}), has_text("that have not begun"));
}

TEST_CASE("a schedule says what it lacks of the run that it is of") {
  auto const schedule = schedule_of("// lockstep: except hot start-ups\nnum_ranks 1");
  CHECK(schedule.exceptions() == std::vector<std::string>{"hot start-ups"});
  std::ostringstream text;
  machine const on(crossbar{2});
  lockstep::goal_trace trace(text, on);
  static_cast<void>(on.run(
      [](processor& me) {
        std::vector<int> mine(1);
        if (me.rank() == 1) me.send(0, 1);
        if (me.rank() == 0) static_cast<void>(me.read(1, 0, 1, mine));
        if (me.rank() == 1) me.serve(mine);
        if (me.rank() == 0) static_cast<void>(me.receive<int>(1));
      },
      trace));
  trace.finish();
  CHECK(schedule_of(text.str()).exceptions() ==
        std::vector<std::string>{"one-sided calls and posts that overtake other messages"});
}

TEST_CASE("a schedule says on which machine its run was") {
  CHECK_FALSE(schedule_of(small).of_machine());
  std::string const text =
      "// a run\n// lockstep: machine ports all switching cut-through packet 3 word 4 on my own "
      "torus\n// lockstep: in the order of the file\nnum_ranks 2\nrank 0 { calc 1 }";
  auto const whole = schedule_of(text).of_machine();
  std::istringstream in(text);
  auto const alone = goal_schedule::read_machine(in, "s.goal");
  for (auto const& one : {whole, alone}) {
    REQUIRE(one);
    CHECK(one->network == "my own torus");
    CHECK(one->options.ports == lockstep::ports::all);
    CHECK(one->options.switching == lockstep::switching::cut_through);
    CHECK(one->options.packet == 3);
    CHECK(one->options.word_bytes == 4);
  }
  std::istringstream none("num_ranks 2\nrank 0 { calc 1 }");
  CHECK_FALSE(goal_schedule::read_machine(none, "s.goal"));
  std::istringstream empty("");
  CHECK_FALSE(goal_schedule::read_machine(empty, "s.goal"));
}

TEST_CASE("ways of messages are of the network of the file; on others messages go the usual way") {
  std::ostringstream text;
  machine const torus(lockstep::torus{4, 4});
  lockstep::goal_trace trace(text, torus);
  auto const run = torus.run(
      [](processor& me) {
        return me.shift(lockstep::along{1, 3}, std::vector<int>(5));
      },
      trace);
  trace.finish();
  auto const schedule = schedule_of(text.str());
  auto const again = played(schedule, torus);
  CHECK(again.results() == expected(schedule));
  CHECK(again.counts() == run.counts());
  CHECK(again.counts().hops == 3);
  for (auto const& other : {machine{crossbar{16}}, machine{lockstep::torus{2, 8}}}) {
    auto const elsewhere = played(schedule, other);
    CHECK(elsewhere.results() == expected(schedule));
    CHECK(elsewhere.counts().messages == 16);
  }
}

TEST_CASE("a machine that is not written as lockstep writes it is refused with its line") {
  std::string const right = "ports one switching neighbour packet 1 word 8 on ring:4";
  CHECK(schedule_of("// lockstep: machine " + right + "\nnum_ranks 2").of_machine());
  for (std::string const wrong :
       {"", "ports one", "ports two switching neighbour packet 1 word 8 on ring:4",
        "switching neighbour ports one packet 1 word 8 on ring:4",
        "ports one switching wormhole packet 1 word 8 on ring:4",
        "ports one switching neighbour packet 0 word 8 on ring:4",
        "ports one switching neighbour packet 4294967297 word 8 on ring:4",
        "ports one switching neighbour packet -1 word 8 on ring:4",
        "ports one switching neighbour packet 1 word 0 on ring:4",
        "ports one switching neighbour packet 1 word 8 on ",
        "ports one switching neighbour on ring:4",
        "ports one switching neighbour packet 1 word 8 ring:4"}) {
    INFO(wrong);
    auto const text = "// a run\n// lockstep: machine " + wrong + "\nnum_ranks 2\n";
    auto const start = "s.goal, line 2: \"// lockstep: machine ";
    CHECK(refusal_of(text).starts_with(start));
    std::istringstream in(text);
    CHECK_THROWS_WITH(goal_schedule::read_machine(in, "s.goal"), has_text(start));
  }
  auto const line = "// lockstep: machine " + right + "\n";
  CHECK(refusal_of(line + line + "num_ranks 2").starts_with("s.goal, line 2: "));
  CHECK(refusal_of("num_ranks 2\nrank 0 { }\n" + line).starts_with("s.goal, line 3: "));
  CHECK(refusal_of("num_ranks 2\nrank 0 {\n" + line + "}").starts_with("s.goal, line 3: "));
}

TEST_CASE("a schedule says where it stops, by line and tag") {
  CHECK(schedule_of(small).unmatched().empty());
  CHECK(schedule_of("num_ranks 2\nrank 0 {\nsend 8b to 1 tag 4 }").unmatched() ==
        "there is no receive for the send from rank 0 to 1 with tag 4 (line 3)");
  CHECK(schedule_of("num_ranks 2\nrank 0 { a: recv 8b from 1 tag 3\nb: send 8b to 1\n"
                    "b requires a }\nrank 1 { a: recv 8b from 0\nb: send 8b to 0 tag 3\n"
                    "b requires a }")
            .unmatched() ==
        "nobody can go on: rank 0 waits for a message from rank 1 with tag 3 (line 2); rank 1 "
        "waits for a message from rank 0 with tag 0 (line 5)");
  CHECK(goal_schedule({std::vector<goal_operation>(6, {goal_operation::kind::send, 1, 8}), {}})
            .unmatched()
            .ends_with("; and 2 more"));
}

TEST_CASE("a message may be shorter than its receive allows") {
  auto const schedule =
      schedule_of("num_ranks 2 rank 0 { send 8b to 1 } rank 1 { recv 80b from 0 }");
  CHECK(played(schedule, machine{crossbar{2}}).results()[1].front().words == 1);
}

TEST_CASE("messages match by tag, and those that come before are kept") {
  auto const schedule = schedule_of(R"(num_ranks 2
rank 0 { send 8b to 1 tag 1 send 16b to 1 tag 2 send 24b to 1 tag 1 send 0b to 1 tag 3 }
rank 1 { recv 0b from 0 tag 3 recv 16b from 0 tag 2 recv 8b from 0 tag 1 recv 24b from 0 tag 1 })");
  auto const run = played(schedule, machine{crossbar{2}});
  CHECK(run.results()[1] == std::vector<goal_arrival>{{0, 3, 0}, {0, 1, 2}, {0, 0, 1}, {0, 2, 3}});
  CHECK(run.results() == expected(schedule));
  CHECK(run.counts().rounds == 4);
  CHECK(run.counts().steps == 3);  // the last message is empty
}

TEST_CASE("what is left unmatched is an error of the run") {
  auto const run = [](std::string const& text) {
    auto const schedule = schedule_of(text);
    static_cast<void>(played(schedule, machine{crossbar{schedule.ranks()}}));
  };
  CHECK_THROWS_AS(run("num_ranks 2 rank 0 { recv 8b from 1 }"), lockstep::deadlock);
  CHECK_THROWS_AS(run("num_ranks 2 rank 0 { recv 8b from 1 tag 1 } rank 1 { send 8b to 0 tag 2 }"),
                  lockstep::deadlock);
  CHECK_THROWS_AS(run("num_ranks 2 rank 0 { send 8b to 1 }"), lockstep::unreceived_message);
  CHECK_THROWS_WITH(run("num_ranks 2\nrank 0 {\nsend 8b to 1 tag 4\nsend 8b to 1 tag 5 }\n"
                        "rank 1 { recv 8b from 0 tag 5 }"),
                    has_text("the send of line 3 from rank 0 to 1 with tag 4 has no receive"));
  CHECK_THROWS_WITH(run("num_ranks 2\nrank 0 { send 8b to 1 }\nrank 1 { recv 7b from 0 }"),
                    has_text("the receive of line 3 of 7 bytes from rank 0 with tag 0 gets 8, "
                             "which the send of line 2 "
                             "has"));
  CHECK_THROWS_WITH(played(schedule_of("num_ranks 3"), machine{crossbar{2}}),
                    has_text("a schedule of 3 ranks on 2 processors"));
}

TEST_CASE("text that is not GOAL is refused with its line") {
  CHECK(refusal_of("") ==
        "s.goal, line 1: \"num_ranks\" is expected here, not the end of the file");
  CHECK(refusal_of("num_ranks x").find("a whole number below 2^64 is expected here, not \"x\"") !=
        std::string::npos);
  CHECK(refusal_of("num_ranks 0").find("num_ranks 0: there are 1 to 2^31 - 1 ranks") !=
        std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 2 { }").find("line 2: rank 2: ranks are 0 to 1") !=
        std::string::npos);
  CHECK(
      refusal_of("num_ranks 2\nrank 0 { }\nrank 0 { }").find("line 3: rank 0 stands here again") !=
      std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\nsend 8b to 0 }")
            .find("line 3: rank 0 has a message with "
                  "itself") != std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\nsend 8b to 5 }")
            .find("line 3: rank 5: ranks are 0 to 1") != std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\nsend 8b from 1 }")
            .find("\"to\" is expected here, not "
                  "\"from\"") != std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\nrecv 8b from -1 }")
            .find("line 3: a receive from any rank") != std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\nrecv 8b from 1 tag -1 }").find("with any tag") !=
        std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\nsend 8 to 1 }")
            .find("\"b\" is expected here, not \"to\"") != std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\nsend xb to 1 }")
            .find("bytes, as in \"8b\", are expected") != std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\nl1: jump }")
            .find("after the label l1 comes send, recv or "
                  "calc, not \"jump\"") != std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\njump }").find("line 3: \"jump\" is not GOAL") !=
        std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\nl: calc 1\nl: calc 2 }")
            .find("line 4: rank 0 has a label l already") != std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\nl: calc 1\nl requires k }")
            .find("line 4: rank 0 has no label k") != std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\na: calc 1\nb: calc 2\na requires b\nb requires a }")
            .find("line 3: operations of rank 0 require each other") != std::string::npos);
  CHECK(refusal_of("num_ranks 2\nrank 0 {\na: calc 1").find("the file ends within rank 0") !=
        std::string::npos);
  CHECK(refusal_of("num_ranks 2\n/* no end")
            .find("line 2: the comment that begins here does not "
                  "end") != std::string::npos);
  CHECK(refusal_of("num_ranks 2 / 3").find("\"/\" is not GOAL") != std::string::npos);
  CHECK_THROWS_AS(goal_schedule(std::vector<std::vector<goal_operation>>{}),
                  lockstep::invalid_argument);
  CHECK_THROWS_AS(goal_schedule({{{goal_operation::kind::send, 1, 8}}}),
                  lockstep::invalid_argument);
}

TEST_CASE("a schedule of messages with tags is played with them, inside of another tag, too") {
  machine const two{crossbar{2}};
  std::ostringstream text;
  lockstep::goal_trace trace(text, two);
  auto const run = two.run(
      [](processor& me) {
        if (me.rank() == 0) {
          me.tagged(1)->send(1, 1);
          me.send(1, std::vector<int>(3));
        } else {
          static_cast<void>(me.receive<int>(0));
          static_cast<void>(me.tagged(1)->receive<int>(0));
        }
      },
      trace);
  trace.finish();
  auto const schedule = schedule_of(text.str());
  for (int const around : {0, 1, 2}) {
    auto const again = two.run([&](processor& me) {
      auto const tag = me.tagged(around);
      return lockstep::play(me, schedule);
    });
    CHECK(again.results() == expected(schedule));
    CHECK(again.counts().steps == run.counts().steps);
    CHECK(again.counts().words == run.counts().words);
  }
}

TEST_CASE("our own exports read back give the same counts") {
  auto const same_again = [](machine const& on, auto const& program) {
    std::ostringstream text;
    lockstep::goal_trace trace(text, on);
    auto const run = on.run(program, trace);
    trace.finish();
    auto const schedule = schedule_of(text.str());
    auto const again = played(schedule, on);
    CHECK(again.results() == expected(schedule));
    for (auto const figure :
         {&lockstep::counts::steps, &lockstep::counts::words, &lockstep::counts::volume,
          &lockstep::counts::messages, &lockstep::counts::hops, &lockstep::counts::contention,
          &lockstep::counts::link_words, &lockstep::counts::queued})
      CHECK(again.counts().*figure == run.counts().*figure);
  };
  same_again(machine{lockstep::hypercube{4}}, [](processor& me) {
    return lockstep::prefix(me, lockstep::monoid{0L, std::plus<long>{}}, long{me.rank()});
  });
  same_again(machine{lockstep::torus{4, 4}}, [](processor& me) {
    std::vector<long> sum(5, me.rank());
    for (int step = 1; step <= 4; ++step)
      sum = me.shift(lockstep::along{step % 2, step % 2 + 1}, sum);
    return sum;
  });
  same_again(machine{crossbar{7}}, [](processor& me) {
    if (me.rank() > 0) {
      me.send(0, std::vector<int>(static_cast<std::size_t>(me.rank())));
    } else {
      for (int from = 6; from > 0; --from) static_cast<void>(me.receive<int>(from));
    }
  });
}
