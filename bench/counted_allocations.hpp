#pragma once

#include <cstdint>

/// Counts calls of operator new since the program began: of a program that is linked with
/// counted_allocations.cpp, which replaces it. That is the only way to see them all, and then there is no
/// other place to count in.
[[nodiscard]] std::uint64_t allocations_so_far();
