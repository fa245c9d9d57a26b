#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// An element type, as the compiled core knows it.
struct payload_type {
  std::type_info const* id;
  std::size_t size;       ///< bytes of an element
  std::size_t alignment;  ///< in bytes
  std::uint64_t words;    ///< words that an element counts as
  bool is_word;           ///< whether an element has eight bytes, and counts as one word
  void (*move_vector)(void* from, void* to);
  void (*destroy_vector)(void* vector);
  std::size_t (*vector_size)(void const* vector);
  std::byte const* (*vector_data)(void const* vector);
  std::size_t (*vector_capacity)(void const* vector);  ///< last: messages need the others
};

/// Where a vector's elements begin. A bool is sent alone, never as a vector<bool>, which has no
/// such place.
template <class T>
std::byte const* vector_data(void const* vector) {
  return reinterpret_cast<std::byte const*>(static_cast<std::vector<T> const*>(vector)->data());
}
template <>
inline std::byte const* vector_data<bool>(void const* /*vector*/) {
  return nullptr;
}

/// With at most 2^32 - 1 elements a message, its words fit into 64 bits.
template <class T>
constexpr std::uint64_t words_of_element() {
  static_assert(words_of<T> <= 0xFFFF'FFFF, "words_of<T> has to be at most 2^32 - 1");
  return words_of<T>;
}

template <class T>
inline payload_type const payload_type_of{
    &typeid(T),
    sizeof(T),
    alignof(T),
    words_of_element<T>(),
    sizeof(T) == sizeof(std::uint64_t) && words_of_element<T>() == 1,
    [](void* from, void* to) {
      ::new (to) std::vector<T>(std::move(*static_cast<std::vector<T>*>(from)));
    },
    [](void* vector) { static_cast<std::vector<T>*>(vector)->~vector(); },
    [](void const* vector) { return static_cast<std::vector<T> const*>(vector)->size(); },
    vector_data<T>,
    [](void const* vector) { return static_cast<std::vector<T> const*>(vector)->capacity(); }};

/// The elements of a message before it is sent.
struct elements {
  std::byte const* data;
  std::size_t count;
  payload_type const* type;
};

/// The memory that the elements of a message are received into.
struct receive_buffer {
  std::byte* data;
  std::size_t count;
  payload_type const* type;
};

}  // namespace lockstep::detail
