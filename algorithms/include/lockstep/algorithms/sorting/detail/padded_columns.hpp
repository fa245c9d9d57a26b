#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <lockstep/algorithms/sorting/detail/placed.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// The columns in which n elements are sorted, one in each processor.
struct column_shape {
  std::size_t elements = 0;  ///< n
  std::size_t rows = 0;      ///< q, elements of a column
  bool stable = false;
};

/// Requires that a column of q rows has room for a processor's elements, and, if n = pq, that they
/// fill it. `name`: the algorithm, for messages.
/// Errors: invalid_argument.
void require_column(char const* name, processor const& me, std::size_t here,
                    column_shape const& shape);

/// An element of a column, with its place in the input, which decides between equal ones.
template <payload_element T>
using element_of_column = placed<T, std::uint64_t>;

/// The place of what fills a column up.
inline constexpr std::uint64_t place_of_padding = std::numeric_limits<std::uint64_t>::max();

/// The order of a column's elements: as `less`, equal ones by their places, and padding last.
template <class Less>
struct column_order {
  Less const& less;

  template <class T>
  [[nodiscard]] bool operator()(element_of_column<T> const& a,
                                element_of_column<T> const& b) const {
    if (a.place == place_of_padding || b.place == place_of_padding) return a.place < b.place;
    if (less(a.element, b.element)) return true;
    return !less(b.element, a.element) && a.place < b.place;
  }
};

/// Removes what filled columns up, and the places.
template <payload_element T>
[[nodiscard]] std::vector<T> elements_in(std::vector<element_of_column<T>> const& column) {
  std::vector<T> elements;
  elements.reserve(column.size());
  for (auto const& one : column)
    if (one.place != place_of_padding) elements.push_back(one.element);
  return elements;
}

/// Sorts by `sort(me, column, order)`, which sorts full columns, and need not be stable. Where n is
/// less than pq columns are filled up with padding; there, and where it is to be stable, elements
/// have their places with them.
/// Errors: those of `require_column` and of the sort.
template <payload_element T, class Less, class Sort>
[[nodiscard]] std::vector<T> sort_in_columns(char const* name, processor& me,
                                             std::vector<T> elements, column_shape const& shape,
                                             Less const& less, Sort const& sort) {
  require_column(name, me, elements.size(), shape);
  bool const full = shape.elements == shape.rows * static_cast<std::size_t>(me.size());
  if (full && !shape.stable) return sort(me, std::move(elements), less);
  std::vector<element_of_column<T>> column;
  column.reserve(shape.rows);
  auto place = static_cast<std::uint64_t>(me.rank()) * shape.rows;
  for (auto const& element : elements) column.push_back({element, place++});
  column.resize(shape.rows, {T{}, place_of_padding});
  elements = {};
  return elements_in<T>(sort(me, std::move(column), column_order<Less>{less}));
}

/// An element that can be sorted in columns.
template <class T>
concept element_of_columns = payload_element<T> && std::default_initializable<T> &&
                             payload_element<placed<T, std::uint64_t>>;

}  // namespace lockstep::detail
