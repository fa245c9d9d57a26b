// What is kept for a clock has a limit, which the small tuning makes small.

#include <string>

#include <lockstep/clock_models.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/timeline.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "core/machines.hpp"
#include "engine/tuning.hpp"

TEST_CASE("a run with more events than are kept is counted, and has no timeline", "[threads]") {
  auto const most = lockstep::detail::usual_tuning.most_call_bytes / 32;
  for (auto const& choice : reference::all_engines()) {
    lockstep::machine const pair(lockstep::crossbar{2}, reference::on(choice, {.clocked = true}));
    auto const exchanges = [&](std::size_t steps) {
      return pair.run([steps](lockstep::processor& me) {
        for (std::size_t step = 0; step < steps; ++step)
          static_cast<void>(me.exchange(1 - me.rank(), 1L));
      });
    };
    CHECK(exchanges(100).timeline(lockstep::hockney_clock{.alpha_us = 1}).makespan == 100);
    auto const run = exchanges(most);
    CHECK(run.counts().steps == most);
    try {
      static_cast<void>(run.timeline(lockstep::hockney_clock{}));
      FAIL("more was kept than may be");
    } catch (lockstep::invalid_argument const& refused) {
      CHECK(std::string(refused.what()).find("MiB") != std::string::npos);
    }
  }
}
