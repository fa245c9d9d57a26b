#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <lockstep/algorithms/prefix/block_prefix.hpp>

namespace lockstep::detail {

/// The places of n sorted elements on p processors, in blocks: floor(n/p) on each, one more on each
/// of the first n mod p. A place is a processor, in its high bits, and a position in its block, in
/// the others: the next is one more, but at the end of a block. So none takes a division.
template <std::unsigned_integral Place>
class sorted_blocks {
 public:
  sorted_blocks(std::uint64_t elements, int processors)
      : m_shift(
            bits_for(std::max<std::uint64_t>(even_block(elements, processors, 0).count, 1) - 1)) {
    for (int rank = 0; rank < processors; ++rank) {
      auto const [first, count] = even_block(elements, processors, rank);
      m_first.push_back(first);
      m_last.push_back(place(static_cast<std::uint64_t>(rank), count) - 1);
    }
    m_first.push_back(elements);
  }

  /// Whether the places can be told.
  [[nodiscard]] static bool can_tell(std::uint64_t elements, int processors) {
    auto const p = static_cast<std::uint64_t>(processors);
    return bits_for(elements / p) + bits_for(p) <= std::numeric_limits<Place>::digits;
  }

  [[nodiscard]] std::uint64_t size_of(std::size_t processor) const {
    return m_first[processor + 1] - m_first[processor];
  }
  [[nodiscard]] std::uint64_t largest_size() const { return size_of(0); }
  [[nodiscard]] std::size_t processor_of(Place of) const { return of >> m_shift; }
  [[nodiscard]] std::size_t position_of(Place of) const { return of & ((Place{1} << m_shift) - 1); }

  /// The places of elements of these ranks, none less than the one before it. There is none of n.
  [[nodiscard]] std::vector<Place> places_of(std::span<std::uint64_t const> ranks) const {
    std::vector<Place> places;
    places.reserve(ranks.size());
    std::size_t processor = 0;
    for (auto const rank : ranks) {
      while (processor + 1 < m_first.size() && rank >= m_first[processor + 1]) ++processor;
      places.push_back(place(processor, rank - m_first[processor]));
    }
    return places;
  }

  /// Goes on to the next place. Its processor is -1 after the last.
  [[nodiscard]] Place take(Place& next) const {
    auto const taken = next++;
    if (taken == m_last[processor_of(taken)]) [[unlikely]]
      next = place(processor_of(taken) + 1, 0);
    return taken;
  }

 private:
  [[nodiscard]] static int bits_for(std::uint64_t number) {
    return static_cast<int>(std::bit_width(number));
  }
  [[nodiscard]] Place place(std::uint64_t processor, std::uint64_t position) const {
    return static_cast<Place>((processor << m_shift) + position);
  }

  int m_shift;
  std::vector<std::uint64_t> m_first;  ///< rank of the first element of each block; n
  std::vector<Place> m_last;           ///< place of the last
};

}  // namespace lockstep::detail
