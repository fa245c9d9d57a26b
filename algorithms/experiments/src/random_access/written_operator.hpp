#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <lockstep/algorithms/random_access/agreed_value.hpp>

#include "prefix/named_operator.hpp"

namespace lockstep {

/// Two words that only an operator can read, and that count as one: a value with its mark, or a sequence.
struct two_words {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  friend bool operator==(two_words const&, two_words const&) = default;
};

/// Makes the sequence of one operand: a hash that tells the operands' order and number, and the base of one
/// operand to the power of their number. A word, as the paper counts any element.
[[nodiscard]] inline two_words sequence_of(std::uint64_t operand) {
  return {operand + 1, 0x9E3779B97F4A7C15U};
}

/// Concatenates sequences, modulo 2^64: associative, and not commutative.
[[nodiscard]] inline two_words concatenation_of(two_words a, two_words b) {
  return {a.first * b.second + b.first, a.second * b.second};
}

/// Packs a value on which operands agree, or the mark that they do not.
template <class Number>
[[nodiscard]] two_words packed(agreed_value<Number> const& value) {
  return {std::bit_cast<std::uint64_t>(value.value), value.differs ? 1U : 0U};
}
template <class Number>
[[nodiscard]] agreed_value<Number> unpacked(two_words const& words) {
  agreed_value<Number> value(std::bit_cast<Number>(words.first));
  value.differs = words.second != 0;
  return value;
}
template <class Number>
[[nodiscard]] two_words agreement_of(two_words a, two_words b) {
  return packed(agreement()(unpacked<Number>(a), unpacked<Number>(b)));
}

/// Which operands an operator needs of those of one address.
enum class kept_operand : std::uint8_t { all, first, last };

/// The operators of writes, by the indices of `operator_at` and those behind them.
inline constexpr std::size_t concatenation = 5;
inline constexpr std::size_t same_value = 6;

/// The operator of a write, and its properties.
template <class Value>
struct write_operator {
  Value (*plus)(Value, Value) = nullptr;
  kept_operand kept = kept_operand::all;
  bool is_addition = false;
  bool requires_agreement = false;  ///< that all operands of an address are the same
};

/// Makes the operator of that index among add, min, max, first, last, and `same_value`.
template <class Number>
[[nodiscard]] write_operator<Number> write_operator_at(std::size_t index) {
  using enum kept_operand;
  constexpr std::array kept{all, all, all, first, last};
  constexpr std::size_t first_operand = 3;
  if (index == same_value)
    return {.plus = operator_at<Number>(first_operand).plus, .requires_agreement = true};
  return {operator_at<Number>(index).plus, kept.at(index), index == 0};
}

}  // namespace lockstep
