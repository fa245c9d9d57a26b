#pragma once

#include <cstdint>

namespace lockstep::cli {

/// The limits of a process.
struct process_limits {
  double seconds = 10;              ///< by the clock on the wall, and of all its threads together
  std::uint64_t memory_mib = 1024;  ///< of addresses
  std::uint64_t file_mib = 0;       ///< of each file that it writes
};

/// Sets the limits of this process, and of those that it starts. May be called after fork.
/// Result: whether the system has set them.
[[nodiscard]] bool set_limits(process_limits const& limits) noexcept;

/// From now on this process cannot start others, send signals to them, open files for writing, change
/// folders and files, or talk to a network. Threads are still allowed. The system refuses such calls with
/// EPERM. Result: whether the system has it (seccomp, on x86-64 and aarch64).
[[nodiscard]] bool close_sandbox() noexcept;

}  // namespace lockstep::cli
