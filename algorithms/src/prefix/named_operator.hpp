#pragma once

#include <cstdint>
#include <string>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/prefix/prefix.hpp>
#include <lockstep/algorithms/registry.hpp>

namespace lockstep {

/// An operator on whole numbers that has a name on the command line.
struct named_operator {
  std::string name;
  extended<std::int64_t> identity;  ///< if it has one
  std::int64_t (*plus)(std::int64_t, std::int64_t);

  [[nodiscard]] std::int64_t operator()(std::int64_t a, std::int64_t b) const { return plus(a, b); }
};

/// "add", "min", "max", "first" or "last", as the parameter "operator" says.
/// Errors: invalid_argument for another name.
[[nodiscard]] named_operator operator_asked_for(request const& asked);

/// As the parameter "kind" says.
/// Errors: invalid_argument for another name.
[[nodiscard]] prefix_kind kind_asked_for(request const& asked);

}  // namespace lockstep
