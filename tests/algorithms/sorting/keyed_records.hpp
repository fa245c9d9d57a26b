#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

/// What tests of sorts by comparisons need: elements with keys, and how they lie.
namespace keyed {

/// An element that is sorted by its key, and whose number tells it from all others.
struct record {
  int key = 0;
  int number = 0;

  friend bool operator==(record const&, record const&) = default;
};

struct key_is_less {
  bool operator()(record const& a, record const& b) const { return a.key < b.key; }
};

using records = std::vector<record>;

/// Orders of keys that sorts are tried on.
enum class key_order { random, few_keys, all_equal, ascending, descending };

inline constexpr key_order all_orders[] = {key_order::random, key_order::few_keys,
                                           key_order::all_equal, key_order::ascending,
                                           key_order::descending};

inline records records_in(key_order order, int n, std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  records all;
  for (int i = 0; i < n; ++i) {
    auto const drawn = static_cast<int>(random() >> 1U);
    int const key = order == key_order::random      ? drawn
                    : order == key_order::few_keys  ? drawn % 3
                    : order == key_order::ascending ? i
                                                    : n - i;
    all.push_back({order == key_order::all_equal ? 7 : key, i});
  }
  return all;
}

inline records sorted_stably(records all) {
  std::ranges::stable_sort(all, key_is_less{});
  return all;
}

/// The records of one processor, where all are dealt out in even blocks.
inline records block_of(records const& all, lockstep::processor const& me) {
  auto const [first, count] = lockstep::even_block(all.size(), me.size(), me.rank());
  auto const block = std::span(all).subspan(first, count);
  return {block.begin(), block.end()};
}

/// What all processors have, one after the other.
template <class Sorted>
records joined_results(std::vector<Sorted> const& results) {
  records all;
  for (auto const& one : results) all.insert(all.end(), one.elements.begin(), one.elements.end());
  return all;
}

template <class Sorted>
std::uint64_t largest_bucket_of(std::vector<Sorted> const& results) {
  std::uint64_t largest = 0;
  for (auto const& one : results) largest = std::max(largest, one.bucket);
  return largest;
}

/// Whether processor i has even block i.
template <class Sorted>
bool are_even(std::vector<Sorted> const& results, std::size_t n) {
  int const p = static_cast<int>(results.size());
  for (int rank = 0; rank < p; ++rank)
    if (results[static_cast<std::size_t>(rank)].elements.size() !=
        lockstep::even_block(n, p, rank).count)
      return false;
  return true;
}

inline lockstep::machine strict_crossbar(int p, lockstep::machine_options options = {}) {
  options.strict = true;
  return lockstep::machine(lockstep::crossbar{p}, options);
}

}  // namespace keyed
