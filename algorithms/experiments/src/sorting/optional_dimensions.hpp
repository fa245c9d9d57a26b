#pragma once

#include <charconv>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <lockstep/errors.hpp>
#include <lockstep/experiments/parameter.hpp>

#include "harness/arguments.hpp"

namespace lockstep {

/// Reads a number of dimensions, or nothing where it is left out or "auto".
/// Errors: invalid_argument for a text that is neither.
[[nodiscard]] inline std::optional<int> optional_dimensions(arguments const& given,
                                                            text_parameter const& of) {
  auto const text = given[of];
  if (text.empty() || text == "auto") return std::nullopt;
  int number = 0;
  auto const* const end = text.data() + text.size();
  auto const read = std::from_chars(text.data(), end, number);
  if (read.ec == std::errc{} && read.ptr == end && number >= 0 && number < 31) return number;
  throw invalid_argument(
      fmt::format("{}: '{}' is not auto or a number of dimensions, 0 to 30", of.name, text));
}

}  // namespace lockstep
