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
      machine(lockstep::crossbar{64}).run([](processor& inner) { go_round(inner, 500); });
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
