#include <lockstep/progress.hpp>

#include <optional>
#include <thread>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include "catch.hpp"
#include "core/machines.hpp"

namespace {

using lockstep::machine;
using lockstep::processor;
using lockstep::progress_scope;
using lockstep::work_progress;

/// Sends around a ring, as often as that.
void go_round(processor& me, int times) {
  for (int i = 0; i < times; ++i)
    me.exchange((me.rank() + 1) % me.size(), i, (me.rank() + me.size() - 1) % me.size());
}

/// The step that a board notes of a run of that many steps.
std::uint64_t noted_step(lockstep::machine_options const& options, int times) {
  work_progress board;
  progress_scope const noting(board);
  machine const ring(lockstep::crossbar{64}, options);
  auto const run = ring.run([&](processor& me) { go_round(me, times); });
  CHECK(run.counts().steps == static_cast<std::uint64_t>(times));
  return board.state().step;
}

}  // namespace

TEST_CASE("stages and their pieces are noted", "[progress]") {
  work_progress board;
  CHECK(board.state().stage.empty());
  CHECK(board.state().stages == 0);
  board.begin_stage("checking", 7);
  board.add(3);
  board.add(2);
  board.reach_step(5);
  board.reach_step(4);
  board.expect_steps(9);
  auto const state = board.state();
  CHECK(state.stage == "checking");
  CHECK(state.stages == 1);
  CHECK(state.done == 5);
  CHECK(state.total == 7);
  CHECK(state.step == 5);
  CHECK(state.steps == 9);
  board.begin_stage("writing");
  auto const next = board.state();
  CHECK(next.stage == "writing");
  CHECK(next.stages == 2);
  CHECK(next.done == 0);
  CHECK(next.total == 0);
  CHECK(next.step == 0);
}

TEST_CASE("parts of the whole work are noted, and the shares of its time", "[progress]") {
  work_progress board;
  CHECK(board.state().part == 0);
  board.begin_part();
  CHECK(board.state().part == 1);
  CHECK(board.state().parts == 0);
  CHECK(board.state().part_ends == 0);
  board.expect_parts({0.25, 1});
  CHECK(board.state().part == 0);
  CHECK(board.state().parts == 2);
  board.begin_part();
  board.begin_stage("checking");  // a part has stages of its own
  auto const first = board.state();
  CHECK(first.part == 1);
  CHECK(first.part_begins == 0);
  CHECK(first.part_ends == 0.25);
  board.begin_part();
  auto const second = board.state();
  CHECK(second.part_begins == 0.25);
  CHECK(second.part_ends == 1);
  board.begin_part();  // more than were expected
  auto const third = board.state();
  CHECK(third.part == 3);
  CHECK(third.parts == 2);
  CHECK(third.part_ends == 0);
}

TEST_CASE("a scope is of its thread, and gives back what there was", "[progress]") {
  CHECK(progress_scope::board() == nullptr);
  work_progress outer;
  work_progress inner;
  {
    progress_scope const one(outer);
    CHECK(progress_scope::board() == &outer);
    {
      progress_scope const other(inner);
      CHECK(progress_scope::board() == &inner);
      work_progress* elsewhere = &inner;
      std::thread([&] { elsewhere = progress_scope::board(); }).join();
      CHECK(elsewhere == nullptr);
    }
    CHECK(progress_scope::board() == &outer);
  }
  CHECK(progress_scope::board() == nullptr);
}

TEST_CASE("a machine notes about how far its clock is", "[progress]") {
  for (auto const stacks : {lockstep::stacks::own, lockstep::stacks::copied}) {
    auto const step = noted_step({.stacks = stacks}, 1000);
    CHECK(step > 900);
    CHECK(step <= 1001);
  }
}

TEST_CASE("threads note about how far the slower end of their machine is", "[progress][threads]") {
  auto const step = noted_step({.engine = lockstep::engine::threads}, 1000);
  CHECK(step > 800);  // neighbours are up to 63 steps apart
  CHECK(step <= 1001);
}

TEST_CASE("a processor that only sends does not make threads look further than they are",
          "[progress][threads]") {
  work_progress board;
  progress_scope const noting(board);
  constexpr int turns = 100;
  constexpr int ahead = 5000;
  std::uint64_t half_way = 0;
  machine const on(lockstep::crossbar{3}, {.engine = lockstep::engine::threads});
  on.run([&](processor& me) {
    if (me.rank() == 0)
      for (int i = 0; i < ahead; ++i) me.send(1, i);
    for (int i = 0; me.rank() > 0 && i < turns; ++i) {
      me.exchange(3 - me.rank(), i);
      if (me.rank() == 1 && i == turns / 2) half_way = board.state().step;
    }
    for (int i = 0; me.rank() == 1 && i < ahead; ++i) static_cast<void>(me.receive<int>(0));
  });
  CHECK(half_way <= turns / 2 + 2);  // where processor 1 is itself then
}

TEST_CASE("a run notes nothing where no board is", "[progress]") {
  work_progress board;
  machine(lockstep::crossbar{64}).run([](processor& me) { go_round(me, 100); });
  CHECK(board.state().step == 0);
}

TEST_CASE("a machine inside a program notes nothing", "[progress]") {
  work_progress board;
  progress_scope const noting(board);
  machine(lockstep::crossbar{2}).run([](processor& me) {
    if (me.rank() == 0)
      for (auto const engine : {lockstep::engine::fibers, lockstep::engine::threads})
        machine(lockstep::crossbar{16}, {.engine = engine}).run([](processor& inner) {
          go_round(inner, 500);
        });
    go_round(me, 3);
  });
  CHECK(board.state().step <= 4);
}

TEST_CASE("several workers note on one board", "[progress][threads]") {
  work_progress board;
  progress_scope const noting(board);
  machine const cube(lockstep::hypercube{6}, {.workers = 2});
  cube.run([](processor& me) {
    for (int round = 0; round < 50; ++round)
      for (int d = 0; d < 6; ++d) me.exchange(me.rank() ^ (1 << d), round);
  });
  CHECK(board.state().step > 0);
  CHECK(board.state().step <= 301);
}
