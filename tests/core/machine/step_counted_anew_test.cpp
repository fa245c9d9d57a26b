// Untuned only: with few steps kept, processor 7 may have to wait for processor 3, which waits for it outside
// the machine.
//
// What observers are told of a step of a run that fails, of which some messages were asked for only after
// the error: the step is counted anew, without these.

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"

namespace {

/// Keeps the record of the third step.
class third_step : public lockstep::observer {
 public:
  void step(lockstep::step_record const& of) override {
    if (of.step == 3) record = of;
  }
  lockstep::step_record record;
};

}  // namespace

TEST_CASE("a step counted anew has the largest of each figure over the messages that are told",
          "[sanitize][untuned]") {
  lockstep::machine const on{lockstep::torus{{8}}, {.engine = lockstep::engine::threads}};
  std::atomic<bool> asked_late = false;
  auto const program = [&](lockstep::processor& me) {
    switch (me.rank()) {
      case 0:
        me.idle(2);
        me.send(7, 1);
        return;
      case 1:  // the third message waits for two steps, and crosses three links
        for (int const from : {4, 5, 6}) (void)me.receive<int>(from);
        return;
      case 2:
        (void)me.receive<int>(3);
        return;
      case 3:
        me.idle(2);
        me.send(2, 1);
        me.idle(6);
        while (!asked_late) std::this_thread::yield();
        throw std::runtime_error("on purpose, in step 9");
      case 7:  // it arrived in step 3, and is asked for after the error
        me.idle(20);
        (void)me.receive<int>(0);
        asked_late = true;
        return;
      default:
        me.send(1, std::vector<int>(me.rank() == 6 ? 5 : 1));
    }
  };
  third_step told;
  CHECK_THROWS_AS(on.run(program, told), lockstep::processor_failed);
  CHECK(told.record.messages == 2);
  CHECK(told.record.volume == 6);
  CHECK(told.record.largest == 5);
  CHECK(told.record.words == 5);
  CHECK(told.record.hops == 3);
  CHECK(told.record.queued == 2);
}
