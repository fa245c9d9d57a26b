#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <limits>
#include <ranges>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

template <class T>
inline constexpr bool is_complex = false;
template <class Real>
inline constexpr bool is_complex<std::complex<Real>> = true;

template <class T>
concept optional_value = requires(T const& maybe) {
  { maybe.has_value() } -> std::same_as<bool>;
  *maybe;
};

/// The type of elements that have no number to show.
struct no_number {};

/// Finds the member that stands for a struct: its key, else its value, or what a struct of the
/// algorithms carries.
template <class T>
[[nodiscard]] constexpr auto carried_by(T const& whole) {
  if constexpr (requires { whole.key; })
    return whole.key;
  else if constexpr (requires { whole.value; })
    return whole.value;
  else if constexpr (requires { whole.element; })
    return whole.element;
  else if constexpr (requires { whole.content; })
    return whole.content;
  else if constexpr (optional_value<T>)
    return *whole;
  else
    return no_number{};
}

/// A value that gives its number itself, in a type that is known only then.
template <class T>
concept tells_number = requires(T const& element) {
  { element.as_number() } -> std::same_as<shown_number>;
};

/// Finds the number by which an element is shown: itself, the magnitude of a complex one, or that
/// of the member that stands for it.
template <class T>
[[nodiscard]] constexpr auto number_of(T const& element) {
  if constexpr (shown_arithmetic<T> || std::same_as<T, no_number>)
    return element;
  else if constexpr (is_complex<T>)
    return std::abs(element);
  else if constexpr (tells_number<T>)
    return element.as_number();
  else
    return number_of(carried_by(element));
}

template <class T>
concept shown_by_number = !std::same_as<decltype(number_of(std::declval<T const&>())), no_number>;

/// Whether an element is one: not padding, nor an empty place.
template <class T>
[[nodiscard]] constexpr bool is_element(T const& it) {
  if constexpr (requires {
                  { it.is_padding } -> std::convertible_to<bool>;
                }) {
    if (it.is_padding) return false;
  } else if constexpr (requires {
                         { it.is_there() } -> std::convertible_to<bool>;
                       }) {
    if (!it.is_there()) return false;
  } else if constexpr (requires {
                         { it.is_there } -> std::convertible_to<bool>;
                       }) {
    if (!it.is_there) return false;
  } else if constexpr (requires { it.element, it.place; }) {
    if constexpr (std::unsigned_integral<std::remove_cvref_t<decltype(it.place)>>)
      if (it.place == std::numeric_limits<std::remove_cvref_t<decltype(it.place)>>::max())
        return false;
  } else if constexpr (optional_value<T>) {
    if (!it.has_value()) return false;
  }
  if constexpr (std::is_class_v<T> && !is_complex<T> && !tells_number<T> &&
                !std::same_as<T, no_number>)
    return is_element(carried_by(it));
  return true;
}

/// Lists the ranks of a set as intervals.
[[nodiscard]] std::vector<rank_interval> intervals_of(std::vector<bool> const& is_in);

/// Shows numbers that are all of the first one's type.
void show_alike(processor& me, std::string_view name, std::vector<shown_number> const& numbers,
                std::source_location where);

template <class Values>
[[gnu::cold, gnu::noinline]] void keep_values(processor& me, std::string_view name,
                                              Values const& values, std::source_location where) {
  using element = std::ranges::range_value_t<Values const&>;
  if constexpr (shown_by_number<element>) {
    std::vector<decltype(number_of(std::declval<element const&>()))> numbers;
    for (element const& each : values)
      if (is_element(each)) numbers.push_back(number_of(each));
    if constexpr (std::same_as<decltype(numbers), std::vector<shown_number>>)
      show_alike(me, name, numbers, where);
    else
      me.show(name, numbers, where);
  } else {
    me.show(name, std::to_string(std::ranges::distance(values)) + " elements", where);
  }
}

/// Shows elements of any type as numbers (`number_of`), those that are not there left out, or, where
/// they have no numbers, how many they are.
/// Cost: no step; without an observer that wants calls a load and a branch.
template <std::ranges::forward_range Values>
[[gnu::always_inline]] inline void show_values(
    processor& me, std::string_view name, Values const& values,
    std::source_location where = std::source_location::current()) {
  if (me.is_shown()) [[unlikely]] {
    // As a span, so that compilers know that nobody else has the container's address.
    if constexpr (std::ranges::contiguous_range<Values const&>)
      keep_values(me, name, std::span(values), where);
    else
      keep_values(me, name, values, where);
  }
}

/// Shows one element in the same way.
template <class T>
[[gnu::always_inline]] inline void show_value(
    processor& me, std::string_view name, T const& value,
    std::source_location where = std::source_location::current()) {
  if (me.is_shown()) [[unlikely]]
    keep_values(me, name, std::views::single(value), where);
}

}  // namespace lockstep::detail
