#pragma once

#include <compare>
#include <concepts>
#include <ostream>

#include <lockstep/operation_counts.hpp>

namespace lockstep {

/// A number that counts its operations inside `processor::work_of` and `processor::operations_of`:
/// comparisons; additions and subtractions; multiplications and divisions. Elsewhere it is as fast as
/// the number. It can be sent as it is, one word. Sign changes, conversions and copies count nothing.
/// Example: `me.work_of([&] { std::ranges::sort(keys); });` with a vector of `counted<long>`.
template <class Number>
  requires std::integral<Number> || std::floating_point<Number>
class counted {
 public:
  counted() = default;
  constexpr counted(Number value) : m_value(value) {}  // NOLINT(google-explicit-constructor)
  /// Refuses a number with a fraction where integers are counted: say how it is to be rounded.
  template <std::floating_point Fraction>
    requires std::integral<Number>
  counted(Fraction value) = delete;  // NOLINT(google-explicit-constructor)

  [[nodiscard]] constexpr Number value() const { return m_value; }
  [[nodiscard]] explicit constexpr operator Number() const { return m_value; }

  counted& operator+=(counted other) { return set(m_value + other.m_value, &kinds::additions); }
  counted& operator-=(counted other) { return set(m_value - other.m_value, &kinds::additions); }
  counted& operator*=(counted other) {
    return set(m_value * other.m_value, &kinds::multiplications);
  }
  counted& operator/=(counted other) {
    return set(m_value / other.m_value, &kinds::multiplications);
  }
  counted& operator%=(counted other)
    requires std::integral<Number>
  {
    return set(m_value % other.m_value, &kinds::multiplications);
  }
  counted& operator++() { return *this += counted(Number{1}); }
  counted& operator--() { return *this -= counted(Number{1}); }

  [[nodiscard]] friend counted operator+(counted left, counted right) { return left += right; }
  [[nodiscard]] friend counted operator-(counted left, counted right) { return left -= right; }
  [[nodiscard]] friend counted operator*(counted left, counted right) { return left *= right; }
  [[nodiscard]] friend counted operator/(counted left, counted right) { return left /= right; }
  [[nodiscard]] friend counted operator%(counted left, counted right)
    requires std::integral<Number>
  {
    return left %= right;
  }
  [[nodiscard]] friend constexpr counted operator-(counted of) {
    return counted(static_cast<Number>(-of.m_value));
  }

  [[nodiscard]] friend bool operator==(counted left, counted right) {
    count(&kinds::comparisons);
    return left.m_value == right.m_value;
  }
  [[nodiscard]] friend auto operator<=>(counted left, counted right) {
    count(&kinds::comparisons);
    return left.m_value <=> right.m_value;
  }

  friend std::ostream& operator<<(std::ostream& out, counted of) { return out << of.m_value; }

 private:
  using kinds = operation_counts;

  static void count(std::uint64_t kinds::*kind) {
    if (detail::counting_here != nullptr) ++(detail::counting_here->*kind);
  }
  template <class Result>
  counted& set(Result result, std::uint64_t kinds::*kind) {
    count(kind);
    m_value = static_cast<Number>(result);
    return *this;
  }

  Number m_value;
};

}  // namespace lockstep
