#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lockstep/algorithms/collectives/transpose.hpp>
#include <lockstep/processor.hpp>

namespace as_printed {

/// An element of Bader, Helman and JaJa's Algorithm 1, or, in slot 0 of a block, a count.
struct routed_element {
  int data = 0;
  int address = 0;

  friend bool operator==(routed_element const&, routed_element const&) = default;
};

/// Slots of the blocks of the two transposes, that of the count included.
struct block_sizes {
  std::size_t first = 0;   ///< blksz1
  std::size_t second = 0;  ///< blksz2
};

/// As printed, lines 1 and 5, with h for n/p where processors send as many as they receive.
inline block_sizes printed_sizes(std::size_t h1, std::size_t h2, std::size_t p) {
  return {(2 * h1 + p * p) / (2 * p) + 1, (2 * h2 + p * p) / (2 * p)};
}

/// Blocks with a count in slot 0. An element that has no slot left is dropped, and counted.
class slotted_blocks {
 public:
  slotted_blocks(std::size_t blocks, std::size_t slots) : m_slots(slots), m_all(blocks * slots) {}

  void add(std::size_t block, routed_element const& one) {
    auto& count = m_all[block * m_slots].data;
    auto const slot = static_cast<std::size_t>(count) + 1;
    if (slot >= m_slots) {
      ++m_without_slot;
    } else {
      ++count;
      m_all[block * m_slots + slot] = one;
    }
  }
  [[nodiscard]] std::vector<routed_element> const& all() const { return m_all; }
  [[nodiscard]] std::uint64_t without_slot() const { return m_without_slot; }

 private:
  std::size_t m_slots;
  std::vector<routed_element> m_all;
  std::uint64_t m_without_slot = 0;
};

/// The elements in blocks with a count in slot 0, one block after the other.
inline std::vector<routed_element> contents(std::span<routed_element const> blocks,
                                            std::size_t slots) {
  std::vector<routed_element> all;
  for (std::size_t at = 0; at < blocks.size(); at += slots)
    for (int l = 1; l <= blocks[at].data; ++l)
      all.push_back(blocks[at + static_cast<std::size_t>(l)]);
  return all;
}

/// What came to a processor: array B.
struct routing_result {
  std::vector<routed_element> arrived;
  std::uint64_t without_slot = 0;  ///< elements that a block of this processor had no slot for
};

/// Algorithm 1, with blocks of these sizes.
inline routing_result route(lockstep::processor& me, std::span<routed_element const> elements,
                            block_sizes const& sizes) {
  auto const p = static_cast<std::size_t>(me.size());
  slotted_blocks c(p, sizes.first);
  std::vector<std::size_t> tags(p);
  for (std::size_t k = 0; k < p; ++k) tags[k] = (static_cast<std::size_t>(me.rank()) + k) % p;
  for (auto const& one : elements) {  // 3
    auto& tag = tags[static_cast<std::size_t>(one.address)];
    c.add(tag, one);
    tag = (tag + 1) % p;
  }
  auto const d = transpose_blocks(me, c.all());  // 4
  slotted_blocks e(p, sizes.second);
  for (auto const& one : contents(d, sizes.first))  // 7
    e.add(static_cast<std::size_t>(one.address), one);
  auto const f = transpose_blocks(me, e.all());                             // 8
  return {contents(f, sizes.second), c.without_slot() + e.without_slot()};  // 9, 10
}

}  // namespace as_printed
