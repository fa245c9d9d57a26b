#include <optional>

#include <lockstep/errors.hpp>

#include "catch.hpp"
#include "simulation.hpp"

// 3.2.2 leaves open which dimension a node takes in a step of Phase n + 1. The last phase has one
// for all, and so might this one: with contention.

using namespace as_printed;

namespace {

step same_dimension_for_all(int dimension) {
  return [dimension](node const& x) -> std::optional<transmission> {
    return transmission{dimension, x[static_cast<std::size_t>(dimension)] % 4 < 2 ? 2 : -2, false};
  };
}

/// The torus algorithm, with one dimension for all in each step of Phase n + 1.
step_list with_common_dimensions(network const& on) {
  auto all = torus_algorithm(on);
  auto const n = on.sizes.size();
  for (std::size_t j = 0; j < n; ++j)
    all[all.size() - 2 * n + j] = same_dimension_for_all(static_cast<int>(j));
  return all;
}

}  // namespace

TEST_CASE("erratum 7: one dimension for all in a step of Phase n + 1 has contention", "[errata]") {
  for (auto const& sizes : {std::vector{4, 4}, std::vector{8, 4, 4}, std::vector{4, 4, 4, 4}}) {
    network const on{sizes, true};
    auto const n = sizes.size();
    auto const printed = with_common_dimensions(on);
    auto const common = as_printed::run(on, printed);
    CHECK(misplaced(on, common.results(), 1) == 0);
    CHECK(common.counts().contention == 2);
    CHECK(common.counts().serialised_steps == common.counts().steps + n);

    auto const refused = breakdown_of<lockstep::link_contention>(
        [&] { static_cast<void>(as_printed::run(on, printed, {.strict = true})); });
    CHECK(refused.step == printed.size() - 2 * n + 1);

    auto const right = as_printed::run(on, torus_algorithm(on), {.strict = true});
    CHECK(misplaced(on, right.results(), 1) == 0);
    CHECK(right.counts().contention == 1);
  }
}
