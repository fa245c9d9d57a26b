#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/random_access/agreed_value.hpp>

#include "prefix/named_operator.hpp"

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

/// Which operands an operator needs of those of one address.
enum class kept_operand : std::uint8_t { all, first, last };

/// The operator of a write, and its properties.
template <class Value>
struct write_operator {
  Value (*plus)(Value, Value) = nullptr;
  kept_operand kept = kept_operand::all;
  bool is_addition = false;
};

/// Makes the operator of that index among add, min, max, first and last.
template <class Number>
[[nodiscard]] write_operator<Number> write_operator_at(std::size_t index) {
  constexpr std::array kept{kept_operand::all, kept_operand::all, kept_operand::all,
                            kept_operand::first, kept_operand::last};
  return {operator_at<Number>(index).plus, kept.at(index), index == 0};
}

/// Makes the operator that concatenates.
[[nodiscard]] inline write_operator<operand_sequence> concatenating_operator() {
  return {[](operand_sequence a, operand_sequence b) { return concatenate()(a, b); }};
}

/// Makes the operator on which all operands have to agree.
template <class Number>
[[nodiscard]] write_operator<agreed_value<Number>> agreeing_operator() {
  return {[](agreed_value<Number> a, agreed_value<Number> b) { return agreement()(a, b); }};
}

/// Requires that a processor's cells could be written. Errors: invalid_argument for an address on
/// whose value elements do not agree.
template <class Value>
void require_written(std::size_t first_address, std::vector<extended<Value>> const& cells) {
  if constexpr (requires(Value const& value) { value.differs; })
    require_agreement(first_address, std::span(cells));
}

/// The numbers that stand in an array.
template <class Number, class Value>
[[nodiscard]] std::vector<Number> numbers_of(std::vector<Value> const& array) {
  if constexpr (std::same_as<Number, Value>) {
    return array;
  } else {
    std::vector<Number> numbers;
    numbers.reserve(array.size());
    for (auto const& each : array) numbers.push_back(each.value);
    return numbers;
  }
}

}  // namespace lockstep
