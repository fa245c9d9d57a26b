#pragma once

#include <cstdint>

namespace lockstep {

/// Bytes that this process may still take: the memory that the system has available, or what is left
/// of its control group's limit or of its address space where that is less. Whoever is about to take
/// much asks first: the system ends a process that takes more.
[[nodiscard]] std::uint64_t available_memory();

/// Bytes that this process may still map, touched or not: what is left of its limit on address space
/// (RLIMIT_AS, `ulimit -v`); 2^64 - 1 where there is no limit.
[[nodiscard]] std::uint64_t available_address_space();

}  // namespace lockstep
