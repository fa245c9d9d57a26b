#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <lockstep/payload.hpp>

namespace lockstep::detail {

/// A value, or nothing, which comes after all values. It counts as many words as the value.
template <payload_element T>
struct padded {
  std::optional<T> value{};
};

/// The order of padded values.
template <class Less>
struct padded_less {
  Less less;

  template <class T>
  [[nodiscard]] bool operator()(padded<T> const& a, padded<T> const& b) const {
    return a.value && (!b.value || less(*a.value, *b.value));
  }
};

/// Sorts at most k values of each processor by `sort(k padded values, their order)`, which is a
/// call of a sort that wants k of each.
/// Result: the values among this processor's k.
template <payload_element T, class Less, class Sort>
[[nodiscard]] std::vector<T> sort_padded(std::vector<T> const& values, std::size_t k, Less less,
                                         Sort const& sort) {
  std::vector<padded<T>> all;
  all.reserve(k);
  for (auto const& value : values) all.push_back({value});
  all.resize(k);
  std::vector<T> sorted;
  sorted.reserve(k);
  for (auto const& one : sort(std::move(all), padded_less<Less>{std::move(less)}))
    if (one.value) sorted.push_back(*one.value);
  return sorted;
}

}  // namespace lockstep::detail

namespace lockstep {

template <class T>
inline constexpr std::uint64_t words_of<detail::padded<T>> = words_of<T>;

}  // namespace lockstep
