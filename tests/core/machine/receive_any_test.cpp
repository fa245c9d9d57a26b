// receive_any, pending and try_receive: rule 13 by hand, on every engine, and what programs get
// wrong.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"
#include "core/refusal_on.hpp"
#include "core/usual_names.hpp"

namespace {

using namespace usual_names;
using reference::error_place;
using reference::step_and_rank;

/// Takes that many messages. Result: their senders.
std::vector<int> take_of_anybody(processor& me, int messages) {
  std::vector<int> order;
  for (int taken = 0; taken < messages; ++taken) order.push_back(me.receive_any<int>().from);
  return order;
}

}  // namespace

TEST_CASE("rule 13: the message that comes in first is taken, of the lowest rank in a step",
          "[core][rules][receive_any][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{5}, on(choice)}.run([](processor& me) -> std::vector<int> {
    if (me.rank() == 0) return take_of_anybody(me, 5);
    if (me.rank() == 1) me.idle(6);             // sends in step 7
    if (me.rank() == 4) me.idle(1);             // in step 2
    me.send(0, me.rank());                      // 2 and 3 in step 1
    if (me.rank() == 3) me.send(0, me.rank());  // and in step 2
    return {};
  });
  // 2 arrives in step 1; in step 2 those of 3 (sent in 1) and of 4 would: 3 is lower; in step 3 its
  // second and that of 4 would; in step 4 that of 4; in step 7 that of 1.
  CHECK(run.results()[0] == std::vector{2, 3, 3, 4, 1});
  CHECK(run.counts().steps == 7);
  CHECK(run.counts().queued == 2);
  CHECK(run.choices() == 4);  // the last has no other
}

TEST_CASE("rule 13: it waits for those that may still send an earlier message",
          "[core][rules][receive_any][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  // 2 sends in step 4 after a word from 1 in step 3; 3 sends in step 6, whatever the engine runs first.
  auto const run = machine{crossbar{4}, on(choice)}.run([](processor& me) -> std::vector<int> {
    if (me.rank() == 0) return take_of_anybody(me, 2);
    if (me.rank() == 1) me.idle(2), me.send(2, 1);
    if (me.rank() == 2) me.send(0, me.receive_value<int>(1));
    if (me.rank() == 3) me.idle(5), me.send(0, 1);
    return {};
  });
  CHECK(run.results()[0] == std::vector{2, 3});
  CHECK(run.counts().steps == 6);
  CHECK(run.choices() == 1);
}

TEST_CASE("rule 13: of several that wait the earliest is decided first",
          "[core][rules][receive_any][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  // 0 waits for 1 or 3; 1 goes on in step 2, and its message comes before that of 3.
  auto const run = machine{crossbar{4}, on(choice)}.run([](processor& me) -> std::vector<int> {
    if (me.rank() == 0) return take_of_anybody(me, 2);
    if (me.rank() == 1) {
      auto const first = me.receive_any<int>();
      me.send(0, 1);
      return {first.from, first.values.front()};
    }
    if (me.rank() == 2) me.send(1, 5);
    if (me.rank() == 3) me.idle(2), me.send(0, 1);
    return {};
  });
  CHECK(run.results()[0] == std::vector{1, 3});
  CHECK(run.results()[1] == std::vector{2, 5});
}

TEST_CASE("rule 13: among the ranks that are named, and in a subset among its members",
          "[core][rules][receive_any][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{5}, on(choice)}.run([](processor& me) -> std::vector<int> {
    if (me.rank() > 0) {
      me.send(0, me.rank());
      return {};
    }
    std::vector<int> order{me.receive_any<int>({4, 3}).from};
    auto part = me.subset(std::vector{4, 0, 2});
    order.push_back(part.receive_any<int>().from);
    order.push_back(part.receive_any<int>(std::vector{0}).from);
    order.push_back(me.receive_any<int>().from);
    return order;
  });
  CHECK(run.results()[0] == std::vector{3, 2, 0, 1});
  CHECK(run.choices() == 2);
}

TEST_CASE("rule 13: a message that follows the call does not count",
          "[core][rules][receive_any][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  // Each answers a request, the second also by way of the other.
  auto const in_turn = three.run([](processor& me) {
    if (me.rank() == 0) {
      for (int const whom : {1, 2, 1}) me.send(whom, 1), (void)me.receive_any<int>();
      return;
    }
    for (int calls = 3 - me.rank(); calls > 0; --calls) me.send(0, me.receive_value<int>(0));
  });
  CHECK(in_turn.choices() == 0);
  CHECK(in_turn.counts().messages == 6);
  // By a barrier, too.
  auto const by_barrier = three.run([](processor& me) {
    if (me.rank() == 1) me.send(0, 1);
    if (me.rank() == 0) (void)me.receive_any<int>();
    me.barrier();
    if (me.rank() == 2) me.send(0, 1);
    if (me.rank() == 0) (void)me.receive<int>(2);
  });
  CHECK(by_barrier.choices() == 0);
  // 2 sends when it has heard of 1, which has not heard of 0: with other delays it would be first.
  auto const overtakes = three.run([](processor& me) {
    if (me.rank() == 1) me.send(0, 1), me.send(2, 1);
    if (me.rank() == 2) me.send(0, me.receive_value<int>(1));
    if (me.rank() == 0) (void)me.receive_any<int>(), (void)me.receive<int>(2);
  });
  CHECK(overtakes.choices() == 1);
  CHECK(three.run([](processor&) {}).choices() == 0);
}

TEST_CASE("rule 13: pending counts what was sent before this step",
          "[core][rules][receive_any][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{2}, on(choice)}.run([](processor& me) {
    std::vector<std::uint64_t> seen;
    if (me.rank() == 1) {
      for (int message = 0; message < 3; ++message) me.send(0, message);
      return seen;
    }
    for (int step = 0; step < 5; ++step, me.idle()) seen.push_back(me.pending(1));
    for (int message = 0; message < 3; ++message) (void)me.receive<int>(1);
    seen.push_back(me.pending(1));
    seen.push_back(me.now());
    return seen;
  });
  CHECK(run.results()[0] == std::vector<std::uint64_t>{0, 1, 2, 3, 3, 0, 6});
  CHECK(run.counts().steps == 3);
}

TEST_CASE("rule 13: a try takes what has come, or lets a step pass",
          "[core][rules][receive_any][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{2}, on(choice)}.run([](processor& me) {
    std::vector<std::uint64_t> seen;
    if (me.rank() == 1) {
      me.idle(2);
      me.send(0, std::vector{7, 8});  // in step 3: seen from step 4 on
      return seen;
    }
    auto answer = me.try_receive<int>(1);
    for (; !answer; answer = me.try_receive<int>(1)) seen.push_back(me.now());
    seen.push_back(answer->size());
    seen.push_back(me.now());
    return seen;
  });
  CHECK(run.results()[0] == std::vector<std::uint64_t>{2, 3, 4, 2, 4});
  CHECK(run.counts().steps == 3);
  CHECK(run.counts().words == 2);
}

TEST_CASE("two processors that poll each other go on", "[core][receive_any][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{2}, on(choice)}.run([](processor& me) {
    int tries = 0;
    for (int round = 0; round < 10; ++round) {
      me.send(1 - me.rank(), round);
      while (!me.try_receive<int>(1 - me.rank())) ++tries;
    }
    return tries;
  });
  CHECK(run.results() == std::vector{10, 10});
}

TEST_CASE("what programs get wrong when they ask for anybody",
          "[core][receive_any][errors][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  CHECK(error_place<lockstep::type_mismatch>(three, [](processor& me) {
          if (me.rank() == 2) me.send(0, 1.5);
          if (me.rank() == 0) (void)me.receive_any<int>();
        }) == step_and_rank{1, 0});
  CHECK(error_place<lockstep::invalid_rank>(three, [](processor& me) {
          if (me.rank() == 1) (void)me.receive_any<int>({0, 3});
        }) == step_and_rank{1, 1});
  CHECK(error_place<lockstep::invalid_rank>(three, [](processor& me) {
          if (me.rank() == 1) (void)me.receive_any<int>({1});
        }) == step_and_rank{1, 1});
  CHECK(error_place<lockstep::invalid_argument>(three, [](processor& me) {
          if (me.rank() == 1) (void)me.receive_any<int>(std::vector<int>());
        }) == step_and_rank{1, 1});
  CHECK(error_place<lockstep::invalid_rank>(three, [](processor& me) {
          if (me.rank() == 1) (void)me.pending(1);
        }) == step_and_rank{1, 1});
  machine const cube{lockstep::hypercube{2}, on(choice)};
  CHECK(error_place<lockstep::not_adjacent>(cube, [](processor& me) {
          if (me.rank() == 1) (void)me.receive_any<int>({0, 2});
        }) == step_and_rank{1, 1});
  CHECK(error_place<lockstep::not_adjacent>(cube, [](processor& me) {
          if (me.rank() == 1) (void)me.try_receive<int>(2);
        }) == step_and_rank{1, 1});
  machine const limited{crossbar{2}, on(choice, {.max_steps = 3})};
  CHECK(error_place<lockstep::step_limit>(limited, [](processor& me) {
          if (me.rank() == 0)
            while (!me.try_receive<int>(1)) {
            }
        }) == step_and_rank{4, 0});
}

TEST_CASE("a deadlock says that a processor waits for anybody",
          "[core][receive_any][errors][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  try {
    (void)machine{crossbar{4}, on(choice)}.run([](processor& me) {
      if (me.rank() == 1) me.idle(4), (void)me.receive_any<int>();
      if (me.rank() == 2) (void)me.receive_any<int>({3, 0});
      if (me.rank() == 3) (void)me.receive<int>(1);
    });
    FAIL("nobody sends");
  } catch (lockstep::deadlock const& caught) {
    auto const text = std::string(caught.what());
    CHECK(text.find("processor 1 waits for any processor since step 5") != std::string::npos);
    CHECK(text.find("processor 2 waits for any of processors 0, 3 since step 1") !=
          std::string::npos);
    REQUIRE(caught.details()->waits.size() == 3);
    CHECK(caught.details()->waits[0].in == "receive_any");
    CHECK(caught.rank() == 2);
  }
}

TEST_CASE("beside a one-sided round nobody is first",
          "[core][receive_any][errors][threads][sanitize]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  auto const round = [](processor& me) {
    std::vector<int> mine(1);
    if (me.rank() == 1) me.send(0, 1), me.serve(mine);
    if (me.rank() == 2) (void)me.read(1, 0, 1, mine);
  };
  CHECK(error_place<lockstep::invalid_argument>(three, [&](processor& me) {
          if (me.rank() == 0) (void)me.receive_any<int>();
          round(me);
        }) == step_and_rank{1, 0});
  CHECK(error_place<lockstep::invalid_argument>(three, [&](processor& me) {
          if (me.rank() == 0) me.idle(), (void)me.pending(1);
          round(me);
        }) == step_and_rank{2, 0});
  // Where nothing was sent yet, the round goes first.
  auto const run = three.run([](processor& me) {
    std::vector<int> mine(1);
    if (me.rank() == 0) return me.receive_any<int>().from;
    if (me.rank() == 1) me.serve(mine);
    if (me.rank() == 2) (void)me.read(1, 0, 1, mine);
    if (me.rank() == 1) me.send(0, 1);
    return -1;
  });
  CHECK(run.results()[0] == 1);
}

TEST_CASE("many choosers: a token that wanders, and its counts on every engine",
          "[core][receive_any][threads][sanitize]") {
  constexpr int processors = 60;
  // Each takes as many messages as come to it, which the loop below counts.
  auto const once = [&](machine const& on_machine, std::vector<int> const& coming) {
    return on_machine.run([&](processor& me) {
      std::uint64_t sum = 0;
      if (me.rank() % 5 == 0) me.send((me.rank() + 1) % processors, 30);
      for (int taken = 0; taken < coming[static_cast<std::size_t>(me.rank())]; ++taken) {
        auto const [from, values] = me.receive_any<int>();
        sum = sum * 31 + static_cast<std::uint64_t>(from) + me.now();
        if (values.front() > 1)
          me.send((me.rank() + 1 + values.front() % 3) % processors, values.front() - 1);
      }
      return sum;
    });
  };
  std::vector<int> coming(processors);
  for (int start = 0; start < processors; start += 5) {
    int at = (start + 1) % processors;
    for (int hops = 30; hops > 0; --hops) {
      ++coming[static_cast<std::size_t>(at)];
      at = (at + 1 + hops % 3) % processors;
    }
  }
  auto const first = once(machine{crossbar{processors}}, coming);
  for (auto const& choice : all_engines()) {
    auto const run = once(machine{crossbar{processors}, on(choice)}, coming);
    CHECK(run.results() == first.results());
    CHECK(run.counts() == first.counts());
    CHECK(run.choices() == first.choices());
  }
  CHECK(first.counts().messages == 360);
}

TEST_CASE("observers see the sender of a call that did not name one", "[core][receive_any]") {
  reference::call_log log;
  (void)machine{crossbar{2}}.run(
      [](processor& me) {
        if (me.rank() == 1) return me.send(0, 1);
        while (!me.try_receive<int>(1)) {
        }
        (void)me.pending(1);
      },
      log);
  REQUIRE(log.calls.size() == 3);
  CHECK(log.calls[0].kind == lockstep::call_kind::idle);
  CHECK(log.calls[1].kind == lockstep::call_kind::receive);
  CHECK(log.calls[1].other == 1);
}
