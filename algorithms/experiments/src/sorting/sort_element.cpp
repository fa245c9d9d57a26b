#include "sorting/sort_element.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace lockstep {

namespace {

/// Computes the key that has this place among numbers of its type.
template <class Key>
[[nodiscard]] Key key_at(std::uint64_t order) {
  using bits =
      std::conditional_t<sizeof(Key) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
  constexpr auto sign = bits{1} << (key_bits<bits> - 1);
  auto const place = static_cast<bits>(order);
  if constexpr (std::floating_point<Key>)
    return std::bit_cast<Key>((place & sign) != 0 ? place ^ sign : static_cast<bits>(~place));
  else if constexpr (std::signed_integral<Key>)
    return std::bit_cast<Key>(place ^ sign);
  else
    return place;
}

}  // namespace

shown_number sort_element::as_number() const {
  return with_key_type(type, [&]<class Key>(Key /*of_type*/) -> shown_number {
    if constexpr (std::floating_point<Key>)
      return double{key_at<Key>(order)};
    else if constexpr (std::signed_integral<Key>)
      return std::int64_t{key_at<Key>(order)};
    else
      return std::uint64_t{key_at<Key>(order)};
  });
}

}  // namespace lockstep
