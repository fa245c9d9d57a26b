#pragma once

#include <string>
#include <string_view>

namespace lockstep::detail {

/// Replaces each byte that does not belong to a UTF-8 character by U+FFFD.
[[nodiscard]] std::string as_utf8(std::string_view text);

/// Replaces control characters by blanks.
[[nodiscard]] std::string one_line(std::string_view text);

/// Writes a JSON string: in quotes, with its special characters escaped.
[[nodiscard]] std::string json_quoted(std::string_view text);

/// Writes a label for Graphviz that shows the text as it is, with blanks for control characters: in
/// quotes, with its special characters escaped.
[[nodiscard]] std::string dot_quoted(std::string_view text);

}  // namespace lockstep::detail
