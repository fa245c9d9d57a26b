// Test cases that fail inside a program, each in one assertion: tests/catch2/CMakeLists.txt says
// what has to be printed.

#include <lockstep/catch2.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies.hpp>

using lockstep::crossbar;
using lockstep::machine;
using lockstep::processor;

TEST_CASE("in a program") {
  machine{crossbar{4}}.run([](processor& me) {
    if (me.rank() == 2) REQUIRE(me.size() == 5);
    me.barrier();
  });
  FAIL("the run went on");
}

TEST_CASE("in pipelined") {
  machine{crossbar{4}}.run([](processor& me) {
    me.pipelined([&] {
      auto const heard = me.exchange((me.rank() + 1) % 4, 7, (me.rank() + 3) % 4);
      if (me.rank() == 3) REQUIRE(heard == 8);
    });
  });
  FAIL("the run went on");
}

TEST_CASE("on the threads engine") {
  machine{crossbar{4}, {.engine = lockstep::engine::threads}}.run([](processor& me) {
    if (me.rank() > 0) return me.send(0, me.rank());
    for (int from = 1; from < 4; ++from) {
      auto const heard = me.receive_value<int>(from);
      if (from == 3) REQUIRE(heard == 4);
    }
  });
  FAIL("the run went on");
}

TEST_CASE("in a machine inside another's program") {
  machine{crossbar{2}}.run([](processor& outer) {
    if (outer.rank() > 0) return outer.barrier();
    machine{crossbar{3}}.run([](processor& me) {
      if (me.rank() == 1) FAIL("found");
    });
  });
  FAIL("the run went on");
}

TEST_CASE("in none") {
  auto const run = machine{crossbar{4}}.run([](processor& me) {
    auto const heard = me.exchange(me.rank() ^ 1, me.rank());
    REQUIRE(heard == (me.rank() ^ 1));
  });
  CHECK(run.counts().steps == 1);
}
