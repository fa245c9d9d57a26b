#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/memory/known_stacks.hpp"

namespace lockstep::detail {

/// The stacks of all fibers, in one mapping. A stack takes memory only where it is touched.
///
/// A page that cannot be touched lies below each stack. Where the system knows no guards that leave
/// a mapping whole, and each would take more mappings than it allows, such a page lies below each
/// group of stacks only; then a zone of bytes that have to stay zero lies between two stacks of a
/// group, and is looked at whenever a fiber is left.
class stack_slab {
 public:
  /// Errors: std::bad_alloc if the address space is used up.
  stack_slab(std::size_t stacks, std::size_t bytes);
  /// Takes over the stacks of another slab, which has none then.
  stack_slab(stack_slab&& other) noexcept;
  stack_slab& operator=(stack_slab&&) = delete;
  ~stack_slab();

  /// Numbers the stacks from `first` on, where each has a guard of its own.
  void begin_at(std::size_t first) {
    auto const begin = reinterpret_cast<std::uintptr_t>(m_mapping);
    m_memory = reinterpret_cast<std::byte*>(begin - first * m_stride);
  }

  /// Whether it was made for that many stacks of that size.
  [[nodiscard]] bool has(std::size_t stacks, std::size_t bytes) const {
    return m_stacks == stacks && m_stride == stride(bytes);
  }
  /// Bytes of address space.
  [[nodiscard]] std::size_t mapped_bytes() const { return m_bytes; }
  /// Bytes of memory that the stacks take once each was used.
  [[nodiscard]] std::size_t least_touched() const { return m_stacks * m_page; }

  /// Finds the highest address of a stack, where it begins. Stacks begin at different places of a
  /// page, for the sake of the caches.
  [[nodiscard]] std::byte* top(std::size_t stack) const {
    return top_of_slot(stack) - zone_bytes - stack / pages_per_way % colours * colour_bytes;
  }
  /// Bytes from `bottom` to `top`.
  [[nodiscard]] std::size_t size(std::size_t stack) const {
    return static_cast<std::size_t>(top(stack) - bottom(stack));
  }
  /// The lowest address that may be used.
  [[nodiscard]] std::byte* bottom(std::size_t stack) const { return slot(stack) + m_page; }

  /// Whether a zone between stacks tells of overflows, rather than a page below each.
  [[nodiscard]] bool has_zones() const { return m_group > 1; }
  /// Whether the stack has run over into the zone below it.
  [[nodiscard]] bool overflowed(std::size_t stack) const;
  /// Finds the first stack of the group that a stack belongs to. An overflow damages no stack
  /// before it.
  [[nodiscard]] std::size_t first_of_group(std::size_t stack) const {
    return stack / m_group * m_group;
  }

  [[nodiscard]] std::size_t stacks_per_group() const { return m_group; }

  [[nodiscard]] std::byte const* begin() const { return m_mapping; }
  [[nodiscard]] std::byte const* end() const { return m_mapping + m_bytes; }
  [[nodiscard]] bool holds(std::byte const* address) const {
    return address >= begin() && address < end();
  }

  /// Gives back the memory of a stack whose fiber has ended.
  void give_back(std::size_t stack) const;
  /// Lets the system take the memory of all stacks where it is short of it, until they are touched
  /// again. All fibers have ended.
  void lend_memory() const;

  [[nodiscard]] static std::size_t page();
  /// Computes the memory that a stack takes that is touched in that many bytes. Stacks begin at
  /// different places of a page, so that on average half a page is lost.
  [[nodiscard]] static std::size_t touched_bytes(std::size_t used) {
    auto const lost = zone_bytes + (colours - 1) * colour_bytes / 2;
    return std::max(page(), (used + lost + page() - 1) / page() * page());
  }
  /// Computes the address space of a stack with its guard: one page more than asked for, and so not
  /// a power of two, so that stacks spread over the caches.
  [[nodiscard]] static std::size_t stride(std::size_t bytes) {
    return (bytes + page() - 1) / page() * page() + page();
  }

 private:
  static constexpr std::size_t zone_bytes = 256;
  static constexpr std::size_t colours = 32;
  static constexpr std::size_t colour_bytes = 64;
  /// Stacks lie a page apart modulo 16 pages, so only stacks that many apart meet in a cache.
  static constexpr std::size_t pages_per_way = 16;

  /// A stack and, below it, the page that may be its guard.
  [[nodiscard]] std::byte* slot(std::size_t stack) const { return m_memory + stack * m_stride; }
  [[nodiscard]] std::byte* top_of_slot(std::size_t stack) const { return slot(stack) + m_stride; }
  [[nodiscard]] bool guard_each(std::size_t stacks);
  [[nodiscard]] bool guard_groups(std::size_t stacks);

  std::size_t m_page;
  std::size_t m_stacks;
  std::size_t m_stride;
  std::size_t m_bytes;
  std::byte* m_memory = nullptr;  ///< where stack 0 has its place, or would have it
  std::size_t m_group = 1;        ///< stacks that share a guard
  known_stacks m_known;
  std::byte* m_mapping = nullptr;
};

}  // namespace lockstep::detail
