#pragma once

#include <cstddef>

namespace lockstep::detail {

[[nodiscard]] inline std::size_t as_size(int number) { return static_cast<std::size_t>(number); }

}  // namespace lockstep::detail
