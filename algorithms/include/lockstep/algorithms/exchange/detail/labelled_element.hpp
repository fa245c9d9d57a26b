#pragma once

#include <cstdint>
#include <ranges>
#include <vector>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/payload.hpp>
#include <lockstep/shown.hpp>

namespace lockstep::detail {

/// An element on its way, with the labels that make lists of blocks possible. The labels count no
/// words, because a program with arrays knows them from a block's place.
template <payload_element T>
struct labelled_element {
  using counts_as = T;

  T element;
  std::int32_t source;
  std::int32_t destination;
};

/// Lists the blocks of these elements, successive elements of one block as one.
template <std::ranges::input_range Elements>
[[nodiscard]] std::vector<block_label> labels_of(Elements const& elements) {
  std::vector<block_label> labels;
  for (auto const& each : elements)
    if (block_label const label{each.source, each.destination};
        labels.empty() || labels.back() != label)
      labels.push_back(label);
  return labels;
}

}  // namespace lockstep::detail
