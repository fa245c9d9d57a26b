#pragma once

#include <string>
#include <string_view>

namespace lockstep {

/// A piece of a file that fits into one line of a message, within these marks.
[[nodiscard]] inline std::string in_quotes(std::string_view text, std::string_view mark = "\"") {
  constexpr std::size_t most = 24;
  std::string shown(text.substr(0, most));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return std::string(mark) + shown + (text.size() > most ? "..." : "") + std::string(mark);
}

}  // namespace lockstep
