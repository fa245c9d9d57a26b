#pragma once

#include <lockstep/detail/stop_request.hpp>

namespace lockstep::cli {

/// From now on each signal that ends the process, but SIGKILL, removes the files that are not complete
/// first; the next one ends it at once. An ignored signal stays ignored,
/// as `nohup` wants it. A file that grows beyond a limit (SIGXFSZ) ends nothing: writing fails
/// instead.
void clean_up_when_interrupted() noexcept;

/// Somebody's request to end the process: while it lives, SIGINT, SIGTERM, SIGHUP and SIGQUIT ask the work of
/// this thread to stop (detail::stop_scope) instead of ending the process, so that what the work has begun
/// is ended and removed first. The same signal once more ends it at once. One lives at a time, after
/// `clean_up_when_interrupted`.
class interruption_scope {
 public:
  interruption_scope() noexcept;
  interruption_scope(interruption_scope const&) = delete;
  interruption_scope& operator=(interruption_scope const&) = delete;
  ~interruption_scope();

  /// Ends the process by the signal that came, once the work has stopped.
  void end_process() const noexcept;

 private:
  detail::stop_request m_request;
  detail::stop_scope m_heeding{&m_request};
};

}  // namespace lockstep::cli
