#pragma once

#include <string_view>

namespace lockstep {

/// Cuts blanks off both ends of a text.
[[nodiscard]] constexpr std::string_view without_blanks(std::string_view text,
                                                        std::string_view blanks = " \t") {
  auto const first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace lockstep
