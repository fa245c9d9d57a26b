#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lockstep/options.hpp>
#include <lockstep/payload.hpp>

namespace reference {

/// The element types that random programs send.
enum class element_type : std::uint8_t { byte, integer, real, triple, wide, weightless };
inline constexpr int element_types = 6;

/// A struct as payload, which counts as three words.
struct triple {
  std::uint32_t first = 0;
  std::int16_t second = 0;
  double third = 0;

  friend bool operator==(triple const&, triple const&) = default;
};

/// The largest alignment that messages keep.
struct alignas(64) wide {
  std::uint64_t code = 0;
};

/// An element that counts as no words: a message of it is empty in the sense of counting rule 7.
struct weightless {
  std::uint8_t code = 0;
};

/// Every element that a random program sends stands for a code from 0 to 99: element `index` of the
/// message with this seed.
[[nodiscard]] constexpr std::uint64_t code_of(std::uint64_t seed, std::size_t index) {
  std::uint64_t const mixed = (seed + 1) * 0x9E3779B97F4A7C15U + index * 0xD1B54A32D192ED03U;
  return (mixed >> 33U) % 100;
}

template <class T>
[[nodiscard]] constexpr T encode(std::uint64_t code) {
  return static_cast<T>(code);
}
template <>
[[nodiscard]] constexpr triple encode<triple>(std::uint64_t code) {
  return {static_cast<std::uint32_t>(code * 3), static_cast<std::int16_t>(code + 7),
          static_cast<double>(code) / 2};
}
template <>
[[nodiscard]] constexpr wide encode<wide>(std::uint64_t code) {
  return {code};
}
template <>
[[nodiscard]] constexpr weightless encode<weightless>(std::uint64_t code) {
  return {static_cast<std::uint8_t>(code)};
}

/// Back to the code; a damaged element gives a number that no code is.
template <class T>
[[nodiscard]] constexpr std::uint64_t decode(T const& element) {
  return static_cast<std::uint64_t>(element);
}
template <>
[[nodiscard]] constexpr std::uint64_t decode<triple>(triple const& element) {
  auto const code = static_cast<std::uint64_t>(element.third * 2);
  return element == encode<triple>(code) ? code : 100000;
}
template <>
[[nodiscard]] constexpr std::uint64_t decode<wide>(wide const& element) {
  return element.code;
}
template <>
[[nodiscard]] constexpr std::uint64_t decode<weightless>(weightless const& element) {
  return element.code;
}

/// One number for the codes of a whole message.
[[nodiscard]] inline std::uint64_t digest(std::vector<std::uint64_t> const& codes) {
  std::uint64_t sum = codes.size();
  for (auto const code : codes) sum = sum * 1'000'003 + code + 1;
  return sum;
}

[[nodiscard]] constexpr std::uint64_t words_per_element(element_type type) {
  switch (type) {
    case element_type::triple:
      return 3;
    case element_type::wide:
      return 8;
    case element_type::weightless:
      return 0;
    default:
      return 1;
  }
}

[[nodiscard]] constexpr std::uint64_t bytes_per_element(element_type type) {
  switch (type) {
    case element_type::byte:
    case element_type::weightless:
      return 1;
    case element_type::integer:
      return 4;
    case element_type::real:
      return 8;
    case element_type::triple:
      return 16;
    case element_type::wide:
      return 64;
  }
  return 0;
}

/// Rule 6: the words of that many elements, before packets.
[[nodiscard]] constexpr std::uint64_t words_of_elements(element_type type, std::uint64_t elements,
                                                        enum lockstep::words count) {
  return count == lockstep::words::elements ? elements * words_per_element(type)
                                            : (elements * bytes_per_element(type) + 7) / 8;
}

}  // namespace reference

template <>
inline constexpr std::uint64_t lockstep::words_of<reference::triple> = 3;
template <>
inline constexpr std::uint64_t lockstep::words_of<reference::wide> = 8;
template <>
inline constexpr std::uint64_t lockstep::words_of<reference::weightless> = 0;
