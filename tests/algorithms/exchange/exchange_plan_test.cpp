#include <lockstep/algorithms/exchange/detail/exchange_plan.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/machines.hpp"
#include "exchange/exchanged_blocks.hpp"

using lockstep::exchange_schedule;
using lockstep::exchange_scheme;
using lockstep::processor;
using lockstep::detail::exchange_plan;
using lockstep::detail::exchange_plans;

namespace {

/// Every node's own plan is the one that its class shares.
void compare_plans(exchange_schedule const& schedule) {
  auto const& plans = exchange_plans::of(schedule);
  std::set<exchange_plan const*> all_shared;
  int nodes = 0;
  int different = 0;
  for (int rank = 0; rank < schedule.processors(); ++rank)
    for (auto const& at : schedule.hosted_by(rank)) {
      ++nodes;
      auto const* const shared = plans.find(schedule, at);
      REQUIRE(shared != nullptr);
      all_shared.insert(shared);
      if (*shared != exchange_plan(schedule, at)) ++different;
    }
  CHECK(nodes >= schedule.processors());
  CHECK(different == 0);
  CHECK(all_shared.size() <= plans.classes());
}

}  // namespace

TEST_CASE("every node's own plan is the one that its class shares") {
  auto const spec =
      GENERATE(as<std::string>{}, "torus:8x8", "torus:4x12", "torus:16x8", "mesh:6x4", "mesh:8x10",
               "torus:4x8x12", "torus:4x4x4x8", "mesh:2x4x6", "torus:5x7", "torus:3x6",
               "torus:9x10", "torus:1x13", "torus:17", "mesh:5x5", "mesh:9", "mesh:1x7",
               "torus:5x4x6", "mesh:3x4x2", "mesh:3x5x7");
  INFO(spec);
  auto const network = lockstep::parse(spec);
  compare_plans(exchange_schedule(*network));
  if (spec.starts_with("torus"))
    compare_plans(exchange_schedule(*network, {.scheme = exchange_scheme::stride_2}));
  if (spec == "torus:4x4x4x8")
    compare_plans(
        exchange_schedule(*network, {.groups = {{3, 0}, {1, 2}}, .partner_order = {2, 0, 3, 1}}));
}

TEST_CASE("nodes share few plans, however many there are, and too many classes share none") {
  auto const classes = [](std::string const& on) {
    return exchange_plans::of(exchange_schedule(*lockstep::parse(on))).classes();
  };
  CHECK(classes("torus:64x64") == 4);
  CHECK(classes("torus:8x8x8") == 8);
  CHECK(classes("torus:63x64") == 16);
  CHECK(classes("torus:3x3x3x3") == 4096);
  exchange_schedule const many(*lockstep::parse("torus:3x3x3x3"));
  CHECK(exchange_plans::of(many).find(many, {}) == nullptr);
}

TEST_CASE("copies of a schedule share its plans, and calls on one network share a schedule") {
  lockstep::torus const network{{8, 8}};
  exchange_schedule const one(network);
  auto const copy = one;
  CHECK(&exchange_plans::of(one) == &exchange_plans::of(copy));
  exchange_schedule const other(network);
  CHECK(&exchange_plans::of(one) != &exchange_plans::of(other));
  CHECK(&exchange_schedule::of(network) == &exchange_schedule::of(network));
  auto const same_kind = network;
  CHECK(&exchange_schedule::of(network) != &exchange_schedule::of(same_kind));
  CHECK_THROWS_AS(exchange_schedule::of(*lockstep::parse("tree:3")), lockstep::invalid_argument);
}

TEST_CASE("all processors of a run go by the same plans, whatever the engine, in nested runs too",
          "[threads]") {
  auto const network = std::make_shared<lockstep::torus const>(std::vector<int>{4, 8});
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    lockstep::machine const outer{network, reference::on(choice)};
    auto const exchanged = [](processor& me) {
      auto blocks = lockstep::all_to_all(me, reference::blocks_for_all<int>(me, 1));
      return reference::are_blocks_of_all(blocks, me, 1);
    };
    auto const run = outer.run([&](processor& me) {
      bool right = exchanged(me);
      if (me.rank() == 3) {
        lockstep::machine const inner{network};
        auto const nested = inner.run(exchanged);
        right = right && std::ranges::count(nested.results(), true) == inner.size();
      }
      return right && exchanged(me) ? &exchange_schedule::of(me.topology()) : nullptr;
    });
    auto const* const shared = &exchange_schedule::of(*network);
    CHECK(std::ranges::count(run.results(), shared) == outer.size());
  }
}
