#pragma once

#include <cstddef>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// A value and the address that it goes to: one element, as in the paper's counts.
template <payload_element T>
struct keyed_value {
  using counts_as = T;
  std::size_t address = 0;
  T value{};
};

/// A value for all addresses from the first to the last one.
template <payload_element T>
struct copied_value {
  using counts_as = T;
  std::size_t first = 0;
  std::size_t last = 0;
  T value{};
};

}  // namespace lockstep::detail
