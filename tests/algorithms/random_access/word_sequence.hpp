#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

/// What tells in which order operands were combined, and how many: a hash of their sequence, which
/// concatenation makes of two such hashes.
struct word_sequence {
  std::uint64_t hash = 0;
  std::uint64_t base = 1;  ///< of one operand, raised to their number

  friend bool operator==(word_sequence const&, word_sequence const&) = default;
};

/// Makes the sequence of one operand.
[[maybe_unused]] word_sequence sequence_of(std::uint64_t operand) {
  return {operand + 1, 0x9E3779B97F4A7C15U};
}

/// Concatenates sequences: associative, and not commutative.
struct concatenation {
  [[nodiscard]] word_sequence operator()(word_sequence const& a, word_sequence const& b) const {
    return {a.hash * b.base + b.hash, a.base * b.base};
  }
};

}  // namespace
