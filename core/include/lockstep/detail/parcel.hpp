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

/// What the compiled core has to know of an element type.
struct payload_type {
  std::type_info const* id;
  std::size_t size;       ///< bytes of an element
  std::size_t alignment;  ///< in bytes
  std::uint64_t words;    ///< words that an element counts as
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
    [](void* from, void* to) {
      ::new (to) std::vector<T>(std::move(*static_cast<std::vector<T>*>(from)));
    },
    [](void* vector) { static_cast<std::vector<T>*>(vector)->~vector(); },
    [](void const* vector) { return static_cast<std::vector<T> const*>(vector)->size(); },
    vector_data<T>,
    [](void const* vector) { return static_cast<std::vector<T> const*>(vector)->capacity(); }};

/// Of elements that are received: as many as were sent.
inline constexpr std::size_t any_number = static_cast<std::size_t>(-1);

/// Elements as the core sees them.
struct elements {
  std::byte const* data;
  std::size_t count;
  payload_type const* type;
};

/// Room for elements.
struct room {
  std::byte* data;
  std::size_t count;
  payload_type const* type;
};

struct message;
struct processor_state;

/// A message that was taken in, until its elements are copied or moved out.
class parcel {
 public:
  parcel() = default;
  parcel(processor_state& taker, message* taken) : m_taker(&taker), m_message(taken) {}
  parcel(parcel&& other) noexcept
      : m_taker(other.m_taker), m_message(std::exchange(other.m_message, nullptr)) {}
  parcel& operator=(parcel&&) = delete;
  ~parcel();

  /// The elements, moved out where the message carries a vector, copied otherwise.
  template <class T>
  [[nodiscard]] std::vector<T> to_vector() {
    if (m_message == nullptr) return {};
    if (void* vector = moved_vector()) return std::move(*static_cast<std::vector<T>*>(vector));
    auto const* first = reinterpret_cast<T const*>(data());
    return std::vector<T>(first, first + count());
  }

 private:
  [[nodiscard]] void* moved_vector() const;  ///< nullptr if the message holds a copy
  [[nodiscard]] std::byte const* data() const;
  [[nodiscard]] std::size_t count() const;

  processor_state* m_taker = nullptr;
  message* m_message = nullptr;
};

}  // namespace lockstep::detail
