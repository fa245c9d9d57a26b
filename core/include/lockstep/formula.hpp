#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// The values of the letters of a formula.
struct formula_letters {
  std::map<std::string, double, std::less<>> numbers{};
  /// One number for each dimension, as many in each list: what "sum" adds up.
  std::map<std::string, std::vector<double>, std::less<>> lists{};
};

/// Evaluates a formula as papers print it: "RC(C + 4)m/4", "p/2 log2 p m", "n/ln n",
/// "sum of ceil(k/2^i), i = 1 .. d", "sum N_i m/4", "h1/p, with h1 = 7". Factors stand next to each
/// other, and a quotient has one factor below. Relative roundings of up to 10^-12 are undone.
/// **Result** Nothing where the formula is in words, has letters that are not known, is nested more than
/// 200 times, or adds up more than a million terms.
[[nodiscard]] std::optional<double> value_of(std::string_view formula,
                                             formula_letters const& known);

}  // namespace lockstep
