#pragma once

namespace lockstep::mpi {

/// A line on the standard error stream when a signal ends a process: which process, which signal, and whether the
/// launcher has sent it, which says so itself where another process has ended.
///
/// While this lives, SIGINT, SIGTERM, SIGHUP and SIGQUIT write it, and then do what they did before; an ignored
/// signal stays ignored. The launcher ends the other processes, by a signal as well: so only the first process
/// of all that share a number writes. One lives at a time.
class signal_line {
 public:
  /// `first`: a number of all processes that can share memory, 0 at the beginning; or nullptr: each writes.
  signal_line(int process, int processes, int* first) noexcept;
  signal_line(signal_line const&) = delete;
  signal_line& operator=(signal_line const&) = delete;
  ~signal_line();
};

}  // namespace lockstep::mpi
