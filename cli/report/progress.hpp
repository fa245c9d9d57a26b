#pragma once

#include <chrono>
#include <string>
#include <thread>

namespace lockstep::cli {

/// Shows on a terminal that something goes on: after a while a line with the time that has passed,
/// erased at the end. Shows nothing where the stream is not a terminal.
class progress {
 public:
  /// `file` is the stream's descriptor, `what` what is going on, `delay` how long to keep quiet.
  progress(int file, std::string what, std::chrono::milliseconds delay = std::chrono::seconds(1));
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;
  ~progress();

 private:
  std::jthread m_thread;
};

}  // namespace lockstep::cli
