#pragma once

#include <cstdint>

namespace lockstep {

/// Bytes that this process may still take: the memory that the system has available, or what is left
/// of its control group's limit where that is less. Whoever is about to take much asks first: the
/// system ends a process that takes more.
[[nodiscard]] std::uint64_t available_memory();

}  // namespace lockstep
