#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <lockstep/machine.hpp>

/// An element that is compared by its value alone, and counts as two words.
struct item_to_sort {
  std::int16_t value = 0;
  int number = 0;  ///< tells equal ones apart

  friend bool operator==(item_to_sort const&, item_to_sort const&) = default;
};
template <>
inline constexpr std::uint64_t lockstep::words_of<item_to_sort> = 2;

using items_to_sort = std::vector<item_to_sort>;

/// Compares by value.
inline constexpr auto by_value = [](item_to_sort const& a, item_to_sort const& b) {
  return a.value < b.value;
};

inline constexpr lockstep::machine_options all_ports_in_lock_step{
    .ports = lockstep::ports::all, .strict = true, .workers = 1};

/// Numbers the values.
inline items_to_sort items_of(std::vector<int> const& values) {
  items_to_sort items;
  for (int const value : values)
    items.push_back({static_cast<std::int16_t>(value), static_cast<int>(items.size())});
  return items;
}

inline std::vector<int> values_below(int most, std::size_t count, std::mt19937& random) {
  std::vector<int> values(count);
  for (auto& value : values) value = static_cast<int>(random() % static_cast<unsigned>(most));
  return values;
}

/// Random values, few values, one value, sorted and reversed ones.
inline std::vector<std::vector<int>> values_to_sort(std::size_t count, std::mt19937& random) {
  std::vector<std::vector<int>> sequences;
  for (int const most : {30'000, 3, 1}) sequences.push_back(values_below(most, count, random));
  sequences.push_back(values_below(30'000, count, random));
  std::ranges::sort(sequences.back());
  sequences.emplace_back(sequences.back().rbegin(), sequences.back().rend());
  return sequences;
}

/// The same, numbered.
inline std::vector<items_to_sort> sequences_to_sort(std::size_t count, std::mt19937& random) {
  std::vector<items_to_sort> sequences;
  for (auto const& values : values_to_sort(count, random)) sequences.push_back(items_of(values));
  return sequences;
}

/// What std::stable_sort makes of them.
inline items_to_sort stably_sorted(items_to_sort items) {
  std::ranges::stable_sort(items, by_value);
  return items;
}

/// Elements first .. first + count - 1, as far as there are such.
inline items_to_sort some_of(items_to_sort const& items, std::size_t first, std::size_t count) {
  auto const from = std::min(first, items.size());
  auto const to = std::min(from + count, items.size());
  return {items.begin() + static_cast<std::ptrdiff_t>(from),
          items.begin() + static_cast<std::ptrdiff_t>(to)};
}

/// One after the other.
inline items_to_sort joined(std::vector<items_to_sort> const& blocks) {
  items_to_sort all;
  for (auto const& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return all;
}
