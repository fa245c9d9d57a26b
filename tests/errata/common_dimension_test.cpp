#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "index.hpp"
#include "simulation.hpp"

// 3.2.2 leaves open which dimension a node takes in a step of Phase n + 1. The last phase has one
// for all, and so might this one: with contention.

using namespace as_printed;

namespace {

/// Dimension j for all in step j.
along common_dimension(node const& p, int step) {
  int const dimension = step - 1;
  return {dimension, p[index(dimension)] % 4 < 2 ? 2 : -2};
}

}  // namespace

TEST_CASE("erratum 7: one dimension for all in a step of Phase n + 1 has contention", "[errata]") {
  for (auto const& sizes : {std::vector{4, 4}, std::vector{8, 4, 4}, std::vector{4, 4, 4, 4},
                            std::vector{8, 4, 4, 4}}) {
    network const on{sizes, true};
    auto const n = sizes.size();
    auto printed = rules_of(on);
    printed.distance_2 = common_dimension;
    auto const common = as_printed::run(on, printed);
    CHECK(misplaced(on, common.results(), 1) == 0);
    CHECK(common.counts().contention == 2);
    CHECK(common.counts().serialised_steps == common.counts().steps + n);

    auto const refused = breakdown_of<lockstep::link_contention>(
        [&] { static_cast<void>(as_printed::run(on, printed, {.strict = true})); });
    CHECK(refused.step == common.counts().steps - 2 * n + 1);

    auto const right = as_printed::run(on, rules_of(on), {.strict = true});
    CHECK(misplaced(on, right.results(), 1) == 0);
    CHECK(right.counts().contention == 1);
  }
}

TEST_CASE("erratum 7: along sides of 4 half of the messages may go the other way round",
          "[errata]") {
  network const on{{4, 4, 4, 4}, true};
  lockstep::machine const strict{lockstep::torus{on.sizes}, {.strict = true}};
  auto const run = strict.run([&](lockstep::processor& me) {
    bool right = true;
    for (int dimension = 0; dimension < 4; ++dimension) {
      auto partner = on.at(me.rank());
      int const place = partner[index(dimension)];
      partner[index(dimension)] = (place + 2) % 4;
      me.send(lockstep::along{dimension, place % 2 == 0 ? 2 : -2}, me.rank());
      right = right && me.receive_value<int>(on.rank_of(partner)) == on.rank_of(partner);
    }
    return right;
  });
  for (bool const right : run.results()) CHECK(right);
  CHECK(run.counts().steps == 4);
  CHECK(run.counts().contention == 1);
}
