#pragma once

#include <cstdint>
#include <string>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/experiments/registry.hpp>

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

/// "add", "min", "max", "first" or "last", as the parameter "operator" says. `Number`: std::int64_t
/// or double.
/// Errors: invalid_argument for another name.
template <class Number>
[[nodiscard]] named_operator<Number> operator_from(experiment_request const& asked);

/// As the parameter "kind" says.
/// Errors: invalid_argument for another name.
[[nodiscard]] prefix_kind kind_from(experiment_request const& asked);

}  // namespace lockstep
