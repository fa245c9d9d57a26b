#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep {

/// A block of an exchange, named by the processors that it comes from and goes to.
struct block_label {
  int source = -1;  ///< a rank of the machine; -1 for an empty place
  int destination = -1;

  friend bool operator==(block_label const&, block_label const&) = default;
};

/// The ranks `first` to `last`, whose values were combined into one.
struct rank_interval {
  int first = 0;
  int last = 0;

  friend bool operator==(rank_interval const&, rank_interval const&) = default;
};

/// A matrix to show, row by row. It refers to the numbers, which stay where they are.
template <class Number>
class matrix_view {
 public:
  template <std::integral Columns, std::ranges::contiguous_range Numbers>
  constexpr matrix_view(Columns columns, Numbers const& numbers)
      : m_columns(static_cast<std::size_t>(columns)), m_numbers(numbers) {}

  [[nodiscard]] constexpr std::size_t columns() const { return m_columns; }
  [[nodiscard]] constexpr std::span<Number const> numbers() const { return m_numbers; }

 private:
  std::size_t m_columns;
  std::span<Number const> m_numbers;
};
template <std::integral Columns, std::ranges::contiguous_range Numbers>
matrix_view(Columns, Numbers const&) -> matrix_view<std::ranges::range_value_t<Numbers>>;

/// A number that was shown.
using shown_number = std::variant<std::int64_t, std::uint64_t, double>;
/// Numbers that were shown, all of one type.
using shown_numbers =
    std::variant<std::vector<std::int64_t>, std::vector<std::uint64_t>, std::vector<double>>;

/// A matrix that was shown.
struct shown_matrix {
  std::size_t columns = 0;
  shown_numbers numbers{};

  friend bool operator==(shown_matrix const&, shown_matrix const&) = default;
};

/// What a processor showed of itself.
using shown_value = std::variant<shown_number, shown_numbers, std::string, std::vector<block_label>,
                                 std::vector<rank_interval>, shown_matrix>;

/// What one call of `processor::show` said, as an observer sees it.
struct shown_record {
  int rank = 0;            ///< on the machine
  std::uint64_t step = 0;  ///< after which the processor holds it; 0: before the first
  std::string name{};
  shown_value value{};
  std::source_location where{};
};

namespace detail {

template <class T>
inline constexpr bool is_matrix_view = false;
template <class Number>
inline constexpr bool is_matrix_view<matrix_view<Number>> = std::is_arithmetic_v<Number>;

template <class Value>
concept shown_text = std::convertible_to<Value, std::string_view>;
template <class Element>
concept shown_element = std::is_arithmetic_v<Element> || std::same_as<Element, block_label> ||
                        std::same_as<Element, rank_interval>;
template <class Value>
concept shown_range = !shown_text<Value> && std::ranges::input_range<Value> &&
                      shown_element<std::ranges::range_value_t<Value>>;

/// The type in which numbers of type T are kept.
template <class T>
using kept_number =
    std::conditional_t<std::is_floating_point_v<T>, double,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <class Range>
[[nodiscard]] auto kept_range(Range&& values) {
  using element = std::ranges::range_value_t<Range>;
  if constexpr (std::is_arithmetic_v<element>) {
    std::vector<kept_number<element>> kept;
    std::ranges::transform(values, std::back_inserter(kept),
                           [](element value) { return static_cast<kept_number<element>>(value); });
    return shown_numbers(std::move(kept));
  } else {
    std::vector<element> kept;
    std::ranges::copy(values, std::back_inserter(kept));
    return kept;
  }
}

/// Copies a value into what is kept of it.
template <class Value>
[[nodiscard]] shown_value kept_value(Value&& value) {
  using plain = std::remove_cvref_t<Value>;
  if constexpr (std::is_arithmetic_v<plain>)
    return shown_number(static_cast<kept_number<plain>>(value));
  else if constexpr (shown_text<Value>)
    return std::string(std::string_view(value));
  else if constexpr (shown_element<plain>)
    return std::vector<plain>{value};
  else if constexpr (is_matrix_view<plain>)
    return shown_matrix{value.columns(), kept_range(value.numbers())};
  else
    return kept_range(std::forward<Value>(value));
}

}  // namespace detail

/// The types that `processor::show` takes: a number, a block_label, a rank_interval, or a range of
/// one of these; a text; a matrix_view.
template <class Value>
concept showable = detail::shown_element<std::remove_cvref_t<Value>> || detail::shown_text<Value> ||
                   detail::is_matrix_view<std::remove_cvref_t<Value>> || detail::shown_range<Value>;

}  // namespace lockstep
