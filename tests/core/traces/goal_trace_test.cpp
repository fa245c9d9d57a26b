#include <lockstep/traces/goal_trace.hpp>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/full_disk.hpp"
#include "core/machines.hpp"
#include "core/random_programs/random_generator.hpp"
#include "core/random_programs/reference_model.hpp"
#include "goal_schedule.hpp"

namespace {

using namespace lockstep;
using reference::goal_schedule;
using kind = goal_schedule::kind;
using strings = std::vector<std::string>;

/// A run, and what it leaves in a trace.
struct traced_run {
  run_record run;
  std::string text;
};

template <class Program>
traced_run goal_of(machine const& on, Program const& program) {
  std::ostringstream out;
  goal_trace trace(out, on, {.program = "test"});
  auto run = on.run(program, trace);
  trace.finish();
  return {run, out.str()};
}

/// Checks that re-timed it takes the run's steps.
void check_steps(traced_run const& of) {
  INFO(of.text);
  goal_schedule schedule(of.text);
  CHECK(schedule.faults() == strings{});
  CHECK(schedule.count(kind::send) == of.run.counts().messages);
  CHECK(schedule.count(kind::receive) == of.run.counts().messages);
  CHECK(schedule.bytes_sent() == 8 * of.run.counts().volume);
  CHECK(schedule.steps() == of.run.counts().steps);
}

/// The schedule of a run, the same on all engines.
template <class Program>
goal_schedule schedule_of(std::shared_ptr<topology const> const& network,
                          machine_options const& options, Program const& program) {
  std::string first;
  for (auto const& choice : reference::all_engines()) {
    auto const made = goal_of(machine{network, reference::on(choice, options)}, program);
    if (first.empty()) first = made.text;
    INFO(choice);
    CHECK(made.text == first);
  }
  INFO(first);
  goal_schedule schedule(first);
  CHECK(schedule.faults() == strings{});
  return schedule;
}

template <class Program>
goal_schedule schedule_of(int processors, Program const& program) {
  return schedule_of(std::make_shared<crossbar const>(processors), {}, program);
}

reference::experiment random_experiment(std::uint64_t seed) {
  return seed % 2 == 0 ? reference::free_program(seed) : reference::lockstep_program(seed);
}

goal_schedule schedule_of(reference::experiment const& of) {
  return schedule_of(of.network, of.options, [&](processor& me) {
    (void)play(of.calls[static_cast<std::size_t>(me.rank())], me);
  });
}

/// Takes out local work, for which what comes after it waits.
reference::experiment without_work(reference::experiment of) {
  for (auto& calls : of.calls)
    std::erase_if(calls, [](auto const& call) { return call.what == reference::action::work; });
  return of;
}

/// Tells whether its messages are those of its sends and receives, to the machine's ranks and ways.
bool has_plain_messages(reference::experiment const& of) {
  using reference::action;
  return std::ranges::none_of(of.calls, [](auto const& calls) {
    return std::ranges::any_of(calls, [](auto const& call) {
      return call.what == action::read || call.what == action::write ||
             call.what == action::serve || call.what == action::deliver ||
             call.what == action::receive_any || call.what == action::try_receive ||
             (call.out.way && call.through != reference::whole_machine);
    });
  });
}

/// The messages of a program's calls as they stand there, as the schedule says it.
strings messages_of(reference::experiment const& of, int rank) {
  using reference::action;
  strings lines;
  for (auto const& call : of.calls[static_cast<std::size_t>(rank)]) {
    auto const& out = call.out;
    if (call.what == action::send || call.what == action::exchange)
      lines.push_back("send to " +
                      std::to_string(out.way ? of.network->end_of(rank, *out.way) : out.to));
    if (call.what == action::receive || call.what == action::exchange)
      lines.push_back("recv from " + std::to_string(call.in.from));
  }
  return lines;
}

/// The same with what each waits for where there is one port: a receive for the receives before
/// it, a send for all before it.
strings waits_of(strings const& messages) {
  strings lines;
  for (std::size_t at = 0; at < messages.size(); ++at) {
    std::string waits;
    for (std::size_t before = 0; before < at; ++before)
      if (messages[at].starts_with("send") || messages[before].starts_with("recv"))
        waits += " " + std::to_string(before);
    lines.push_back(messages[at] + (waits.empty() ? "" : " after" + waits));
  }
  return lines;
}

/// Reduces a program to the calls from which messages follow.
reference::experiment messages_only(reference::experiment of) {
  using reference::action;
  of.options.strict = false;
  for (auto& calls : of.calls)
    std::erase_if(calls, [](auto const& call) {
      return call.what != action::send && call.what != action::receive &&
             call.what != action::exchange && call.what != action::pass &&
             call.what != action::tag && call.what != action::subset;
    });
  return of;
}

}  // namespace

TEST_CASE("a schedule has the text that txt2bin reads", "[trace][sanitize][threads]") {
  auto const choice = GENERATE(from_range(reference::all_engines()));
  auto const made = goal_of(machine{hypercube{2}, reference::on(choice)}, [](processor& me) {
    if (me.rank() == 3) return;
    if (me.rank() == 2) return me.send(0, std::vector<int>{});
    (void)me.exchange(me.rank() ^ 1, me.rank());
    if (me.rank() == 1) return me.send(0, std::vector<int>(5));
    (void)me.receive<int>(1);
    (void)me.receive<int>(2);
  });
  CHECK(made.text ==
        "// test on hypercube:2\n"
        "// 8 bytes a word; tags are numbers of messages\n"
        "// lockstep: machine ports one switching neighbour packet 1 word 8 on hypercube:2\n"
        "// lockstep: in the order of the file\n"
        "num_ranks 4\n"
        "rank 0 {\n"
        "l1: send 8b to 1 tag 1\n"
        "l2: recv 8b from 1 tag 0\n"
        "l3: recv 40b from 1 tag 2\n"
        "l3 requires l2\n"
        "// lockstep: empty\n"
        "l4: recv 1b from 2 tag 3\n"
        "l4 requires l3\n"
        "}\n"
        "rank 1 {\n"
        "l1: send 8b to 0 tag 0\n"
        "l2: recv 8b from 0 tag 1\n"
        "l3: send 40b to 0 tag 2\n"
        "l3 requires l2\n"
        "l3 requires l1\n"
        "}\n"
        "rank 2 {\n"
        "// lockstep: empty\n"
        "l1: send 1b to 0 tag 3\n"
        "}\n"
        "rank 3 {\n"
        "l1: calc 0\n"
        "}\n");
  CHECK(goal_schedule(made.text).faults() == strings{});
}

TEST_CASE("what comes after several operations of a step waits for all of them",
          "[trace][sanitize]") {
  auto const made = goal_of(machine{crossbar{3}, {.ports = ports::all}}, [](processor& me) {
    if (me.rank() > 0) {
      me.send(0, me.rank());
      (void)me.receive<int>(0);
      return;
    }
    for (int const other : {1, 2}) (void)me.receive<int>(other);
    for (int const other : {1, 2}) me.send(other, 0);
  });
  auto const begin = made.text.find("rank 0 {");
  CHECK(made.text.substr(begin, made.text.find('}') + 2 - begin) ==
        "rank 0 {\n"
        "l1: recv 8b from 1 tag 0\n"
        "l2: recv 8b from 2 tag 1\n"
        "l3: calc 0\n"
        "l3 requires l1\n"
        "l3 requires l2\n"
        "l4: send 8b to 1 tag 2\n"
        "l4 requires l3\n"
        "l5: send 8b to 2 tag 3\n"
        "l5 requires l3\n"
        "}\n");
}

TEST_CASE("what waits for what follows from the order of the program",
          "[trace][sanitize][threads]") {
  SECTION("a send before a receive of the same step") {
    auto const schedule =
        schedule_of(2, [](processor& me) { (void)me.exchange(1 - me.rank(), 1); });
    CHECK(schedule.waits_of(0) == strings{"send to 1", "recv from 1"});
  }
  SECTION("a send before a receive that comes in earlier") {
    auto const schedule = schedule_of(2, [](processor& me) {
      if (me.rank() == 0) me.idle(5);
      (void)me.exchange(1 - me.rank(), 1);
    });
    CHECK(schedule.waits_of(0) == strings{"send to 1", "recv from 1"});
  }
  SECTION("the same, the other way round") {
    auto const schedule = schedule_of(2, [](processor& me) {
      if (me.rank() == 1) return (void)me.exchange(0, 1);
      me.idle(5);
      (void)me.receive<int>(1);
      me.send(1, 1);
    });
    CHECK(schedule.waits_of(0) == strings{"recv from 1", "send to 1 after 0"});
  }
  SECTION("sends to several before receives, and after them") {
    auto const schedule = schedule_of(3, [](processor& me) {
      if (me.rank() > 0) {
        me.send(0, me.rank());
        for (int round = 0; round < 2; ++round) (void)me.receive<int>(0);
        return;
      }
      for (int round = 0; round < 2; ++round) {
        for (int const to : {1, 2}) me.send(to, 0);
        (void)me.receive<int>(1 + round);
      }
    });
    CHECK(schedule.waits_of(0) == strings{"send to 1", "send to 2 after 0", "recv from 1",
                                          "send to 1 after 0 1 2", "send to 2 after 0 1 2 3",
                                          "recv from 2 after 2"});
  }
  SECTION("one-sided reads, whose owner sends") {
    auto const schedule = schedule_of(3, [](processor& me) {
      std::vector<int> mine(1, me.rank());
      if (me.rank() == 0) {
        me.serve(mine);
        me.send(1, 0);
      } else {
        (void)me.read(0, 0, 1, mine);
        if (me.rank() == 1) (void)me.receive<int>(0);
      }
    });
    CHECK(schedule.waits_of(0) == strings{"send to 1", "send to 2 after 0", "send to 1 after 0 1"});
    CHECK(schedule.waits_of(1) == strings{"recv from 0", "recv from 0 after 0"});
  }
  SECTION("one-sided rounds: first what is sent, then what comes in") {
    auto const schedule = schedule_of(3, [](processor& me) {
      std::vector<int> mine(1, me.rank());
      int const next = (me.rank() + 1) % 3;
      (void)me.read(next, 0, 1, mine);
      me.write(next, 0, std::vector<int>{7}, mine);
    });
    CHECK(schedule.waits_of(1) ==
          strings{"send to 0", "recv from 2", "send to 2 after 0 1", "recv from 0 after 1"});
  }
  SECTION("ports of all links, and a send on either side of a receive that takes no step") {
    auto const schedule =
        schedule_of(std::make_shared<crossbar const>(4), {.ports = ports::all}, [](processor& me) {
          if (me.rank() == 1) me.send(0, 1);
          if (me.rank() > 1) (void)me.receive<int>(0);
          if (me.rank() > 0) return;
          me.idle(5);
          me.send(2, 0);
          (void)me.receive<int>(1);
          me.send(3, 0);
        });
    CHECK(schedule.waits_of(0) == strings{"send to 2", "recv from 1", "send to 3 after 1"});
  }
  SECTION("passes of one step") {
    auto const schedule = schedule_of(std::make_shared<crossbar const>(2),
                                      {.ports = ports::per_pass}, [](processor& me) {
                                        for (int const pass : {1, 0}) {
                                          me.pass(pass);
                                          me.send(1 - me.rank(), pass);
                                          if (pass == 1) (void)me.receive<int>(1 - me.rank());
                                        }
                                        (void)me.receive<int>(1 - me.rank());
                                      });
    CHECK(schedule.waits_of(0) ==
          strings{"send to 1", "recv from 1", "send to 1 after 0 1", "recv from 1 after 1"});
  }
}

TEST_CASE("a schedule has each random program's own order", "[trace]") {
  std::uint64_t with_one_port = 0;
  for (std::uint64_t seed = 1; seed <= 240; ++seed) {
    auto const of = without_work(random_experiment(seed));
    if (!has_plain_messages(of)) continue;
    INFO(seed << '\n' << to_string(of));
    auto schedule = schedule_of(of);
    for (int rank = 0; rank < of.network->size(); ++rank) {
      auto const messages = messages_of(of, rank);
      CHECK(schedule.order_of(rank) == messages);
      if (of.options.ports == ports::one) CHECK(schedule.waits_of(rank) == waits_of(messages));
    }
    if (of.options.ports != ports::one) continue;
    ++with_one_port;
    CHECK(schedule.steps() == interpret(messages_only(of)).total.rounds);
  }
  CHECK(with_one_port > 20);
}

TEST_CASE("re-timed, lock-step programs take their own steps", "[trace]") {
  SECTION("sums on a hypercube") {
    check_steps(goal_of(machine{hypercube{5}}, [](processor& me) {
      long sum = me.rank();
      for (int dimension = 0; dimension < 5; ++dimension)
        sum += me.exchange(me.rank() ^ (1 << dimension), sum);
    }));
  }
  SECTION("shifts along both dimensions of a torus") {
    check_steps(goal_of(machine{torus{{3, 5}}}, [](processor& me) {
      for (int step = 0; step < 6; ++step) {
        int const way = step % 2;
        auto const from = me.topology().end_of(me.rank(), along{way, -1});
        (void)me.exchange(along{way, 1}, std::vector<int>(3), from);
      }
    }));
  }
  SECTION("up and down a tree, whose parents take in two children in turn") {
    check_steps(goal_of(machine{binary_tree{4}}, [](processor& me) {
      int parent = -1;
      std::vector<int> children;
      for (auto const& next : me.topology().neighbours(me.rank())) {
        if (next.name == "parent")
          parent = next.rank;
        else
          children.push_back(next.rank);
      }
      int sum = 1;
      for (int const child : children) sum += me.receive_value<int>(child);
      if (parent >= 0) sum = me.exchange(parent, sum);
      for (int const child : children) me.send(child, sum);
    }));
  }
  SECTION("a pipeline, whose end begins late") {
    check_steps(goal_of(machine{torus{{8}}}, [](processor& me) {
      for (int item = 0; item < 20; ++item) {
        if (me.rank() > 0) (void)me.receive<int>(me.rank() - 1);
        if (me.rank() < 7) me.send(me.rank() + 1, item);
      }
    }));
  }
  SECTION("all ports at once, where what comes next waits for all of them") {
    check_steps(goal_of(machine{crossbar{5}, {.ports = ports::all}}, [](processor& me) {
      for (int round = 0; round < 3; ++round) {
        for (int other = 1; other < 5; ++other) me.send((me.rank() + other) % 5, round);
        for (int other = 1; other < 5; ++other) (void)me.receive<int>((me.rank() + other) % 5);
      }
    }));
  }
  SECTION("several messages between the same two") {
    check_steps(goal_of(machine{crossbar{2}}, [](processor& me) {
      for (std::size_t words : {3U, 1U, 2U, 1U})
        if (me.rank() == 0)
          me.send(1, std::vector<int>(words));
        else
          (void)me.receive<int>(0);
    }));
  }
  SECTION("one-sided reads") {
    check_steps(goal_of(machine{crossbar{4}}, [](processor& me) {
      std::vector<int> const mine(4, me.rank());
      for (int other = 1; other < 4; ++other) (void)me.read((me.rank() + other) % 4, 0, 2, mine);
    }));
  }
  SECTION("passes with ports of their own") {
    check_steps(goal_of(machine{torus{{4}}, {.ports = ports::per_pass}}, [](processor& me) {
      for (int pass = 0; pass < 2; ++pass) {
        me.pass(pass);
        me.send((me.rank() + 1) % 4, pass);
      }
      for (int pass = 0; pass < 2; ++pass) {
        me.pass(pass);
        (void)me.receive<int>((me.rank() + 3) % 4);
      }
    }));
  }
}

TEST_CASE("barriers and idle steps are comments of a schedule", "[trace][sanitize]") {
  auto const made = goal_of(machine{crossbar{2}}, [](processor& me) {
    me.idle(5);
    (void)me.exchange(1 - me.rank(), 1);
    me.barrier();
    me.phase("two\nlines");
    me.pipelined([&] { me.rearrange(7); });
  });
  CHECK(made.run.counts().steps == 6);
  CHECK(goal_schedule(made.text).steps() == 1);
  auto const begin = made.text.find("rank 1 {");
  CHECK(made.text.substr(begin) ==
        "rank 1 {\n"
        "// lockstep: idle 5\n"
        "l1: send 8b to 0 tag 0\n"
        "l2: recv 8b from 0 tag 1\n"
        "// lockstep: barrier\n"
        "// lockstep: phase two lines\n"
        "// lockstep: pipelined begin\n"
        "// lockstep: rearrange 7\n"
        "// lockstep: pipelined end\n"
        "}\n");
}

TEST_CASE("local work is calculation, between what comes before and after it in the program",
          "[trace][sanitize]") {
  auto const made = goal_of(machine{crossbar{2}}, [](processor& me) {
    me.work(3);
    (void)me.exchange(1 - me.rank(), 1);
    me.work(20);
    me.work(22);
    (void)me.exchange(1 - me.rank(), std::vector<int>(2));
    me.work(5);
  });
  auto const begin = made.text.find("rank 1 {");
  CHECK(made.text.substr(begin) ==
        "rank 1 {\n"
        "l1: calc 3\n"
        "l2: send 8b to 0 tag 0\n"
        "l2 requires l1\n"
        "l3: recv 8b from 0 tag 1\n"
        "l3 requires l1\n"
        "l4: calc 42\n"
        "l4 requires l3\n"
        "l4 irequires l2\n"
        "l5: send 16b to 0 tag 2\n"
        "l5 requires l3\n"
        "l5 requires l2\n"
        "l5 requires l4\n"
        "l6: recv 16b from 0 tag 3\n"
        "l6 requires l3\n"
        "l6 requires l4\n"
        "l7: calc 5\n"
        "l7 requires l6\n"
        "l7 irequires l5\n"
        "}\n");
  goal_schedule schedule(made.text);
  CHECK(schedule.faults() == strings{});
  CHECK(schedule.calculated() == made.run.counts().operations);
  CHECK(schedule.steps() == made.run.counts().steps);
}

TEST_CASE("what subsets do names them", "[trace][sanitize]") {
  auto const made = goal_of(machine{crossbar{4}}, [](processor& me) {
    std::vector<int> const members{me.rank() % 2, me.rank() % 2 + 2};
    me.subset(members).barrier();
  });
  CHECK(made.text ==
        "// test on crossbar:4\n"
        "// 8 bytes a word; tags are numbers of messages\n"
        "// lockstep: machine ports one switching cut-through packet 1 word 8 on crossbar:4\n"
        "// lockstep: in the order of the file\n"
        "// lockstep: subset 1: 0 2\n"
        "// lockstep: subset 2: 1 3\n"
        "num_ranks 4\n"
        "rank 0 {\n// lockstep: barrier of subset 1\nl1: calc 0\n}\n"
        "rank 1 {\n// lockstep: barrier of subset 2\nl1: calc 0\n}\n"
        "rank 2 {\n// lockstep: barrier of subset 1\nl1: calc 0\n}\n"
        "rank 3 {\n// lockstep: barrier of subset 2\nl1: calc 0\n}\n");
}

TEST_CASE("a word has the machine's bytes", "[trace][sanitize]") {
  auto const made = goal_of(machine{crossbar{2}, {.word_bytes = 3}}, [](processor& me) {
    (void)me.exchange(1 - me.rank(), std::vector<int>(7));
  });
  CHECK(goal_schedule(made.text).bytes_sent() == 2 * 7 * 3);
}

TEST_CASE("a schedule says on which machine it ran", "[trace][sanitize]") {
  auto const said = [](machine const& on) {
    auto const text = goal_of(on, [](processor& me) { me.barrier(); }).text;
    auto const from = text.find("// lockstep: machine");
    REQUIRE(from != std::string::npos);
    return text.substr(from, text.find('\n', from) - from);
  };
  CHECK(said(machine{torus{4, 3}}) ==
        "// lockstep: machine ports one switching cut-through packet 1 word 8 on torus:4x3");
  CHECK(said(machine{torus{{4, 3}}, {.ports = ports::all, .switching = switching::neighbour}}) ==
        "// lockstep: machine ports all switching neighbour packet 1 word 8 on torus:4x3");
  CHECK(said(machine{crossbar{2}, {.ports = ports::per_pass, .packet = 7, .word_bytes = 3}}) ==
        "// lockstep: machine ports per-pass switching cut-through packet 7 word 3 on crossbar:2");
}

TEST_CASE("a schedule says the machine that ran, and not the one that its trace was made for",
          "[trace][sanitize]") {
  std::ostringstream out;
  goal_trace trace(out, machine{crossbar{2}});
  static_cast<void>(machine{crossbar{2}, {.ports = ports::all, .packet = 4}}.run(
      [](processor& me) { me.barrier(); }, trace));
  trace.finish();
  CHECK(out.str().find("machine ports all switching cut-through packet 4 word 8 on crossbar:2") !=
        std::string::npos);
}

TEST_CASE("whatever runs, its schedule can be run, in no more steps", "[trace]") {
  auto const seed = GENERATE(range(1, 200));
  auto const of = seed % 2 == 0 ? reference::free_program(static_cast<std::uint64_t>(seed))
                                : reference::lockstep_program(static_cast<std::uint64_t>(seed));
  INFO(seed << '\n' << to_string(of));
  auto const made = goal_of(machine{of.network, of.options}, [&](processor& me) {
    (void)play(of.calls[static_cast<std::size_t>(me.rank())], me);
  });
  INFO(made.text);
  goal_schedule schedule(made.text);
  CHECK(schedule.faults() == strings{});
  CHECK(schedule.count(kind::send) >= made.run.counts().messages);
  CHECK(schedule.steps() <= made.run.counts().rounds);
}

TEST_CASE("messages beyond the limit are left out, and it is said so", "[trace][sanitize]") {
  std::ostringstream out;
  machine const four{hypercube{2}};
  goal_trace trace(out, four, {.name = "run.goal"}, 5);
  (void)four.run(
      [](processor& me) {
        (void)me.exchange(me.rank() ^ 1, 1);
        (void)me.exchange(me.rank() ^ 2, 1);
      },
      trace);
  CHECK_THROWS_WITH(
      trace.finish(),
      Catch::Matchers::StartsWith("the trace is incomplete: run.goal has the first 5 messages"));
  goal_schedule schedule(out.str());
  CHECK(schedule.faults() == strings{});
  CHECK(schedule.count(kind::send) == 5);
}

TEST_CASE("a schedule that cannot be written is told of", "[trace][sanitize]") {
  reference::check_told_of_full_disk<goal_trace>(100, "run.goal");
}
