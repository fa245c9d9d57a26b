// Programs of many processors that assert: tests/catch2/CMakeLists.txt says what has to be printed.

#include <thread>

#include <lockstep/catch2.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies.hpp>

using lockstep::machine;
using lockstep::processor;

TEST_CASE("many processors check") {
  machine const large{lockstep::ring{40'000}, {.workers = 4}};
  auto const run = large.run([](processor& me) {
    int const heard = *me.shift(lockstep::along{0, 1}, me.rank());
    CHECK(heard == (me.rank() + me.size() - 1) % me.size());
    return std::this_thread::get_id();
  });
  CHECK(run.counts().steps == 1);
  bool one_thread = true;
  for (auto const thread : run.results()) one_thread = one_thread && thread == run.results()[0];
  CHECK(one_thread);
}

TEST_CASE("one of many requires what is not so") {
  machine const large{lockstep::ring{40'000}, {.workers = 4}};
  large.run([](processor& me) {
    int const heard = *me.shift(lockstep::along{0, 1}, me.rank());
    if (me.rank() == 30'000) REQUIRE(heard == 7);
    me.barrier();
  });
  FAIL("the run went on");
}

TEST_CASE("many processors check what is not so") {
  machine const large{lockstep::ring{20'000}, {.workers = 4}};
  large.run([](processor& me) {
    if (me.rank() % 10'000 == 1) CHECK(me.size() == 5);
  });
}
