#pragma once

#include <climits>
#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>

#include <lockstep/processor.hpp>

namespace lockstep {

/// A key of radix sort: a whole number, signed or not.
template <class Key>
concept radix_key = std::integral<Key> && !std::same_as<Key, bool>;

/// The key of a record, as a member or function tells it.
template <class Projection, class Record>
using key_of = std::remove_cvref_t<std::invoke_result_t<Projection const&, Record const&>>;

template <class Key>
inline constexpr int key_bits = static_cast<int>(sizeof(Key)) * CHAR_BIT;

/// An unsigned number for each key, in the same order: the sign bit turned over if it has one.
template <radix_key Key>
[[nodiscard]] constexpr auto ordered_bits(Key key) {
  using bits = std::make_unsigned_t<Key>;
  if constexpr (std::signed_integral<Key>) {
    constexpr auto sign = static_cast<bits>(bits{1} << (key_bits<Key> - 1));
    return static_cast<bits>(static_cast<bits>(key) ^ sign);
  } else {
    return static_cast<bits>(key);
  }
}

}  // namespace lockstep
