#pragma once

#include <cstdint>

namespace lockstep::detail {

/// Says that a count passes 64 bits. Errors: invalid_argument, always.
[[noreturn]] void throw_count_overflow();

/// Multiplies. Errors: invalid_argument for a product beyond 64 bits.
[[nodiscard]] constexpr std::uint64_t checked_product(std::uint64_t one, std::uint64_t other) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(one, other, &product)) [[unlikely]]
    throw_count_overflow();
  return product;
}

/// Adds. Errors: invalid_argument for a sum beyond 64 bits.
[[nodiscard]] constexpr std::uint64_t checked_sum(std::uint64_t one, std::uint64_t other) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(one, other, &sum)) [[unlikely]]
    throw_count_overflow();
  return sum;
}

/// Divides, and rounds up. Precondition: divisor > 0.
[[nodiscard]] constexpr std::uint64_t quotient_up(std::uint64_t number, std::uint64_t divisor) {
  return number / divisor + (number % divisor == 0 ? 0 : 1);
}

/// Rounds words up to whole packets of that many. Precondition: packet > 0.
[[nodiscard]] constexpr std::uint64_t in_whole_packets(std::uint64_t words, std::uint64_t packet) {
  return checked_product(quotient_up(words, packet), packet);
}

}  // namespace lockstep::detail
