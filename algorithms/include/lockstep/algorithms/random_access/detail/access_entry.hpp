#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/algorithms/prefix/monoid.hpp>
#include <lockstep/algorithms/random_access/detail/access_checks.hpp>
#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// The slot of an element that goes to the owner of its address.
inline constexpr std::uint64_t no_slot = std::numeric_limits<std::uint64_t>::max();

/// A value on its way to an address, in stage 1 by way of a slot; in stage 2 also a cell of a dense
/// bucket, which may be empty. A word like the value alone, as the paper counts.
template <payload_element T>
struct access_entry {
  using counts_as = T;

  std::uint64_t slot = no_slot;
  std::size_t address = 0;
  extended<T> value{};
};

/// A value on its way to a slot and an address, in stage 1. `Index`: an integer that has room for
/// all of both. A word like the value alone.
template <payload_element T, std::unsigned_integral Index>
struct slotted_value {
  using counts_as = T;
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

/// The cells of a processor's addresses, in which what arrives is combined, one after another.
template <payload_element T, class Operator>
class addressed_cells {
 public:
  /// `first_address`: that of the first cell.
  addressed_cells(std::span<extended<T>> cells, std::size_t first_address, Operator const& plus)
      : m_cells(cells), m_first_address(first_address), m_plus{plus} {}

  void add(std::size_t address, extended<T> const& value) const {
    auto& cell = m_cells[place_of_own(address, m_first_address, m_cells.size())];
    cell = m_plus(cell, value);
  }
  void add(std::span<access_entry<T> const> entries) const {
    auto const cells = m_cells;  // in registers, whatever is written to a cell
    auto const first = m_first_address;
    for (auto const& entry : entries) {
      auto& cell = cells[place_of_own(entry.address, first, cells.size())];
      cell = m_plus(cell, entry.value);
    }
  }

 private:
  std::span<extended<T>> m_cells;
  std::size_t m_first_address;
  extended_operator<T, std::decay_t<Operator>> m_plus;
};

}  // namespace lockstep::detail
