#pragma once

#include <lockstep/progress.hpp>

namespace lockstep::detail {

/// Whether this thread runs an errand of a fiber, on its worker's stack.
inline constinit thread_local bool on_errand = false;

/// The board on which a run of this thread is noted; nullptr for a machine inside a program, and where
/// nobody looks.
[[nodiscard]] inline work_progress* board_of_run() noexcept {
  return on_errand ? nullptr : progress_scope::board();
}

}  // namespace lockstep::detail
