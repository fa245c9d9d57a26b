#include "harness/stages.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lockstep/experiments/registry.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/progress.hpp>

#include "catch.hpp"
#include "experiments/temporary_file.hpp"

using lockstep::progress_scope;
using lockstep::progress_state;
using lockstep::work_progress;

namespace {

/// Keeps what a board says while processors run.
class board_watch : public lockstep::observer {
 public:
  explicit board_watch(work_progress const& board) : m_board(board) {}
  void step(lockstep::step_record const& /*seen*/) override { m_seen = m_board.state(); }
  [[nodiscard]] progress_state const& seen() const { return m_seen; }

 private:
  work_progress const& m_board;
  progress_state m_seen;
};

/// What is noted of a run.
struct noted_run {
  lockstep::experiment_result result;
  progress_state running;  ///< in the last step
  progress_state ended;
};

noted_run noted(lockstep::experiment const& of, lockstep::experiment_request asked) {
  work_progress board;
  progress_scope const noting(board);
  board_watch watch(board);
  std::array<lockstep::observer*, 1> const observers{&watch};
  asked.observers = observers;
  auto result = of.run(asked);
  return {std::move(result), watch.seen(), board.state()};
}

}  // namespace

TEST_CASE("every experiment says where it runs, and then that it checks", "[progress]") {
  for (auto const& of : lockstep::experiments()) {
    INFO(of.name);
    auto const run = noted(of, teaching_request(of));
    CHECK(run.running.stage == "running on " + of.teaching.on);
    CHECK(run.ended.stage.starts_with("checking"));
    CHECK(run.ended.stages > run.running.stages);
    CHECK(run.ended.steps == 0);
  }
}

TEST_CASE("steps that are expected of a run are those that it takes", "[progress]") {
  int known = 0;
  for (auto const& of : lockstep::experiments()) {
    INFO(of.name);
    auto const run = noted(of, teaching_request(of));
    if (run.running.steps == 0) continue;
    ++known;
    auto const& counts = run.result.record.counts();
    CHECK((run.running.steps == counts.steps || run.running.steps == counts.rounds));
  }
  CHECK(known >= 20);
}

TEST_CASE("products note their multiplications, and the rows that are checked", "[progress]") {
  for (auto const* const name : {"cannon", "summa", "matrix-product"}) {
    INFO(name);
    auto const& of = *lockstep::find_experiment(name);
    auto asked = teaching_request(of);
    asked.parameters["n"] = std::int64_t{24};
    auto const run = noted(of, asked);
    CHECK(run.running.total == 24 * 24 * 24);
    CHECK(run.running.done == run.running.total);
    CHECK(run.ended.stage == "checking the product");
    CHECK(run.ended.total == 24);
    CHECK(run.ended.done == 24);
  }
}

TEST_CASE("reading and writing files are stages", "[progress]") {
  temporary_file const input("3\n1\n2\n");
  temporary_file const output;
  auto const& of = *lockstep::find_experiment("radix-sort");
  auto asked = teaching_request(of);
  for (auto const& one : of.parameters)
    if (one.told_by_input) asked.parameters.erase(one.name);
  asked.input = input.path();
  asked.output = output.path();
  auto const run = noted(of, asked);
  CHECK(run.running.stages == 2);  // after reading
  CHECK(run.ended.stage == "writing " + output.path().string());
  CHECK(output.content() == "1\n2\n3\n");
}

TEST_CASE("nothing is noted where nobody looks", "[progress]") {
  auto const& of = *lockstep::find_experiment("prefix");
  CHECK(of.run(teaching_request(of)).correct);
  CHECK(progress_scope::board() == nullptr);
  lockstep::begin_stage("checking");
  lockstep::note_done(1);
}
