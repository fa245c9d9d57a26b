#pragma once

#include <algorithm>
#include <cctype>
#include <concepts>
#include <cstddef>
#include <limits>
#include <ostream>
#include <ranges>
#include <sstream>
#include <string>
#include <type_traits>

namespace lockstep::detail {

template <class Value>
concept streamable = !std::is_pointer_v<Value> && requires(std::ostream& out, Value const& value) {
  { out << value } -> std::convertible_to<std::ostream&>;
};

template <class Value>
[[nodiscard]] constexpr bool is_writable() {
  if constexpr (streamable<Value>)
    return true;
  else if constexpr (std::ranges::input_range<Value const>)
    return is_writable<std::ranges::range_value_t<Value const>>();
  else
    return false;
}

/// A value that can be written as text: one that `<<` writes, or a range of such, or of such ranges.
template <class Value>
concept writable = is_writable<Value>();

/// Writes a value on one line, the elements of a range with a blank between them.
template <writable Value>
void write_value(std::ostream& out, Value const& value) {
  if constexpr (std::floating_point<Value>) {
    auto const digits = out.precision(std::numeric_limits<Value>::max_digits10);
    out << value;
    out.precision(digits);
  } else if constexpr (std::same_as<Value, signed char> || std::same_as<Value, unsigned char>) {
    out << static_cast<int>(value);
  } else if constexpr (streamable<Value>) {
    out << value;
  } else {
    char const* gap = "";
    for (std::ranges::range_value_t<Value const> const& element : value) {
      out << gap;
      write_value(out, element);
      gap = " ";
    }
  }
}

/// Makes the text that `write_value` writes for a line of a report: without line ends, and cut off after
/// 60 characters.
template <writable Value>
[[nodiscard]] std::string value_text(Value const& value) {
  constexpr std::size_t longest = 60;
  std::ostringstream out;
  write_value(out, value);
  auto text = out.str();
  if (text.size() > longest) text.replace(longest, std::string::npos, "...");
  std::ranges::replace_if(
      text, [](unsigned char one) { return std::iscntrl(one) != 0; }, ' ');
  return text.empty() ? "nothing" : text;
}

}  // namespace lockstep::detail
