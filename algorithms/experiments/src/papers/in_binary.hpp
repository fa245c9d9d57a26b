#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace lockstep {

/// A number as in the paper: "64K", "2M" for 2 * 2^20.
[[nodiscard]] inline std::string in_binary(std::int64_t number) {
  constexpr std::int64_t kilo = 1 << 10;
  if (number % (kilo * kilo) == 0) return fmt::format("{}M", number / (kilo * kilo));
  return number % kilo == 0 ? fmt::format("{}K", number / kilo) : fmt::format("{}", number);
}

}  // namespace lockstep
