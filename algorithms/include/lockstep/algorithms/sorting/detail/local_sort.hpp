#pragma once

#include <algorithm>
#include <span>

namespace lockstep::detail {

/// An order that sorts by itself the elements that lie at a processor, as one by digits does.
template <class Less, class T>
concept order_that_sorts =
    requires(Less const& less, std::span<T> elements) { less.sort(elements); };

/// Sorts what lies at a processor: by comparisons, or as the order does.
template <class T, class Less>
void sort_here(std::span<T> elements, Less const& less) {
  if constexpr (order_that_sorts<Less, T>)
    less.sort(elements);
  else
    std::ranges::sort(elements, less);
}

}  // namespace lockstep::detail
