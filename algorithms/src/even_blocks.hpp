#pragma once

#include <cstdint>

#include <lockstep/claim.hpp>

namespace lockstep::detail {

/// Makes the hypothesis that each of p >= 1 processors has as many of n elements.
[[nodiscard]] inline hypothesis even_blocks(std::uint64_t elements, int processors) {
  return {"n/p elements of each processor", elements % static_cast<std::uint64_t>(processors) == 0};
}

}  // namespace lockstep::detail
