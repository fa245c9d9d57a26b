#pragma once

#include <concepts>
#include <cstdint>

#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// An element on its way to its place.
template <payload_element T, std::unsigned_integral Place>
struct placed {
  T element;
  Place place;
};

}  // namespace lockstep::detail

namespace lockstep {

/// The paper counts elements.
template <class T, class Place>
inline constexpr std::uint64_t words_of<detail::placed<T, Place>> = words_of<T>;

}  // namespace lockstep
