#pragma once

#include <string_view>

namespace lockstep {

/// The text but for the mark of UTF-8 that some programs put before its first line.
[[nodiscard]] inline std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view utf_8 = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(utf_8) ? utf_8.size() : 0);
}

}  // namespace lockstep
