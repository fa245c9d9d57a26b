#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace lockstep::detail {

/// The places of n sorted elements on p processors, in blocks: floor(n/p) on each, one more on each of
/// the first n mod p. A place is a processor, in its high bits, and a position in its block, in the
/// others: what comes next is one more, but at the end of a block.
template <std::unsigned_integral Place>
class sorted_blocks {
 public:
  sorted_blocks(std::uint64_t elements, int processors)
      : m_elements(elements),
        m_processors(static_cast<std::uint64_t>(processors)),
        m_shift(bits_for(std::max<std::uint64_t>(size_of(0), 1) - 1)) {
    for (std::uint64_t j = 0; j < m_processors; ++j)
      m_last.push_back(static_cast<Place>((j << m_shift) + size_of(j) - 1));
  }

  /// Whether the places can be told.
  [[nodiscard]] static bool can_tell(std::uint64_t elements, int processors) {
    auto const p = static_cast<std::uint64_t>(processors);
    return bits_for(elements / p) + bits_for(p) <= std::numeric_limits<Place>::digits;
  }

  [[nodiscard]] std::uint64_t size_of(std::uint64_t processor) const {
    return m_elements / m_processors + (processor < m_elements % m_processors ? 1 : 0);
  }
  [[nodiscard]] std::uint64_t largest_size() const { return size_of(0); }
  [[nodiscard]] std::size_t processor_of(Place place) const { return place >> m_shift; }
  [[nodiscard]] std::size_t position_of(Place place) const {
    return place & ((Place{1} << m_shift) - 1);
  }

  /// The place of the element of that rank, less than n.
  [[nodiscard]] Place place_of(std::uint64_t rank) const {
    auto const size = m_elements / m_processors;
    auto const with_one_more = m_elements % m_processors;
    auto const processor =
        rank < with_one_more * (size + 1) ? rank / (size + 1) : (rank - with_one_more) / size;
    auto const first = processor * size + std::min(processor, with_one_more);
    return static_cast<Place>((processor << m_shift) + (rank - first));
  }

  /// Goes on to the next place. Its processor is none, at the last.
  [[nodiscard]] Place take(Place& next) const {
    auto const taken = next++;
    if (taken == m_last[processor_of(taken)]) [[unlikely]]
      next = static_cast<Place>((processor_of(taken) + 1) << m_shift);
    return taken;
  }

 private:
  [[nodiscard]] static int bits_for(std::uint64_t number) {
    return static_cast<int>(std::bit_width(number));
  }

  std::uint64_t m_elements;
  std::uint64_t m_processors;
  int m_shift;
  std::vector<Place> m_last;
};

}  // namespace lockstep::detail
