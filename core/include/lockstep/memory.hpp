#pragma once

#include <cstdint>

namespace lockstep {

/// Finds how many bytes this process may still take: the system's available memory, or the rest
/// of its control group's limit or of its address space if that is less. Ask before you take much,
/// for the system ends a process that takes more.
[[nodiscard]] std::uint64_t available_memory();

/// Finds how many bytes this process may still map, touched or not: the rest of its limit on
/// address space (RLIMIT_AS, `ulimit -v`), 2^64 - 1 without a limit.
[[nodiscard]] std::uint64_t available_address_space();

}  // namespace lockstep
