#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>
#include <lockstep/lower_bounds.hpp>

#include "harness/stages.hpp"

namespace lockstep {

/// Computes what every program needs that sorts keys, each processor holding its even block,
/// into these blocks: a processor takes in the keys of its sorted block that it does not have.
template <class Key>
[[nodiscard]] traffic_requirement keys_that_move(std::span<Key const> keys,
                                                 std::vector<std::vector<Key>> const& sorted) {
  traffic_requirement needed;
  int const p = static_cast<int>(sorted.size());
  for (int rank = 0; rank < p; ++rank) {
    auto const [first, count] = even_block(keys.size(), p, rank);
    auto const own = keys.subspan(first, count);
    std::vector<Key> mine(own.begin(), own.end());
    std::ranges::sort(mine);
    std::vector<Key> missing;
    std::ranges::set_difference(sorted[static_cast<std::size_t>(rank)], mine,
                                std::back_inserter(missing));
    needed.taken_in = std::max(needed.taken_in, std::uint64_t{missing.size()});
    needed.moved += missing.size();
    note_done(count);
  }
  needed.distance = needed.moved > 0 ? 1 : 0;
  return needed;
}

}  // namespace lockstep
