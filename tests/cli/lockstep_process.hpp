#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

/// `lockstep` with these words in a process of its own, which ends with this at the latest.
class lockstep_process {
 public:
  /// `prepare`: the steps of the process before it becomes `lockstep`.
  lockstep_process(std::vector<std::string> words, std::function<void()> const& prepare);
  lockstep_process(lockstep_process const&) = delete;
  lockstep_process& operator=(lockstep_process const&) = delete;
  ~lockstep_process();

  void send(int signal) const;
  [[nodiscard]] bool is_running() const;
  /// The signal that ended it, or 0.
  [[nodiscard]] int wait_for_end();

 private:
  pid_t m_process = 0;
};
