#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <type_traits>
#include <vector>

namespace lockstep {

/// Words that one element of type T counts as (counting rule 6), at most 2^32 - 1. Specialise it for
/// your own types:
///   template <> inline constexpr std::uint64_t lockstep::words_of<complex_number> = 2;
template <class T>
inline constexpr std::uint64_t words_of = 1;

namespace detail {

template <class T>
inline constexpr bool is_reference_wrapper = false;
template <class T>
inline constexpr bool is_reference_wrapper<std::reference_wrapper<T>> = true;

/// Looks at memory that it does not hold.
template <class T>
concept view_of_memory =
    is_reference_wrapper<T> ||
    (std::ranges::range<T> && (std::ranges::view<T> || std::ranges::borrowed_range<T>));

/// Points to memory, by itself or as the element of an array.
template <class T>
inline constexpr bool is_pointing = std::is_pointer_v<T> || std::is_member_pointer_v<T> ||
                                    std::is_null_pointer_v<T> || view_of_memory<T>;
template <class T, std::size_t Size>
inline constexpr bool is_pointing<std::array<T, Size>> = is_pointing<T>;
template <class T, std::size_t Size>
inline constexpr bool is_pointing<T[Size]> = is_pointing<T>;

/// Alignment that messages keep.
inline constexpr std::size_t largest_alignment = 64;

}  // namespace detail

/// What a message can carry: numbers and trivially copyable structs. Data, never a pointer or a
/// view.
template <class T>
concept payload_element = std::is_trivially_copyable_v<T> && !std::is_const_v<T> &&
                          !detail::is_pointing<T> && alignof(T) <= detail::largest_alignment;

/// A contiguous range of such elements: a vector, an array, a span.
template <class Range>
concept payload_range = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                        payload_element<std::ranges::range_value_t<Range>>;

/// What `send` and `exchange` take: one element or a contiguous range of them.
template <class Values>
concept payload = payload_range<std::remove_cvref_t<Values> const&> ||
                  (payload_element<std::remove_cvref_t<Values>> && !std::ranges::range<Values>);

namespace detail {

/// What `receive` gives for what `send` took: a vector for a range, an element for an element.
template <class Values>
struct received_as {
  using type = std::remove_cvref_t<Values>;
};
template <payload_range Values>
struct received_as<Values> {
  using type = std::vector<std::ranges::range_value_t<Values>>;
};

template <class Values>
inline constexpr bool is_movable_vector = false;
template <class T>
inline constexpr bool is_movable_vector<std::vector<T>> = true;

}  // namespace detail
}  // namespace lockstep
