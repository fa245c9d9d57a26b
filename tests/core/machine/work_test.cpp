// Local work (docs/counting-rules.md, rule 14): work, operations and span, and the makespan.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lockstep/clock_models.hpp>
#include <lockstep/cost_models.hpp>
#include <lockstep/counted.hpp>
#include <lockstep/expectation.hpp>
#include <lockstep/json.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/timeline.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "core/usual_names.hpp"

using namespace usual_names;
using lockstep::invalid_argument;

// A fraction is not cut off without a word.
static_assert(!std::is_constructible_v<lockstep::counted<int>, double>);
static_assert(!std::is_convertible_v<float, lockstep::counted<long>>);
static_assert(std::is_convertible_v<int, lockstep::counted<long>>);
static_assert(std::is_convertible_v<int, lockstep::counted<double>>);

namespace {

/// Work and operations of each step.
std::vector<std::uint64_t> work_by_step(lockstep::run_record const& run) {
  std::vector<std::uint64_t> of;
  for (auto const& one : run.steps()) of.push_back(one.work);
  return of;
}

class step_log : public lockstep::observer {
 public:
  void step(lockstep::step_record const& of) override { work.push_back(of.work); }
  std::vector<std::uint64_t> work;
};

std::string message_of(machine const& on, void (*program)(processor&)) {
  try {
    on.run(program);
  } catch (invalid_argument const& refused) {
    return refused.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("work is the most operations of a processor, operations are all", "[sanitize][threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(crossbar{4}, reference::on(choice)).run([](processor& me) {
      me.work(10 * (me.rank() + 1));
    });
    CHECK(run.counts().work == 40);
    CHECK(run.counts().operations == 100);
    CHECK(run.span() == 40);
    CHECK(run.counts().steps == 0);
    CHECK(work_by_step(run) == std::vector<std::uint64_t>{40});
    CHECK(run.processors()[1].operations == 20);
  }
}

TEST_CASE("a barrier parts work though no step passes") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    if (me.rank() == 0) me.work(10);
    me.barrier();
    if (me.rank() == 1) me.work(10);
  });
  CHECK(run.counts().work == 20);
  CHECK(run.counts().operations == 20);
  CHECK(run.span() == 10);  // no message goes from one to the other
  CHECK(run.makespan() == 0);
  CHECK(work_by_step(run) == std::vector<std::uint64_t>{20});
}

TEST_CASE("work of different steps adds up, and several calls in one do") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    me.work(1);
    me.work(2);
    long const other = me.exchange(1 - me.rank(), long{me.rank()});
    me.work(me.rank() == 0 ? 5 : 7);
    me.idle(3);
    me.work(1);
    return other;
  });
  CHECK(work_by_step(run) == std::vector<std::uint64_t>{3, 7, 0, 0, 1});
  CHECK(run.counts().work == 11);
  CHECK(run.counts().operations == 3 + 3 + 5 + 7 + 2);
  CHECK(run.span() == 3 + 7 + 1);
  CHECK(run.counts().steps == 1);  // work takes no step
  CHECK(run.makespan() == 4);      // three are idled after the exchange
}

TEST_CASE("the span follows messages, each from what its sender had done", "[sanitize][threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    // Processor 0 sends between its pieces of work; 1 works before and after it receives.
    auto const run = machine(crossbar{3}, reference::on(choice)).run([](processor& me) {
      if (me.rank() == 0) {
        me.work(100);
        me.send(1, 1L);
        me.work(1'000);
        me.send(2, 2L);
      } else if (me.rank() == 1) {
        me.work(20);
        static_cast<void>(me.receive_value<long>(0));
        me.work(3);
        me.send(2, 3L);
      } else {
        static_cast<void>(me.receive_value<long>(1));
        me.work(1);
        static_cast<void>(me.receive_value<long>(0));
      }
    });
    CHECK(run.span() == 1'100);
    CHECK(run.processors()[2].operations == 1);
  }
}

TEST_CASE("the span follows empty messages, and those of one-sided rounds") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    std::vector<long> mine{me.rank()};
    if (me.rank() == 0) me.work(7);
    if (me.rank() == 1)
      static_cast<void>(me.read(0, 0, 1, mine));
    else
      me.serve(mine);
    if (me.rank() == 1) {
      me.work(5);
      me.send(0, std::vector<long>{});
    } else {
      static_cast<void>(me.receive<long>(1));
      me.work(1);
    }
  });
  CHECK(run.span() == 13);
}

TEST_CASE("the span of a chain of processors is the sum of their work", "[sanitize][threads]") {
  constexpr int size = 300;
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(crossbar{size}, reference::on(choice)).run([](processor& me) {
      long sum = 0;
      if (me.rank() > 0) sum = me.receive_value<long>(me.rank() - 1);
      me.work(2);
      if (me.rank() + 1 < me.size()) me.send(me.rank() + 1, sum + 1);
      return sum;
    });
    CHECK(run.span() == 2 * size);
    CHECK(run.counts().work == 2 * size);
    CHECK(run.results().back() == size - 1);
  }
}

TEST_CASE("the work of a pipelined run is the most that a processor does in it") {
  auto const program = [](processor& me) {
    me.pipelined([&] {
      me.idle();
      me.work(me.rank() == 0 ? 1 : 10);
      me.idle();
      me.work(me.rank() == 0 ? 12 : 1);
    });
    me.work(100);
  };
  auto const run = machine(crossbar{2}).run(program);
  CHECK(run.counts().work == 13 + 100);  // 13 of processor 0; by steps it were 22
  CHECK(work_by_step(run) == std::vector<std::uint64_t>{13, 0, 100});
  step_log log;
  static_cast<void>(machine(crossbar{2}).run(program, log));
  CHECK(log.work == std::vector<std::uint64_t>{13, 0, 100});
}

TEST_CASE("pipelined runs of subsets that overlap count their work as one") {
  auto const run = machine(crossbar{4}).run([](processor& me) {
    std::vector<int> const members =
        me.rank() < 2 ? std::vector<int>{0, 1} : std::vector<int>{2, 3};
    auto part = me.subset(members);
    if (me.rank() >= 2) me.idle();
    part.pipelined([&] {
      me.work(me.rank() + 1);
      me.idle(2);
    });
  });
  CHECK(run.counts().work == 4);
  CHECK(run.counts().operations == 10);
}

TEST_CASE("a pipelined run in which no step passes counts its work as outside") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    me.pipelined([&] { me.work(me.rank() == 0 ? 10 : 0); });
    me.pipelined([&] { me.work(me.rank() == 1 ? 10 : 0); });
  });
  CHECK(run.counts().work == 20);
}

TEST_CASE("a barrier parts the work of a pipelined run in which no step passes",
          "[sanitize][threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(crossbar{2}, reference::on(choice)).run([](processor& me) {
      auto alone = me.subset(std::vector{me.rank()});
      if (me.rank() == 1) {
        me.barrier();
        me.work(16);
        return;
      }
      alone.pipelined([&] {
        alone.work(1);
        me.barrier();
        alone.work(1);
      });
    });
    CHECK(run.counts().work == 17);  // 1 and 16 after as many barriers, then 1
    CHECK(run.counts().operations == 18);
  }
}

TEST_CASE("work at the end of a pipelined run belongs to it, also where other steps follow",
          "[sanitize][threads]") {
  // In steps that are counted in pieces, with every engine.
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(crossbar{2}, reference::on(choice)).run([](processor& me) {
      for (int times = 0; times < 300; ++times) {
        me.pipelined([&] {
          static_cast<void>(me.exchange(1 - me.rank(), 1L));
          me.barrier();
          me.work(me.rank() + 1);  // in the step in which the run ends
        });
        me.pipelined([&] { me.work(1); });  // no step passes in it
        static_cast<void>(me.exchange(1 - me.rank(), 1L));
      }
    });
    CHECK(run.counts().work == 300 * 3);
    CHECK(run.counts().operations == 300 * 5);
  }
}

TEST_CASE("the work of a run whose end is far away stands in its first step") {
  // Many other steps are counted before the run is over, and before its words are known.
  auto const run = machine(crossbar{2}).run([](processor& me) {
    me.barrier();
    me.idle(2);
    me.pipelined([&] {
      me.idle(5);
      for (int round = 0; round < 20'000; ++round) {
        me.work(1);
        static_cast<void>(me.exchange(1 - me.rank(), 1L));
      }
      me.work(me.rank());
    });
    me.work(3);
  });
  CHECK(run.counts().work == 20'004);
  CHECK(run.counts().words == 20'000);
  CHECK(run.counts().startups == 1);
  CHECK(run.steps()[2].work == 20'001);
  CHECK(run.steps()[7].words == 20'000);
  CHECK(run.steps()[20'007].work == 3);
  CHECK(run.counts().operations == 40'000 + 1 + 6);
}

TEST_CASE("the work of a phase is that of the processors in it") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    me.work(1);
    me.phase("a");
    me.work(10);
    me.phase("b");  // no step has passed
    me.work(me.rank() == 0 ? 100 : 50);
    static_cast<void>(me.exchange(1 - me.rank(), 1L));
    me.work(5);
  });
  CHECK(run.phases()[0].work == 10);
  CHECK(run.phases()[0].operations == 20);
  CHECK(run.phases()[1].work == 105);
  CHECK(run.phases()[1].operations == 160);
  CHECK(run.counts().work == 116);
}

TEST_CASE("subsets' barriers part work for their members alone") {
  auto const run = machine(crossbar{3}).run([](processor& me) {
    if (me.rank() < 2) {
      auto pair = me.subset(std::vector<int>{0, 1});
      if (me.rank() == 0) me.work(10);
      pair.barrier();
      if (me.rank() == 1) me.work(10);
    } else {
      me.work(15);
    }
  });
  CHECK(run.counts().work == 15 + 10);  // before any barrier 10 and 15, after one 10
}

TEST_CASE("a program that only works and idles for long takes little memory") {
  auto const run = machine(crossbar{64}).run([](processor& me) {
    for (int step = 0; step < 20'000; ++step) {
      me.work(me.rank() + 1);
      me.idle();
    }
  });
  CHECK(run.counts().work == 64 * 20'000);
  CHECK(run.makespan() == 20'000);
  CHECK(run.steps().stretches().size() == 1);
}

TEST_CASE("the table of a run with local work has its columns") {
  machine const pair{crossbar{2}};
  auto const run = pair.run([](processor& me) {
    me.work(me.rank() == 0 ? 5 : 2);
    if (me.rank() == 0)
      me.send(1, std::vector{1, 2});
    else
      static_cast<void>(me.receive<int>(0));
    me.work(3);
  });
  CHECK(run.table() ==
        "step  phase  messages  largest message  volume  longest route  contention  work  "
        "operations\n"
        "   1  -             1                2       2              1           1     8          "
        "10\n"
        "   2  -             0                0       0              0           0     3           "
        "3\n");
}

TEST_CASE("the makespan reaches to the last step that a processor has begun") {
  auto const sends = machine(crossbar{2}).run([](processor& me) {
    if (me.rank() == 0) {
      me.send(1, 1L);
      me.send(1, 2L);
    } else {
      static_cast<void>(me.receive_value<long>(0));
      static_cast<void>(me.receive_value<long>(0));
    }
  });
  CHECK(sends.makespan() == 2);
  auto const idles = machine(crossbar{2}).run([](processor& me) { me.idle(400); });
  CHECK(idles.makespan() == 400);
  CHECK(idles.counts().steps == 0);
  CHECK(machine(crossbar{2}).run([](processor&) {}).makespan() == 0);
}

TEST_CASE("work without a call is nowhere in counts, text or JSON") {
  auto const run = machine(hypercube{3}).run([](processor& me) {
    static_cast<void>(me.exchange(me.rank() ^ 1, 1L));
  });
  CHECK(run.counts().work == 0);
  CHECK(run.span() == 0);
  CHECK(to_string(run.counts()).find("work") == std::string::npos);
  nlohmann::ordered_json const json = run;
  CHECK_FALSE(json.contains("span"));
  CHECK_FALSE(json.contains("makespan"));
  CHECK_FALSE(json["counts"].contains("operations"));
}

TEST_CASE("work is printed, compared and written as other figures are") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    me.work(5U);
    me.idle(2);
  });
  CHECK(lockstep::takes(lockstep::work(5)).operations(10).check(run));
  CHECK(lockstep::takes(lockstep::operations(10)).work_at_most(5).check(run));
  CHECK(lockstep::takes(lockstep::work(5)).span(5).makespan(2).check(run));
  CHECK(lockstep::takes(lockstep::makespan(2)).span_at_most(6).makespan_at_most(2).check(run));
  CHECK(lockstep::takes(lockstep::exactly("span", 4))
            .check(run)
            .report.find("span: 5, instead of 4") != std::string::npos);
  CHECK(
      lockstep::takes(lockstep::makespan(1)).check(run).report.find("makespan: 2, instead of 1") !=
      std::string::npos);
  CHECK_FALSE(lockstep::expectation().makespan_at_most(1).check(run));
  CHECK_THROWS_AS(lockstep::expectation().in_phase("any", {lockstep::makespan(2)}),
                  invalid_argument);
  auto const differs = lockstep::takes(lockstep::work(4)).check(run);
  CHECK_FALSE(differs);
  CHECK(differs.report.find("step 1") != std::string::npos);
  CHECK(run.summary().find("local operations of all processors") != std::string::npos);
  nlohmann::ordered_json const json = run;
  CHECK(json["counts"]["work"] == 5);
  CHECK(json["span"] == 5);
  CHECK(json["makespan"] == 2);
  CHECK(json["processors"][1]["operations"] == 5);
  lockstep::counts wanted = run.counts();
  wanted.work = wanted.operations = 0;  // may be left out
  CHECK(lockstep::takes(wanted).check(run));
  wanted.work = 6;
  CHECK_FALSE(lockstep::takes(wanted).check(run));
}

TEST_CASE("work is refused that is negative, or more than sums hold") {
  CHECK(message_of(machine(crossbar{2}), [](processor& me) {
          me.work(-3);
        }).find("work of -3 operations") != std::string::npos);
  auto const too_much = message_of(machine(crossbar{2}), [](processor& me) {
    me.work(std::numeric_limits<std::int64_t>::max());
  });
  CHECK(too_much.find("worked 9223372036854775807 operations more") != std::string::npos);
  try {
    machine(crossbar{2}).run([](processor& me) {
      me.idle(4);
      if (me.rank() == 1) me.work(-1);
    });
    FAIL("negative work went through");
  } catch (invalid_argument const& refused) {
    CHECK(refused.rank() == 1);
    CHECK(refused.step() == 5);
  }
}

TEST_CASE("calls of work while an exception unwinds do nothing") {
  struct worker {
    processor& me;
    ~worker() { me.work(1); }
  };
  CHECK_THROWS_AS(machine(crossbar{2}).run([](processor& me) {
    worker const at_the_end{me};
    throw std::runtime_error("the program's own");
  }),
                  lockstep::processor_failed);
}

// Most calls of work are counted without the machine, as long as nothing has changed.

TEST_CASE("many calls of work in a row count as one, whatever lies between",
          "[sanitize][threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(crossbar{4}, reference::on(choice)).run([](processor& me) {
      auto const work_often = [&](int times) {
        for (int call = 0; call < times; ++call) me.work(2);
      };
      work_often(100);  // 200, in step 1
      me.barrier();
      work_often(me.rank() == 1 ? 100 : 10);  // 200
      auto pair = me.subset(std::vector<int>{me.rank() & ~1, me.rank() | 1});
      for (int call = 0; call < 5; ++call) pair.work(1);  // with the last: 205
      pair.barrier();
      work_often(me.rank() == 0 ? 7 : 1);  // 14
      me.phase("later");
      work_often(3);  // 6
      me.idle();
      work_often(4);  // 8
      static_cast<void>(me.exchange(me.rank() ^ 1, 1L));
      work_often(5);  // 10
      me.pipelined([&] {
        for (int round = 0; round < 3; ++round) {
          work_often(me.rank() == round ? 10 : 1);  // 24 of each of three processors
          me.idle();
        }
      });
      return me.now();
    });
    CHECK(run.counts().work == 200 + 205 + 14 + 6 + 8 + 10 + 24);
    CHECK(run.phases().back().work == 6 + 8 + 10 + 24);
    CHECK(run.counts().operations ==
          4 * 200 + 200 + 3 * 20 + 4 * 5 + 14 + 3 * 2 + 4 * (6 + 8 + 10) + 3 * 24 + 6);
    CHECK(run.processors()[0].operations == 200 + 20 + 5 + 14 + 6 + 8 + 10 + 24);
    CHECK(run.span() == 200 + 200 + 5 + 2 + 6 + 8 + 10 + 24);  // of processor 1
  }
}

TEST_CASE("calls of work in a row belong to the label at the time", "[sanitize][threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(crossbar{2}, reference::on(choice)).run([](processor& me) {
      auto const work_often = [&](int times) {
        for (int call = 0; call < times; ++call) me.work(1);
      };
      work_often(100);
      me.label("outer");
      work_often(10);
      me.label("inner", [&] { work_often(20); });
      work_often(30);
      me.label("");
      work_often(1'000);
      me.label("last");
      work_often(7);
    });
    std::vector<std::string> lines;
    for (auto const& one : run.labels())
      lines.push_back(fmt::format("{} {}", one.name, one.operations));
    CHECK(lines == std::vector<std::string>{"last 14", "outer 120", "inner 40"});
    CHECK(run.counts().operations == 2 * 1'167);
  }
}

TEST_CASE("the span goes on from all calls of work before a message", "[sanitize][threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(crossbar{2}, reference::on(choice)).run([](processor& me) {
      auto const work_often = [&](int times) {
        for (int call = 0; call < times; ++call) me.work(1);
      };
      if (me.rank() == 0) {
        work_often(10);
        me.send(1, 1L);
        work_often(1'000);
      } else {
        work_often(3);
        static_cast<void>(me.receive_value<long>(0));
        work_often(995);
      }
    });
    CHECK(run.span() == 1'010);
    CHECK(run.processors()[1].operations == 998);
  }
}

TEST_CASE("calls of work in a row are refused once sums do not hold them", "[threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    try {
      machine(crossbar{2}, reference::on(choice)).run([](processor& me) {
        me.idle(2);
        std::uint64_t const most = (std::numeric_limits<std::uint64_t>::max() / 2) / 2;
        me.work(most - 100);
        if (me.rank() == 1)
          for (int call = 0; call < 101; ++call) me.work(1);
      });
      FAIL("more was counted than sums hold");
    } catch (invalid_argument const& refused) {
      CHECK(refused.rank() == 1);
      CHECK(refused.step() == 3);
      CHECK(refused.message().find("worked 1 operations more") != std::string::npos);
    }
    CHECK_THROWS_AS(machine(crossbar{2}, reference::on(choice)).run([](processor& me) {
      for (int call = 9; call >= -1; --call) me.work(call);
    }),
                    invalid_argument);
  }
}

TEST_CASE("calls of work in destructors count nothing while an exception unwinds",
          "[sanitize][threads]") {
  struct worker {
    processor& me;
    ~worker() { me.work(1); }
  };
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(crossbar{2}, reference::on(choice)).run([](processor& me) {
      me.work(10);
      try {
        worker const at_the_end{me};
        throw std::runtime_error("the program's own");
      } catch (std::runtime_error const&) {
      }
      me.work(100);
    });
    CHECK(run.counts().work == 110);
  }
}

TEST_CASE("a program that works on after its run has failed is ended", "[threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    bool const at_once = choice.engine == lockstep::engine::threads;
    CHECK_THROWS_AS(machine(crossbar{2}, reference::on(choice)).run([&](processor& me) {
      me.work(1);
      me.idle();
      me.work(1);
      if (me.rank() == 1) {
        me.idle(10);
        while (at_once) me.work(1);
        static_cast<void>(me.receive<long>(0));
      }
      try {
        me.send(7, 1L);
      } catch (lockstep::error const&) {
      }
      for (;;) me.work(1);
    }),
                    lockstep::invalid_rank);
  }
}

TEST_CASE("a program may not work for another processor", "[sanitize]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    // There the address of a local variable, as `me` is, means the variable of the one that runs.
    if (choice.stacks == lockstep::stacks::copied) continue;
    std::atomic<processor*> lent = nullptr;
    try {
      machine(crossbar{2}, reference::on(choice)).run([&](processor& me) {
        me.work(5);
        if (me.rank() == 0) lent = &me;
        me.barrier();
        if (me.rank() == 0) me.work(5);
        me.barrier();
        if (me.rank() == 0) me.work(5);
        if (me.rank() == 1) me.work(1);
        me.send(1 - me.rank(), 1L);
        static_cast<void>(me.receive<long>(1 - me.rank()));
        me.idle();
        if (me.rank() == 0) me.work(5);
        static_cast<void>(me.exchange(1 - me.rank(), 1L));
        if (me.rank() == 0) {
          me.work(5);
          static_cast<void>(me.receive<long>(1));
        } else {
          lent.load()->work(1);
          me.send(0, 1L);
        }
      });
      FAIL("nothing was thrown");
    } catch (lockstep::processor_failed const& failed) {
      CHECK(failed.rank() == 1);
      CHECK_THROWS_AS(std::rethrow_if_nested(failed), invalid_argument);
    }
  }
}

TEST_CASE("the line of the last call is known, also of one of many calls of work") {
  try {
    machine(crossbar{2}).run([](processor& me) {
      me.work(1);
      me.work(1);
      if (me.rank() == 1) throw std::runtime_error("own");
    });
    FAIL("nothing was thrown");
  } catch (lockstep::processor_failed const& failed) {
    CHECK(failed.where().line() == __LINE__ - 5);
  }
}

TEST_CASE("a run by a clock, and one whose calls are told, count many calls of work as others do") {
  class call_log : public lockstep::observer {
   public:
    [[nodiscard]] bool wants_calls() const override { return true; }
    void call(lockstep::call_record const& of) override {
      if (of.kind == lockstep::call_kind::work) words.push_back(of.words);
    }
    std::vector<std::uint64_t> words;
  };
  auto const program = [](processor& me) {
    for (int call = 1; call < 4; ++call) me.work(call);
    static_cast<void>(me.exchange(1 - me.rank(), 1L));
    for (int call = 4; call < 7; ++call) me.work(call);
  };
  call_log log;
  auto const told = machine(crossbar{2}).run(program, log);
  CHECK(log.words == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  auto options = lockstep::machine_options{};
  options.clocked = true;
  auto const clocked = machine(crossbar{2}, options).run(program);
  CHECK(told.counts() == clocked.counts());
  CHECK(told.counts().work == 21);
  CHECK(clocked.timeline(lockstep::loggp_clock{.operation_us = 1}).processors[0].work == 21);
}

TEST_CASE("observers of a run that fails are told of the work up to the error", "[threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    step_log log;
    CHECK_THROWS_AS(machine(crossbar{3}, reference::on(choice))
                        .run(
                            [](processor& me) {
                              me.pipelined([&] {
                                for (int step = 0; step < 9; ++step) {
                                  me.work(1);
                                  if (me.rank() == 2 && step == 4) throw std::runtime_error("own");
                                  me.idle();
                                }
                              });
                            },
                            log),
                    lockstep::processor_failed);
    CHECK(log.work == std::vector<std::uint64_t>{5});
  }
}

TEST_CASE("work_of counts the operations of counted numbers by kind", "[sanitize]") {
  using number = lockstep::counted<double>;
  auto const run = machine(crossbar{2}).run([](processor& me) {
    number sum = 0;
    auto const did = me.operations_of([&] {
      for (int i = 0; i < 10; ++i) sum += number(i) * 2;
      if (sum > 20) sum = sum / 2 - 1;
    });
    CHECK(did == lockstep::operation_counts{1, 11, 11});
    sum += 1;  // outside: not counted
    auto const larger = me.work_of([&] { return sum > 3 ? sum : -sum; });
    return larger.value();
  });
  CHECK(run.counts().work == 1);
  CHECK(run.counts().operations == 2);
  CHECK(run.results()[0] == 45);
}

TEST_CASE("a sort of counted keys counts its comparisons, and they travel as one word each") {
  using key = lockstep::counted<long>;
  auto const run = machine(crossbar{2}).run([](processor& me) {
    std::vector<key> keys{3, 1, 2, 4};
    if (me.rank() == 1) std::ranges::reverse(keys);
    std::uint64_t comparisons = 0;
    me.work_of([&] {
      std::ranges::sort(keys, [&](key one, key other) { return ++comparisons, one < other; });
    });
    auto const others = me.exchange(1 - me.rank(), keys);
    CHECK(std::ranges::is_sorted(others));
    return comparisons;
  });
  CHECK(run.counts().words == 4);
  CHECK(run.counts().operations == run.results()[0] + run.results()[1]);
  CHECK(run.processors()[0].operations == run.results()[0]);
}

TEST_CASE("a call inside work_of is refused, on every engine", "[threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const on = machine(crossbar{2}, reference::on(choice));
    for (auto const program :
         {+[](processor& me) { me.work_of([&] { me.barrier(); }); },
          +[](processor& me) { me.work_of([&] { me.send(0, 1L); }); },
          +[](processor& me) { me.work_of([&] { return me.receive_value<long>(0); }); },
          +[](processor& me) { me.work_of([&] { me.work(1); }); }})
      CHECK(message_of(on, program).find("inside its work_of") != std::string::npos);
  }
}

TEST_CASE("work_of goes on after its computation threw, and nests in a machine inside another") {
  auto const run = machine(crossbar{2}).run([](processor& me) {
    lockstep::counted<int> number = 1;
    try {
      me.work_of([&] {
        number += 1;
        throw std::runtime_error("own");
      });
    } catch (std::runtime_error const&) {
    }
    return me.work_of([&] {
      number *= 2;
      auto const inner = machine(crossbar{2}).run([](processor& other) {
        lockstep::counted<int> one = other.rank();
        other.work_of([&] { one += 1, one += 1; });
      });
      return inner.counts().work;
    });
  });
  CHECK(run.results()[1] == 2);
  CHECK(run.counts().work == 1);
}

TEST_CASE("models price work where they have a price of an operation") {
  auto const run = machine(crossbar{4}).run([](processor& me) {
    me.work(1'000);
    static_cast<void>(me.exchange(me.rank() ^ 1, 1L));
  });
  lockstep::tau_sigma_model model{.tau_us = 10, .sigma_us_per_word = 1, .operation_us = 0.5};
  CHECK(run.time(model) == 511);
  CHECK(run.speedup(model, 4'000) == 2'000.0 / 511);
  CHECK(run.efficiency(model, 4'000) == 500.0 / 511);
  CHECK(run.speedup(4'000) == 4);
  CHECK(run.efficiency(4'000) == 1);
  model.operation_us = 0;
  CHECK(run.time(model) == 11);
  CHECK_THROWS_AS(run.speedup(model, 4'000), invalid_argument);
  CHECK(run.time(lockstep::bsp_model{.g_flops_per_word = 3, .l_flops_per_superstep = 100}) ==
        1'103);
  CHECK(run.time(lockstep::two_level_model{.delta_us_per_word = 0.25}) == 250);
  CHECK(run.time(lockstep::block_distributed_model{.operation_words = 2}) == 2'001);
  CHECK(run.time(lockstep::loggp_model{.operation_us = 0.25}) == 250);
  CHECK(run.time(lockstep::suh_shin_model{.operation_us = 0.25}) == 250);
  CHECK_THROWS_AS(machine(crossbar{2}).run([](processor&) {}).speedup(5), invalid_argument);
}
