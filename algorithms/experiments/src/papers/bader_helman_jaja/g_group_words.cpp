#include "papers/bader_helman_jaja/g_group_words.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace lockstep {

namespace {

/// Blocks of n/(pt) elements that go from each processor to each: n_ij = blocks[i][j] n/(pt).
using block_counts = std::vector<std::vector<std::uint64_t>>;

[[nodiscard]] block_counts blocks_of(g_group_setting const& input, std::int64_t p) {
  auto const places = static_cast<std::size_t>(p);
  block_counts blocks(places, std::vector<std::uint64_t>(places));
  for (std::int64_t i = 0; i < p; ++i)
    for (std::int64_t b = 0; b < input.t; ++b) {
      auto const base = b * input.g / (input.t * input.c);
      auto const j = (((p / 2 + b * input.g) % p) ^ (i / input.g * input.g)) + base;
      ++blocks[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  return blocks;
}

}  // namespace

stepwise_cost stepwise_cost_of(g_group_setting const& input, int processors, std::int64_t elements,
                               round_order order) {
  auto const blocks = blocks_of(input, processors);
  auto const p = static_cast<std::size_t>(processors);
  auto const rounds = order == round_order::pex ? std::bit_ceil(p) : p;
  auto const block = static_cast<std::uint64_t>(elements / (processors * input.t));
  stepwise_cost cost;
  for (std::size_t k = 1; k < rounds; ++k) {
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < p; ++i) {
      auto const j = order == round_order::pex ? i ^ k : (i + k) % p;
      if (j < p) largest = std::max(largest, blocks[i][j]);
    }
    cost.startups += largest > 0 ? 1 : 0;
    cost.words += largest * block;
  }
  return cost;
}

}  // namespace lockstep
