#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
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

#include <lockstep/detail/debug_containers.hpp>

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

/// A matrix to show, row by row. It refers to the numbers, which stay where they are. `show` refuses
/// one that is not of whole rows, of a column or more.
template <class Number>
class matrix_view {
 public:
  template <std::integral Columns, std::ranges::contiguous_range Numbers>
  constexpr matrix_view(Columns columns, Numbers const& numbers)
      : m_columns(columns > 0 ? static_cast<std::size_t>(columns) : 0), m_numbers(numbers) {}

  [[nodiscard]] constexpr std::size_t columns() const { return m_columns; }
  [[nodiscard]] constexpr std::span<Number const> numbers() const { return m_numbers; }

 private:
  std::size_t m_columns;
  std::span<Number const> m_numbers;
};
template <std::integral Columns, std::ranges::contiguous_range Numbers>
matrix_view(Columns, Numbers const&) -> matrix_view<std::ranges::range_value_t<Numbers>>;

/// As many elements of a range are kept, and one more of a longer range or matrix, which no page has
/// room for.
inline constexpr std::size_t most_shown_elements = std::size_t{1} << 24U;

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

/// A value that a processor showed of itself.
using shown_value = std::variant<shown_number, shown_numbers, std::string, std::vector<block_label>,
                                 std::vector<rank_interval>, shown_matrix>;

/// One call of `processor::show`, as an observer sees it.
struct shown_record {
  int rank = 0;            ///< on the machine
  std::uint64_t step = 0;  ///< after which the processor holds it; 0: before the first
  std::string name{};
  shown_value value{};
  std::source_location where{};
};

namespace detail {

/// The numbers that have a type to be kept in: of whole numbers those of 64 bits at most.
template <class T>
concept shown_arithmetic =
    std::is_arithmetic_v<T> && (std::is_floating_point_v<T> || sizeof(T) <= sizeof(std::int64_t));

template <class T>
inline constexpr bool is_matrix_view = false;
template <class Number>
inline constexpr bool is_matrix_view<matrix_view<Number>> = shown_arithmetic<Number>;

template <class Value>
concept shown_text = std::convertible_to<Value, std::string_view>;
template <class Element>
concept shown_element = shown_arithmetic<Element> || std::same_as<Element, block_label> ||
                        std::same_as<Element, rank_interval>;
/// A range that ends.
template <class Value>
concept shown_range = !shown_text<Value> && std::ranges::input_range<Value> &&
                      shown_element<std::ranges::range_value_t<Value>> &&
                      !std::same_as<std::ranges::sentinel_t<Value>, std::unreachable_sentinel_t>;

/// The type in which numbers of type T are kept.
template <class T>
using kept_number =
    std::conditional_t<std::is_floating_point_v<T>, double,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

/// The type in which elements of type T are kept.
template <class T>
struct kept_element : std::type_identity<T> {};
template <class T>
  requires std::is_arithmetic_v<T>
struct kept_element<T> : std::type_identity<kept_number<T>> {};

/// The exception for a matrix that does not consist of whole rows.
struct partial_rows : std::exception {
  template <class Number>
  explicit partial_rows(matrix_view<Number> const& of)
      : columns(of.columns()), numbers(of.numbers().size()) {}

  std::size_t columns;
  std::size_t numbers;
};

/// Copies `most` elements, and one more of a longer range.
template <class Range>
[[nodiscard]] auto kept_range(Range&& values, std::size_t most = most_shown_elements) {
  using element = std::ranges::range_value_t<Range>;
  using kept_type = typename kept_element<element>::type;
  std::vector<kept_type> kept;
  if constexpr (std::ranges::sized_range<Range>)
    kept.reserve(std::min(static_cast<std::size_t>(std::ranges::size(values)), most + 1));
  for (element const one : values) {
    kept.push_back(static_cast<kept_type>(one));
    if (kept.size() > most) break;
  }
  if constexpr (std::is_arithmetic_v<element>)
    return shown_numbers(std::move(kept));
  else
    return kept;
}

template <class Number>
[[nodiscard]] shown_matrix kept_matrix(matrix_view<Number> const& of) {
  if (of.columns() == 0 || of.numbers().size() % of.columns() != 0) throw partial_rows(of);
  return {of.columns(), kept_range(of.numbers())};
}

/// Copies a text: of an array of characters what stands before the first NUL, and nothing of a null
/// pointer.
template <class Text>
[[nodiscard]] std::string kept_text(Text&& text) {
  using plain = std::remove_cvref_t<Text>;
  if constexpr (std::is_bounded_array_v<plain>)
    return {std::begin(text), std::find(std::begin(text), std::end(text), '\0')};
  else if constexpr (std::is_null_pointer_v<plain>)
    return {};
  else if constexpr (std::is_pointer_v<plain>)
    return text == nullptr ? std::string() : std::string(text);
  else
    return std::string(std::string_view(text));
}

/// Copies a value into its kept form.
/// Errors: partial_rows.
template <class Value>
[[nodiscard]] shown_value kept_value(Value&& value) {
  using plain = std::remove_cvref_t<Value>;
  if constexpr (shown_arithmetic<plain>)
    return shown_number(static_cast<kept_number<plain>>(value));
  else if constexpr (shown_text<Value>)
    return kept_text(std::forward<Value>(value));
  else if constexpr (shown_element<plain>)
    return std::vector<plain>{value};
  else if constexpr (is_matrix_view<plain>)
    return kept_matrix(value);
  else
    return kept_range(std::forward<Value>(value));
}

}  // namespace detail

/// The types that `processor::show` takes: a number, a block_label, a rank_interval, or a range of
/// one of these that ends; a text; a matrix_view. Whole numbers have 64 bits at most. A long double
/// is kept as a double, which is infinite, and null on a page, where it lies beyond a double's range.
template <class Value>
concept showable = detail::shown_element<std::remove_cvref_t<Value>> || detail::shown_text<Value> ||
                   detail::is_matrix_view<std::remove_cvref_t<Value>> || detail::shown_range<Value>;

}  // namespace lockstep
