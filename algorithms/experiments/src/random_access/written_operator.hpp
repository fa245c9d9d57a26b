#pragma once

#include <cstddef>
#include <cstdint>

#include <lockstep/payload.hpp>

namespace lockstep {

/// The sequence of operands that something was combined from, as a hash that tells their order and
/// number. A word, as the paper counts any element.
struct operand_sequence {
  std::uint64_t hash = 0;
  std::uint64_t base = 1;  ///< of one operand, to the power of their number

  friend bool operator==(operand_sequence const&, operand_sequence const&) = default;
};

/// Makes the sequence of one operand.
[[nodiscard]] inline operand_sequence sequence_of(std::uint64_t operand) {
  return {operand + 1, 0x9E3779B97F4A7C15U};
}

/// Concatenates sequences, modulo 2^64: associative, and not commutative.
struct concatenate {
  [[nodiscard]] operand_sequence operator()(operand_sequence const& a,
                                            operand_sequence const& b) const {
    return {a.hash * b.base + b.hash, a.base * b.base};
  }
};

}  // namespace lockstep
