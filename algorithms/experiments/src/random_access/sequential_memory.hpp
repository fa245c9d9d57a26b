#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/algorithms/random_access/bucket_layout.hpp>

namespace lockstep {

/// A memory to which elements write one after the other: the value at each address, or nothing.
template <class Value>
using sequential_cells = std::vector<std::optional<Value>>;

/// Writes the elements that have a pointer, in their order. `cells`: what stands there before.
/// `value_of(i)`: of element i. `plus`: combines what stands at an address, on the left, with the value.
template <class Value, class ValueOf, class Plus>
[[nodiscard]] sequential_cells<Value> written_in_turn(sequential_cells<Value> cells,
                                                      std::span<std::size_t const> pointers,
                                                      ValueOf const& value_of, Plus const& plus) {
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    if (pointers[i] == no_pointer) continue;
    auto& cell = cells[pointers[i]];
    if (cell)
      cell = plus(*cell, value_of(i));
    else
      cell = value_of(i);
  }
  return cells;
}

/// Reads for each pointer the `words` values at its address, `stored(address, word)`; Value() for a
/// pointer without one.
template <class Value, class Stored>
[[nodiscard]] std::vector<Value> read_in_turn(std::span<std::size_t const> pointers,
                                              std::size_t words, Stored const& stored) {
  std::vector<Value> values;
  values.reserve(pointers.size() * words);
  for (auto const address : pointers)
    for (std::size_t word = 0; word < words; ++word)
      values.push_back(address == no_pointer ? Value() : Value(stored(address, word)));
  return values;
}

}  // namespace lockstep
