// Counts in a test of Catch2: of version 2, whose `main` comes with the header, or of version 3,
// whose own comes with a library.
#define CATCH_CONFIG_MAIN
#include <lockstep/catch2.hpp>
#include <lockstep/core.hpp>
#include <lockstep/topologies.hpp>

TEST_CASE("a shift takes a step") {
  lockstep::machine ring{lockstep::torus{{8}}};
  auto const run = ring.run([](lockstep::processor& me) {
    me.exchange((me.rank() + 1) % 8, me.rank(), (me.rank() + 7) % 8);
  });
  CHECK_THAT(run, lockstep::takes(lockstep::steps(1)).words(1).contention_free());
  CHECK_THAT(run, lockstep::steps_at_most(1));
}
