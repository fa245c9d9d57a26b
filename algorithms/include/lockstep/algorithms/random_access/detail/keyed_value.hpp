#pragma once

#include <cstddef>
#include <cstdint>

#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// A value and the address that it goes to.
template <payload_element T>
struct keyed_value {
  std::size_t address = 0;
  T value{};
};

/// A value for all addresses from the first to the last one.
template <payload_element T>
struct copied_value {
  std::size_t first = 0;
  std::size_t last = 0;
  T value{};
};

}  // namespace lockstep::detail

namespace lockstep {

/// One element: addresses are part of it, as in the paper's counts.
template <class T>
inline constexpr std::uint64_t words_of<detail::keyed_value<T>> = words_of<T>;
template <class T>
inline constexpr std::uint64_t words_of<detail::copied_value<T>> = words_of<T>;

}  // namespace lockstep
