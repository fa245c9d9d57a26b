#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/errors.hpp>

#include "harness/arguments.hpp"

namespace lockstep {

/// An operator on numbers that has a name on the command line.
template <class Number>
struct named_operator {
  std::string name;
  extended<Number> identity;  ///< if it has one
  Number (*plus)(Number, Number);
  bool is_addition = false;

  /// Makes the operator on numbers and an identity: its own, or one by which its domain is extended.
  [[nodiscard]] auto as_monoid() const {
    using wider = extended_operator<Number, Number (*)(Number, Number)>;
    return monoid<extended<Number>, wider>{identity, wider{plus}};
  }
};

inline constexpr choice_parameter kind_of_prefix{
    "kind",
    "inclusive, exclusive, backward or backward-exclusive; where the exclusive ones begin there is "
    "the operator's identity (0; of min and max the largest and the smallest number; first and "
    "last have none)",
    std::array{named_choice{"inclusive", prefix_kind::inclusive},
               named_choice{"exclusive", prefix_kind::exclusive},
               named_choice{"backward", prefix_kind::backward},
               named_choice{"backward-exclusive", prefix_kind::backward_exclusive}}};

/// An index of what `operator_from` chooses among.
inline constexpr choice_parameter prefix_operator{
    "operator", "add, min, max, first or last",
    std::array{named_choice{"add", std::size_t{0}}, named_choice{"min", std::size_t{1}},
               named_choice{"max", std::size_t{2}}, named_choice{"first", std::size_t{3}},
               named_choice{"last", std::size_t{4}}}};

/// Adds two numbers, whole ones modulo 2^64: a sum that fits is right, whatever its parts add up to
/// on the way.
template <class Number>
[[nodiscard]] Number sum_of(Number a, Number b) {
  if constexpr (std::integral<Number>)
    return static_cast<Number>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else
    return a + b;
}

/// Finds the operator of that index among add, min, max, first and last. `Number`: std::int64_t or
/// double.
template <class Number>
[[nodiscard]] named_operator<Number> operator_at(std::size_t index) {
  using limits = std::numeric_limits<Number>;
  constexpr auto largest = limits::has_infinity ? limits::infinity() : limits::max();
  constexpr auto least = limits::has_infinity ? -limits::infinity() : limits::min();
  std::array<named_operator<Number>, 5> const operators{{
      {"add", Number{0}, sum_of<Number>, true},
      {"min", largest, [](Number a, Number b) { return std::min(a, b); }},
      {"max", least, [](Number a, Number b) { return std::max(a, b); }},
      {"first", {}, [](Number a, Number /*b*/) { return a; }},
      {"last", {}, [](Number /*a*/, Number b) { return b; }},
  }};
  return operators.at(index);
}

/// Finds the operator that is asked for.
template <class Number>
[[nodiscard]] named_operator<Number> operator_from(arguments const& given) {
  return operator_at<Number>(given[prefix_operator]);
}

/// Requires that the operator has an identity, where prefixes of that kind begin with one.
/// Errors: invalid_argument.
template <class Number>
void require_identity(std::string_view name, named_operator<Number> const& plus, prefix_kind kind) {
  if (is_inclusive(kind) || plus.identity.is_there) return;
  throw invalid_argument(fmt::format(
      "{}: {} has no identity, which an exclusive prefix begins with; take --kind inclusive "
      "or backward, or --operator add, min or max",
      name, plus.name));
}

}  // namespace lockstep
