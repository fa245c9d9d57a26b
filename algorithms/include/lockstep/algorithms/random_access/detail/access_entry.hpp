#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// The slot of an element that goes to the owner of its address.
inline constexpr std::uint64_t no_slot = std::numeric_limits<std::uint64_t>::max();

/// A value on its way to an address, in stage 1 by way of a slot; in stage 2 also a cell of a dense
/// bucket, which may be empty. A word like the value alone, as the paper counts.
template <payload_element T>
struct access_entry {
  std::uint64_t slot = no_slot;
  std::size_t address = 0;
  extended<T> value{};
};

/// A value on its way to a slot and an address, in stage 1. `Index`: an integer that has room for
/// all of both. A word like the value alone.
template <payload_element T, std::unsigned_integral Index>
struct slotted_value {
  static constexpr Index no_slot = std::numeric_limits<Index>::max();

  Index slot = no_slot;
  Index address = 0;
  T value{};
};

/// Elements of a processor: the address of each, or the largest number there is for none, and its
/// value.
template <payload_element T, std::unsigned_integral Pointer>
struct access_elements {
  std::span<Pointer const> pointers;
  std::span<T const> values;

  /// Calls `visit(address, value)` for those that have a pointer, in their order.
  template <class Visit>
  void for_each(Visit const& visit) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (pointers[i] != std::numeric_limits<Pointer>::max())
        visit(std::size_t{pointers[i]}, values[i]);
  }
};

/// Combines entries, one after another, into what stands at their addresses. `first_address`: that
/// of the first cell.
template <payload_element T, class Operator>
void apply_entries(std::span<extended<T>> cells, std::size_t first_address, Operator const& plus,
                   std::span<access_entry<T> const> entries) {
  extended_operator<T, std::decay_t<Operator>> const wider{plus};
  for (auto const& entry : entries) {
    auto& cell = cells[entry.address - first_address];
    cell = wider(cell, entry.value);
  }
}

}  // namespace lockstep::detail

namespace lockstep {

template <class T>
inline constexpr std::uint64_t words_of<detail::access_entry<T>> = words_of<T>;
template <class T, class Index>
inline constexpr std::uint64_t words_of<detail::slotted_value<T, Index>> = words_of<T>;

}  // namespace lockstep
