#pragma once

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

}  // namespace lockstep
