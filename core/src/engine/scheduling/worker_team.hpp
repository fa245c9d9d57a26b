#pragma once

#include <functional>

#include "engine/scheduling/round_barrier.hpp"

namespace lockstep::detail {

/// The threads of oneTBB that work on one run together, from its beginning to its end.
///
/// A oneTBB task may not wait for another, which may never be given a thread. So the members of a
/// team are the calling thread and the tasks that have been given a thread when the run begins.
/// They wait for one another only, and the team never changes, so that fibers never change thread.
struct worker_team {
  int members;
  round_barrier& barrier;

  /// Finds how many threads can run at the same time here.
  [[nodiscard]] static int most_members();

  /// Runs `work(member, team)` on as many threads as come, at most `wanted`; returns when all have
  /// finished. `work` must not throw.
  static void run(int wanted, std::function<void(int member, worker_team const& team)> const& work);
};

}  // namespace lockstep::detail
