#pragma once

#include <string>

namespace lockstep::detail {

/// Writes the words of two passes of vector halving over a vector of that length, such as "kp".
[[nodiscard]] inline std::string words_of_halving(std::string const& length) {
  return "2 sum of ceil(" + length + "/2^i), i = 1 .. d";
}

/// Writes those of a fold; `twice`: two of that length, which it takes more unless p is a power of two.
[[nodiscard]] inline std::string words_of_fold(std::string const& length, std::string const& twice,
                                               bool is_power) {
  auto const halving = words_of_halving(length);
  return is_power ? halving : twice + " + " + halving + " - 1";
}

}  // namespace lockstep::detail
