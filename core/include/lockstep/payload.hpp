#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <lockstep/detail/debug_containers.hpp>

namespace lockstep {

/// Words that one element of type T counts as (counting rule 6), at most 2^32 - 1. Specialise it
/// for your own types:
///   template <> inline constexpr std::uint64_t lockstep::words_of<complex_number> = 2;
template <class T>
inline constexpr std::uint64_t words_of = 1;

namespace detail {

template <class T>
inline constexpr bool is_reference_wrapper = false;
template <class T>
inline constexpr bool is_reference_wrapper<std::reference_wrapper<T>> = true;

/// A type that refers to memory that it does not own.
template <class T>
concept view_of_memory =
    is_reference_wrapper<T> ||
    (std::ranges::range<T> && (std::ranges::view<T> || std::ranges::borrowed_range<T>));

/// Whether a type points to memory, by itself or in an element of an array, a pair or a tuple.
template <class T>
inline constexpr bool is_pointing = std::is_pointer_v<T> || std::is_member_pointer_v<T> ||
                                    std::is_null_pointer_v<T> || view_of_memory<T>;
template <class T, std::size_t Size>
inline constexpr bool is_pointing<std::array<T, Size>> = is_pointing<T>;
template <class T, std::size_t Size>
inline constexpr bool is_pointing<T[Size]> = is_pointing<T>;
template <class First, class Second>
inline constexpr bool is_pointing<std::pair<First, Second>> =
    is_pointing<First> || is_pointing<Second>;
template <class... Members>
inline constexpr bool is_pointing<std::tuple<Members...>> = (is_pointing<Members> || ...);

/// Whether the bytes of an object are its value. The standard's pairs and tuples are not trivially
/// copyable, for the sake of their assignment alone, but copied byte by byte all the same.
template <class T>
inline constexpr bool is_plain_data = std::is_trivially_copyable_v<T>;
template <class First, class Second>
inline constexpr bool is_plain_data<std::pair<First, Second>> =
    is_plain_data<First> && is_plain_data<Second> && !std::is_reference_v<First> &&
    !std::is_reference_v<Second>;
template <class... Members>
inline constexpr bool is_plain_data<std::tuple<Members...>> =
    ((is_plain_data<Members> && !std::is_reference_v<Members>)&&...);
template <class T, std::size_t Size>
inline constexpr bool is_plain_data<std::array<T, Size>> = is_plain_data<T>;

/// Alignment that messages keep.
inline constexpr std::size_t largest_alignment = 64;

}  // namespace detail

/// An element of a message: a number, a trivially copyable struct, or a pair, tuple or array of these.
/// Data, never a pointer or a view.
template <class T>
concept payload_element = detail::is_plain_data<T> && !std::is_const_v<T> &&
                          !detail::is_pointing<T> && alignof(T) <= detail::largest_alignment;

/// A contiguous range of such elements: a vector, an array, a span.
template <class Range>
concept payload_range = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                        payload_element<std::ranges::range_value_t<Range>>;

/// The values that `send` and `exchange` take: one element or a contiguous range of them.
template <class Values>
concept payload = payload_range<std::remove_cvref_t<Values> const&> ||
                  (payload_element<std::remove_cvref_t<Values>> && !std::ranges::range<Values>);

namespace detail {

/// The type that `exchange` returns: a vector for a range, an element for an element.
template <class Values>
struct received_as {
  using type = std::remove_cvref_t<Values>;
};
template <payload_range Values>
struct received_as<Values> {
  using type = std::vector<std::ranges::range_value_t<Values>>;
};

/// The type that `shift` returns: a vector for a range, an optional element for an element.
template <class Values>
struct shifted_as {
  using type = std::optional<typename received_as<Values>::type>;
};
template <payload_range Values>
struct shifted_as<Values> : received_as<Values> {};

template <class Values>
inline constexpr bool is_movable_vector = false;
template <class T>
inline constexpr bool is_movable_vector<std::vector<T>> = true;

}  // namespace detail
}  // namespace lockstep
