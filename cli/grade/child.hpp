#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox.hpp"

namespace lockstep::cli {

/// How a process ended.
enum class child_end : std::uint8_t {
  ended,      ///< by itself, with a status
  signalled,  ///< by a signal
  too_late    ///< killed, because it took longer than it may
};

/// The outcome of a process.
struct finished_child {
  child_end end = child_end::ended;
  int number = 0;      ///< its status, or its signal
  std::string output;  ///< what it wrote to its channel
};

/// Which stream of a process is its channel, whose text is kept; the others lead nowhere.
enum class child_channel : std::uint8_t {
  errors,  ///< the standard error stream
  own      ///< descriptor 3, from which it reads `given`, too
};

/// Runs a program in a process group of its own, within limits, and waits for it. At the end nothing of
/// the group is left. Several threads may do this at a time.
/// `words` are the program and its arguments, `variables` ("TMPDIR=/tmp") stand before those of this process. Of
/// its output 4 MiB are kept.
/// Errors: std::system_error where the system starts no process; detail::work_stopped where this thread is
/// asked to stop (detail::stop_scope), before it starts or within a few hundredths of a second.
[[nodiscard]] finished_child run_child(std::vector<std::string> const& words,
                                       process_limits const& limits, child_channel channel,
                                       std::string_view given = {},
                                       std::vector<std::string> variables = {});

/// The number of the channel `own`.
inline constexpr int own_channel = 3;

/// A folder of its own among the temporary ones, removed at the end.
class temporary_folder {
 public:
  /// Errors: std::system_error.
  temporary_folder();
  temporary_folder(temporary_folder const&) = delete;
  temporary_folder& operator=(temporary_folder const&) = delete;
  ~temporary_folder();

  [[nodiscard]] std::filesystem::path const& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

}  // namespace lockstep::cli
