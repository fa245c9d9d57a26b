#include <lockstep/detail/quoted.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>

namespace lockstep::detail {

namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
}

/// Measures the UTF-8 character at the beginning of the text: 0 where it is not a valid one, such as
/// an overlong form, a surrogate or one above U+10FFFF.
std::size_t character_length(std::string_view text) {
  auto const first = byte_at(text, 0);
  if (first < 0x80U) return 1;
  std::size_t const length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U) return 0;
  for (std::size_t at = 1; at < length; ++at)
    if ((byte_at(text, at) & 0xC0U) != 0x80U) return 0;
  auto const second = byte_at(text, 1);
  bool const out_of_range =
      (first == 0xE0U && second < 0xA0U) || (first == 0xEDU && second > 0x9FU) ||
      (first == 0xF0U && second < 0x90U) || (first == 0xF4U && second > 0x8FU);
  return out_of_range ? 0 : length;
}

bool is_control(char byte) { return static_cast<unsigned char>(byte) < 0x20U || byte == 0x7F; }

}  // namespace

std::string as_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    auto const length = character_length(text);
    valid += length == 0 ? "\uFFFD" : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return valid;
}

std::string one_line(std::string_view text) {
  auto line = as_utf8(text);
  std::replace_if(line.begin(), line.end(), is_control, ' ');
  return line;
}

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (char const byte : as_utf8(text)) {
    if (is_control(byte)) {
      fmt::format_to(std::back_inserter(quoted), "\\u{:04x}", static_cast<unsigned>(byte));
      continue;
    }
    if (byte == '"' || byte == '\\') quoted += '\\';
    quoted += byte;
  }
  return quoted + '"';
}

std::string dot_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (char const byte : one_line(text)) {
    if (byte == '"' || byte == '\\') quoted += '\\';
    quoted += byte;
    if (byte == '&') quoted += "amp;";  // Graphviz reads entities
  }
  return quoted + '"';
}

}  // namespace lockstep::detail
