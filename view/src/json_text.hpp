#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <lockstep/detail/quoted.hpp>

namespace lockstep::detail {

/// Writes JSON objects and arrays: what follows a member or an element gets its comma.
class json_text {
 public:
  /// Whole numbers up to this one are numbers in JavaScript, too; larger ones are written as texts.
  static constexpr std::uint64_t most_exact = std::uint64_t{1} << 53U;

  /// Begins a member of the object that is open.
  json_text& member(std::string_view name) {
    separate();
    m_text += json_quoted(name);
    m_text += ':';
    m_first = true;
    return *this;
  }
  json_text& raw(std::string_view json) {
    separate();
    m_text += json;
    return *this;
  }
  json_text& text(std::string_view text) { return raw(json_quoted(text)); }
  template <std::integral Number>
  json_text& number(Number value) {
    separate();
    bool const exact = value >= 0 ? static_cast<std::uint64_t>(value) <= most_exact
                                  : static_cast<std::uint64_t>(-(value + 1)) < most_exact;
    if (exact)
      fmt::format_to(std::back_inserter(m_text), "{}", value);
    else
      fmt::format_to(std::back_inserter(m_text), "\"{}\"", value);
    return *this;
  }
  /// Writes a number, and null for one that JSON does not have.
  json_text& number(double value) {
    separate();
    if (std::isfinite(value))
      fmt::format_to(std::back_inserter(m_text), "{}", value);
    else
      m_text += "null";
    return *this;
  }
  json_text& truth(bool value) { return raw(value ? "true" : "false"); }
  json_text& open(char bracket) {
    separate();
    m_text += bracket;
    m_first = true;
    return *this;
  }
  json_text& close(char bracket) {
    m_text += bracket;
    m_first = false;
    return *this;
  }
  /// Writes an array of numbers.
  template <std::ranges::input_range Numbers>
  json_text& numbers(Numbers&& values) {
    open('[');
    for (auto const& value : values) number(value);
    return close(']');
  }
  /// Writes a member that is an array with a number for each element.
  template <std::ranges::input_range Elements, class Number>
  json_text& column(std::string_view name, Elements&& elements, Number&& number_of) {
    member(name).open('[');
    for (auto const& one : elements) number(std::invoke(number_of, one));
    return close(']');
  }
  /// The same with the differences from one to the next.
  template <std::ranges::input_range Elements, class Number>
  json_text& differences(std::string_view name, Elements&& elements, Number&& number_of) {
    std::int64_t last = 0;
    return column(name, elements, [&](auto const& one) {
      auto const now = static_cast<std::int64_t>(std::invoke(number_of, one));
      return now - std::exchange(last, now);
    });
  }
  [[nodiscard]] std::size_t size() const { return m_text.size(); }
  /// Removes what stands from `begin` to `end`: whole members, and not the first of their object.
  void erase(std::size_t begin, std::size_t end) { m_text.erase(begin, end - begin); }
  [[nodiscard]] std::string take() && { return std::move(m_text); }

 private:
  void separate() {
    if (!m_first) m_text += ',';
    m_first = false;
  }

  std::string m_text;
  bool m_first = true;
};

}  // namespace lockstep::detail
