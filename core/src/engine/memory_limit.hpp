#pragma once

#include <cstdint>

namespace lockstep::detail {

/// Bytes that this process may still take: available memory, or what is left of its control group's
/// limit.
[[nodiscard]] std::uint64_t available_memory();

}  // namespace lockstep::detail
