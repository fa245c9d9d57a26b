#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

#include "harness/stages.hpp"

namespace lockstep {

namespace detail {

inline constexpr std::size_t sorted_slices = 16;        // a power of two
inline constexpr std::uint64_t pieces_of_a_slice = 20;  // for each element: about a piece a merge
inline constexpr std::uint64_t merges_of_slices = 4;  // that each element is in: log2 of the slices

}  // namespace detail

/// The pieces of work that `noted_stable_sort` notes of that many elements.
[[nodiscard]] constexpr std::uint64_t pieces_of_sort(std::uint64_t elements) {
  return elements * (detail::pieces_of_a_slice + detail::merges_of_slices);
}

/// Sorts as std::ranges::stable_sort does, and notes how far it is, in pieces of the stage's work.
template <class Element, class Projection = std::identity>
void noted_stable_sort(std::vector<Element>& all, Projection projection = {}) {
  auto const slice = [&](std::size_t number) {
    return all.begin() + static_cast<std::ptrdiff_t>(all.size() * number / detail::sorted_slices);
  };
  auto const note = [](auto first, auto last, std::uint64_t each) {
    note_done(each * static_cast<std::uint64_t>(std::distance(first, last)));
  };
  for (std::size_t i = 0; i < detail::sorted_slices; ++i) {
    std::ranges::stable_sort(slice(i), slice(i + 1), {}, projection);
    note(slice(i), slice(i + 1), detail::pieces_of_a_slice);
  }
  for (std::size_t merged = 1; merged < detail::sorted_slices; merged *= 2)
    for (std::size_t i = 0; i < detail::sorted_slices; i += 2 * merged) {
      std::ranges::inplace_merge(slice(i), slice(i + merged), slice(i + 2 * merged), {},
                                 projection);
      note(slice(i), slice(i + 2 * merged), 1);
    }
}

}  // namespace lockstep
