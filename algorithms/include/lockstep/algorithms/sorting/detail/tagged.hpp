#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/processor.hpp>

namespace lockstep::detail {

/// An element, and its place in the input: a processor, and an index in what that one has. Equal
/// elements differ in their places, so pivots cut them apart, and a sort by both is stable. It counts
/// as the element alone, as in the paper.
template <payload_element T>
struct tagged {
  using counts_as = T;

  T element;
  std::uint32_t processor;
  std::uint32_t index;
};

/// An element on its way to a bucket. It counts as the element alone, as in the paper.
template <payload_element T>
struct addressed {
  using counts_as = T;

  tagged<T> content;
  std::uint32_t home;
};

/// The order of tagged elements: by `less`, equal ones by their places.
template <class Less>
struct tagged_order {
  Less const& less;

  template <payload_element T>
  [[nodiscard]] bool operator()(tagged<T> const& one, tagged<T> const& other) const {
    if (std::invoke(less, one.element, other.element)) return true;
    if (std::invoke(less, other.element, one.element)) return false;
    return std::tie(one.processor, one.index) < std::tie(other.processor, other.index);
  }
};

/// Requires that places can be told. `of`: the name of the sort.
/// Errors: invalid_argument for more than 2^32 elements on a processor.
void require_places(char const* of, processor const& me, std::size_t elements);

/// Tags the element at that index of this processor.
template <payload_element T>
[[nodiscard]] tagged<T> tagged_at(processor const& me, std::span<T const> elements,
                                  std::size_t index) {
  return {elements[index], static_cast<std::uint32_t>(me.rank()),
          static_cast<std::uint32_t>(index)};
}

/// Tags the elements at these indices of this processor.
template <payload_element T>
[[nodiscard]] std::vector<tagged<T>> tagged_at(processor const& me, std::span<T const> elements,
                                               std::span<std::size_t const> indices) {
  std::vector<tagged<T>> taken;
  taken.reserve(indices.size());
  for (auto const index : indices) taken.push_back(tagged_at(me, elements, index));
  return taken;
}

}  // namespace lockstep::detail
