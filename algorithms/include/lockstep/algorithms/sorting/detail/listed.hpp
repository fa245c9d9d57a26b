#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include <lockstep/algorithms/detail/counts_as.hpp>
#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// An element of a sorted list, and its place there, which tells equal ones apart. It counts as the
/// element alone, as the paper counts: its list and index travel with it at no cost.
template <payload_element T>
struct listed {
  using counts_as = T;

  T value{};
  bool is_padding = false;  ///< fills the last sets of a list: after all elements, in no result
  std::uint32_t list = 0;
  std::uint64_t index = 0;  ///< in its list
};

/// The total order of (value, list, index), in which no two elements are equal.
template <class Less>
struct listed_before {
  Less less;

  template <class T>
  [[nodiscard]] bool operator()(listed<T> const& a, listed<T> const& b) const {
    if (a.is_padding != b.is_padding) return b.is_padding;
    if (!a.is_padding) {
      if (less(a.value, b.value)) return true;
      if (less(b.value, a.value)) return false;
    }
    return std::tie(a.list, a.index) < std::tie(b.list, b.index);
  }
};

/// Makes values the elements of a list from `first` on, with padding up to k.
template <payload_element T>
[[nodiscard]] std::vector<listed<T>> padded_set(std::span<T const> values, std::size_t k,
                                                std::uint32_t list, std::uint64_t first) {
  std::vector<listed<T>> set(k);
  for (std::size_t i = 0; i < k; ++i) {
    set[i] = {.is_padding = i >= values.size(), .list = list, .index = first + i};
    if (i < values.size()) set[i].value = values[i];
  }
  return set;
}

/// Leaves out padding.
template <payload_element T>
[[nodiscard]] std::vector<T> values_of_set(std::span<listed<T> const> set) {
  std::vector<T> values;
  values.reserve(set.size());
  for (auto const& one : set)
    if (!one.is_padding) values.push_back(one.value);
  return values;
}

}  // namespace lockstep::detail
