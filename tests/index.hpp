#pragma once

#include <cstddef>

inline std::size_t index(int i) { return static_cast<std::size_t>(i); }
