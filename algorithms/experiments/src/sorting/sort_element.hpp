#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <lockstep/algorithms/sorting/key_bits.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/shown.hpp>

#include "sorting/key_file.hpp"

namespace lockstep {

/// Computes the place of a key among all numbers of its type: keys compare as their places do. Zeros
/// of both signs have the same; NaN has none.
template <class Key>
[[nodiscard]] constexpr std::uint64_t order_of(Key key) {
  if constexpr (std::floating_point<Key>) {
    using bits =
        std::conditional_t<sizeof(Key) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
    constexpr auto sign = bits{1} << (std::numeric_limits<bits>::digits - 1);
    auto const pattern = std::bit_cast<bits>(key == 0 ? Key{0} : key);
    return (pattern & sign) == 0 ? pattern | sign : static_cast<bits>(~pattern);
  } else {
    return ordered_bits(key);
  }
}

/// A key of any type as sorts see it, and which of the input it is. It counts as one word, as a key
/// does. A sort that is stable leaves equal ones in the order of their numbers.
struct sort_element {
  static constexpr int number_bits = 56;  ///< with the type in one word, as many keys are kept

  std::uint64_t order = 0;  ///< `order_of` the key
  std::uint64_t number : number_bits = 0;
  key_type type : 64 - number_bits = key_type::int32;

  /// The key, for views.
  [[nodiscard]] shown_number as_number() const;

  friend bool operator==(sort_element const&, sort_element const&) = default;
  friend bool operator<(sort_element const& a, sort_element const& b) { return a.order < b.order; }
};
static_assert(sizeof(sort_element) == 2 * sizeof(std::uint64_t));

namespace detail {

template <class Key, class... Keys>
[[nodiscard]] constexpr key_type type_among(std::variant<std::vector<Keys>...> const* /*all*/) {
  std::size_t at = 0;
  static_cast<void>(((!std::same_as<Key, Keys> && (++at, true)) && ...));
  return static_cast<key_type>(at);
}

}  // namespace detail

/// The type of such keys.
template <class Key>
inline constexpr auto type_of_key =
    detail::type_among<Key>(static_cast<key_vector const*>(nullptr));

/// Makes the element of a key. Precondition: number < 2^number_bits.
template <class Key>
[[nodiscard]] sort_element element_of(Key key, std::uint64_t number) {
  constexpr auto largest = (std::uint64_t{1} << sort_element::number_bits) - 1;
  return {order_of(key), number & largest, type_of_key<Key>};
}

/// Numbers keys from `first_number` on.
template <class Key>
[[nodiscard]] std::vector<sort_element> elements_of(std::span<Key const> keys,
                                                    std::size_t first_number = 0) {
  std::vector<sort_element> all;
  all.reserve(keys.size());
  for (auto const key : keys) all.push_back(element_of(key, first_number + all.size()));
  return all;
}

/// The elements of each processor.
using sort_blocks = std::vector<std::vector<sort_element>>;

/// Those of the processors that a process runs, in rank order.
using own_blocks = std::span<std::vector<sort_element> const>;

/// A sort on one processor: from its elements to those of its sorted block.
using sort_program =
    std::function<std::vector<sort_element>(processor& me, std::vector<sort_element> mine)>;

}  // namespace lockstep
