#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>

#include "harness/arguments.hpp"

namespace lockstep {

/// An operator on numbers that has a name on the command line. On whole numbers "add" is modulo
/// 2^64: a sum that fits is right, whatever its parts add up to on the way.
template <class Number>
struct named_operator {
  std::string name;
  extended<Number> identity;  ///< if it has one
  Number (*plus)(Number, Number);
  bool is_addition = false;

  [[nodiscard]] Number operator()(Number a, Number b) const { return plus(a, b); }
};

inline constexpr choice_parameter kind_of_prefix{
    "kind",
    "inclusive, exclusive, backward or backward-exclusive; where the exclusive ones begin there is "
    "the operator's identity (0; of min and max the largest and the smallest number; first and "
    "last "
    "have none)",
    std::array{named_choice{"inclusive", prefix_kind::inclusive},
               named_choice{"exclusive", prefix_kind::exclusive},
               named_choice{"backward", prefix_kind::backward},
               named_choice{"backward-exclusive", prefix_kind::backward_exclusive}}};

/// An index of `operators`.
inline constexpr choice_parameter prefix_operator{
    "operator", "add, min, max, first or last",
    std::array{named_choice{"add", std::size_t{0}}, named_choice{"min", std::size_t{1}},
               named_choice{"max", std::size_t{2}}, named_choice{"first", std::size_t{3}},
               named_choice{"last", std::size_t{4}}}};

/// The column of an input file whose prefixes are asked for.
inline constexpr text_parameter input_column{
    "column", "column of numbers in the input file; needed if it has several"};

/// Finds the operator that is asked for. `Number`: std::int64_t or double.
template <class Number>
[[nodiscard]] named_operator<Number> operator_from(arguments const& given);

}  // namespace lockstep
