#pragma once

#include <string>
#include <string_view>

namespace lockstep::detail {

/// The text with U+FFFD for each byte that is no part of a UTF-8 character.
[[nodiscard]] std::string as_utf8(std::string_view text);

/// The text with blanks for control characters.
[[nodiscard]] std::string one_line(std::string_view text);

/// A JSON string: in quotes, with what has to be escaped.
[[nodiscard]] std::string json_quoted(std::string_view text);

/// A label for Graphviz that shows the text as it is, with blanks for control characters: in
/// quotes, with what has to be escaped.
[[nodiscard]] std::string dot_quoted(std::string_view text);

}  // namespace lockstep::detail
