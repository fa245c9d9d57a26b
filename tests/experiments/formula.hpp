#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reference {

/// What the letters of a formula stand for.
struct formula_symbols {
  std::map<std::string, double, std::less<>> numbers{};
  /// One for each dimension: what "sum" adds up.
  std::map<std::string, std::vector<double>, std::less<>> lists{};
};

/// What the formula of a claim comes to: "RC(C + 4)m/4", "sum of ceil(k/2^i), i = 1 .. d",
/// "h1/p, with h1 = 7". Nothing where it is words, or has letters that are not known.
[[nodiscard]] std::optional<double> value_of(std::string_view formula,
                                             formula_symbols const& known);

}  // namespace reference
