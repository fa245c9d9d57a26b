#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/noted_sort.hpp"
#include "harness/stages.hpp"

namespace lockstep {

/// Counts the dirty rows of an array whose columns are sorted: for a key, elements that are less
/// are zeros and others ones, and a row with both is dirty. Takes the key for which there are most.
/// **Source** JaJa and Ryu 1994, section 5.1, which has zeros and ones alone.
template <class Key>
[[nodiscard]] std::uint64_t dirty_rows(std::vector<std::vector<Key>> const& columns) {
  struct key_in_column {
    Key key;
    std::size_t column;
  };
  std::vector<key_in_column> keys;
  for (std::size_t column = 0; column < columns.size(); ++column)
    for (auto const& key : columns[column]) keys.push_back({key, column});
  begin_stage("checking for dirty rows", pieces_of_sort(keys.size()));
  noted_stable_sort(keys, &key_in_column::key);
  std::vector<std::size_t> zeros(columns.size());
  std::vector<std::size_t> columns_with(keys.size() + 1);  // that many zeros
  columns_with[0] = columns.size();
  std::size_t fewest = 0;
  std::size_t most = 0;
  std::size_t dirty = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && keys[i - 1].key < keys[i].key) dirty = std::max(dirty, most - fewest);
    auto& here = zeros[keys[i].column];
    --columns_with[here];
    most = std::max(most, ++here);
    ++columns_with[here];
    while (columns_with[fewest] == 0) ++fewest;
  }
  return dirty;
}

}  // namespace lockstep
