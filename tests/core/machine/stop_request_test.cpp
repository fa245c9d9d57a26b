#include <lockstep/detail/stop_request.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include <lockstep/machine.hpp>
#include <lockstep/progress.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"

namespace {

using lockstep::crossbar;
using lockstep::machine;
using lockstep::processor;
using lockstep::detail::stop_request;
using lockstep::detail::stop_scope;
using lockstep::detail::work_stopped;

}  // namespace

TEST_CASE("a run ends when it is asked to stop", "[stop_request]") {
  int const workers = GENERATE(1, 2);
  // Rounds end in messages, in barriers, or in what the machine decides for those that wait.
  int const kind = GENERATE(0, 1, 2, 3);
  machine const pair(crossbar{4}, {.workers = workers, .max_steps = std::uint64_t{1} << 60});
  stop_request request;
  std::atomic<bool> has_begun = false;
  std::jthread const asking([&] {
    has_begun.wait(false);
    request.ask();
  });
  stop_scope const heeding(&request);
  CHECK_THROWS_AS(pair.run([&](processor& me) {
    for (;;) {
      int const other = me.rank() ^ 1;
      if (kind < 2) static_cast<void>(me.exchange(other, 1));
      if (kind == 1) me.barrier();
      if (kind == 2) me.phase("again");
      if (kind == 3) {
        me.send(other, 1);
        static_cast<void>(me.receive_any<int>());
      }
      has_begun = true;
      has_begun.notify_all();
    }
  }),
                  work_stopped);
}

TEST_CASE("a run that is asked to stop while all wait in a phase forgets its name",
          "[stop_request]") {
  int const workers = GENERATE(1, 2);
  machine const some(crossbar{64}, {.workers = workers});
  stop_request request;
  stop_scope const heeding(&request);
  CHECK_THROWS_AS(some.run([&](processor& me) {
    std::string const name(100, 'a');  // which ends with its processor
    if (me.rank() == 0) request.ask();
    me.phase(name);
    me.phase("never");
  }),
                  work_stopped);
}

TEST_CASE("nothing begins once it is asked to stop", "[stop_request]") {
  machine const pair(crossbar{2});
  stop_request request;
  request.ask();
  lockstep::work_progress board;
  {
    stop_scope const heeding(&request);
    CHECK(stop_scope::current() == &request);
    CHECK_THROWS_AS(pair.run([](processor&) {}), work_stopped);
    CHECK_THROWS_AS(board.begin_stage("running"), work_stopped);
    stop_scope const alone(nullptr);
    CHECK_NOTHROW(pair.run([](processor&) {}));
  }
  CHECK(stop_scope::current() == nullptr);
  CHECK_NOTHROW(board.begin_stage("running"));
  CHECK_NOTHROW(pair.run([](processor&) {}));
}
