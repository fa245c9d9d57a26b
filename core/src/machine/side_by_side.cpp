#include <lockstep/detail/side_by_side.hpp>

#include <atomic>
#include <exception>

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <lockstep/detail/stop_request.hpp>
#include <lockstep/progress.hpp>

namespace lockstep::detail {

int members_for(int asked) { return asked > 0 ? asked : tbb::info::default_concurrency(); }

int workers_beside(int members, int asked) {
  return asked == 0 && members_for(members) > 1 ? 1 : asked;
}

void run_side_by_side(std::size_t pieces, int members,
                      std::function<void(std::size_t)> const& run) {
  auto* const board = progress_scope::board();
  auto const* const stop = stop_scope::current();
  if (board != nullptr) board->begin_stage("running", pieces);
  std::atomic<std::size_t> next = 0;
  auto const run_what_is_left = [&] {
    work_progress unseen;  // of the machines; shown is the number of pieces
    progress_scope const noting(unseen);
    stop_scope const heeding(stop);
    for (auto piece = next++; piece < pieces; piece = next++) {
      run(piece);
      if (board != nullptr) board->add(1);
    }
  };
  auto const many = members_for(members);
  if (many == 1) {
    run_what_is_left();
    return;
  }
  std::exception_ptr first;
  std::atomic<bool> has_failed = false;
  auto const note_failure = [&] {
    next = pieces;  // no more begin
    if (!has_failed.exchange(true)) first = std::current_exception();
  };
  tbb::task_arena arena(many);
  arena.execute([&] {
    tbb::parallel_for(0, many, [&](int) {
      try {
        run_what_is_left();
      } catch (...) {
        note_failure();
      }
    });
  });
  if (first) std::rethrow_exception(first);
}

}  // namespace lockstep::detail
