// What a run keeps of its messages, and the links that they crossed.

#include <utility>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/machines.hpp"

namespace {

using namespace reference;
using lockstep::along;
using lockstep::machine;
using lockstep::message_record;
using lockstep::processor;
using lockstep::torus;

}  // namespace

TEST_CASE("a run keeps the messages of its first steps", "[core][run][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const ring{torus{{5}}, on(choice)};
  auto const run = ring.run([](processor& me) {
    if (me.rank() == 3) me.send(0, std::vector<int>(2));  // queues behind 4's
    if (me.rank() == 4) me.send(0, 7);
    me.phase("late");
    if (me.rank() != 0) return;
    (void)me.receive<int>(4);
    (void)me.receive<int>(3);
  });
  CHECK(run.messages_in(0).empty());
  CHECK(run.messages_in(1) == std::vector<message_record>{{1, 1, 4, 0, 1, 1, 0}});
  CHECK(run.messages_in(2) == std::vector<message_record>{{2, 1, 3, 0, 2, 2, 0, 0}});
  CHECK(run.messages_in(3).empty());
  CHECK(run.steps_kept() == 8'192 / 5);
  REQUIRE(run.network() != nullptr);
  CHECK(run.network()->spec() == "torus:5");
  CHECK(run.options().engine == choice.engine);
}

TEST_CASE("a run keeps the steps that fit, whatever came in", "[core][run]") {
  auto const shift = [](int steps) {
    return [steps](processor& me) {
      for (int step = 0; step < steps; ++step)
        (void)me.exchange((me.rank() + 1) % me.size(), step,
                          (me.rank() + me.size() - 1) % me.size());
    };
  };
  SECTION("one port: p messages a step") {
    auto const run = machine{torus{{2'048}}}.run(shift(6));
    CHECK(run.steps_kept() == 4);
    CHECK(run.messages_in(4).size() == 2'048);
    CHECK(run.messages_in(5).empty());
  }
  SECTION("all ports: one on each link") {
    auto const run = machine{lockstep::crossbar{64}, {.ports = lockstep::ports::all}}.run(shift(9));
    CHECK(run.steps_kept() == 8'192 / (64 * 63));
    CHECK(run.messages_in(2).size() == 64);
    CHECK(run.messages_in(3).empty());
  }
  SECTION("many processors: none") {
    auto const run = machine{torus{{40'000}}}.run(shift(1));
    CHECK(run.steps_kept() == 0);
    CHECK(run.messages_in(1).empty());
  }
}

TEST_CASE("a record that no machine made knows no messages", "[core][run]") {
  lockstep::run_record const made({.steps = 3}, {}, {}, {});
  CHECK(made.network() == nullptr);
  CHECK(made.steps_kept() == 0);
  CHECK(made.messages_in(1).empty());
}

TEST_CASE("a run whose steps were moved out has no messages", "[core][run]") {
  auto run = machine{torus{{3}}}.run(
      [](processor& me) { (void)me.exchange((me.rank() + 1) % 3, 1, (me.rank() + 2) % 3); });
  CHECK(run.messages_in(1).size() == 3);
  CHECK(std::move(run).steps().size() == 1);
  CHECK(run.messages_in(1).empty());  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("the links of a message", "[core][run]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const grid{torus{{4, 4}}, on(choice)};
  auto const run = grid.run([](processor& me) {
    if (me.rank() == 0) me.send(10, 1);
    if (me.rank() == 5) me.send(along{1, -3}, 1);
    if (me.rank() == 10) (void)me.receive<int>(0);
    if (me.rank() == 6) (void)me.receive<int>(5);
  });
  auto const seen = run.messages_in(1);
  REQUIRE(seen.size() == 2);
  // Rank 5 is (1, 1): three links back along dimension 1 lead to (1, 2), which is rank 6.
  CHECK(seen[0].way == along{1, -3});
  CHECK(links_of(*run.network(), seen[0]) == std::vector<lockstep::link>{{5, 4}, {4, 7}, {7, 6}});
  CHECK(seen[1].way == along{});
  CHECK(links_of(*run.network(), seen[1]) ==
        std::vector<lockstep::link>{{0, 4}, {4, 8}, {8, 9}, {9, 10}});
}
