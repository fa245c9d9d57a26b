#pragma once

#include <concepts>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// An element on its way to its place. It counts as the element alone, as in the paper.
template <payload_element T, std::unsigned_integral Place>
struct placed {
  using counts_as = T;

  T element;
  Place place;
};

}  // namespace lockstep::detail
