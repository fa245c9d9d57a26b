#include "engine/memory/kept_stacks.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>

namespace lockstep::detail {

kept_stacks::~kept_stacks() {
  for (auto const& [begin, bytes] : m_pieces) ::munmap(begin, bytes);
}

/// Classes 0 to 7 have 1 to 8 units; beyond, eight classes lead to each power of two.
std::uint32_t kept_stacks::class_of(std::size_t bytes) {
  auto const units = (bytes + unit - 1) / unit - 1;
  if (units < 8) return static_cast<std::uint32_t>(units);
  auto const shift = static_cast<std::size_t>(std::bit_width(units)) - 4;
  return static_cast<std::uint32_t>(8 * shift + (units >> shift));
}

std::size_t kept_stacks::bytes_of(std::uint32_t size_class) {
  if (size_class < 8) return (std::size_t{size_class} + 1) * unit;
  auto const shift = size_class / 8 - 1;
  return ((std::size_t{8} + size_class % 8 + 1) << shift) * unit;
}

void kept_stacks::ask_for_piece(std::size_t bytes) {
  bytes = std::max(bytes, piece_bytes);
  auto& made = m_pieces.emplace_back();  // first, so that nothing is lost if memory runs out
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    m_pieces.pop_back();
    throw std::bad_alloc();
  }
  ::madvise(memory, bytes, MADV_HUGEPAGE);
  made = {static_cast<std::byte*>(memory), bytes};
  m_next = made.begin;
  m_end = m_next + bytes;
}

kept_stacks::kept* kept_stacks::take(std::uint32_t size_class) {
  auto const bytes = bytes_of(size_class);
  void* memory = m_free[size_class];
  if (memory != nullptr) {
    m_free[size_class] = m_free[size_class]->next;
  } else {
    if (static_cast<std::size_t>(m_end - m_next) < bytes) ask_for_piece(bytes);
    memory = m_next;
    m_next += bytes;
  }
  return ::new (memory) kept{0, size_class};
}

/// Chooses a class for a stack that is kept for the first time. Where most stacks outgrew theirs so
/// far, it is at once the one that they took then: the memory that they left is of no use to others.
std::uint32_t kept_stacks::class_to_begin_with(std::uint32_t least) {
  constexpr std::uint32_t enough = 64;  // to be the way of most
  auto chosen = least;
  while (m_first[chosen].outgrown >= enough &&
         2 * m_first[chosen].outgrown > m_first[chosen].stacks)
    chosen = m_first[chosen].then;
  ++m_first[chosen].stacks;
  return chosen;
}

void kept_stacks::note_outgrown(std::uint32_t size_class, std::uint32_t then) {
  auto& left = m_first[size_class];
  left.then = left.outgrown == 0 ? then : std::min(left.then, then);
  ++left.outgrown;
  ++m_first[then].stacks;
}

kept_stacks::kept* kept_stacks::keep(kept* old, std::byte const* left_at, std::byte const* top) {
  auto const used = static_cast<std::size_t>(top - left_at);
  auto* in = old;
  if (old == nullptr || used + sizeof(kept) > bytes_of(old->size_class)) [[unlikely]] {
    if (used > std::numeric_limits<std::uint32_t>::max() - sizeof(kept)) throw std::bad_alloc();
    auto wanted = class_for(used);
    if (old == nullptr) wanted = class_to_begin_with(wanted);
    in = take(wanted);
    if (old != nullptr) note_outgrown(old->size_class, wanted);
    give_back(old);
  }
  in->used = static_cast<std::uint32_t>(used);
  std::memcpy(in->bytes(), left_at, used);
  return in;
}

std::byte* kept_stacks::bring_back(kept const& from, std::byte* top) {
  auto* const left_at = top - from.used;
  std::memcpy(left_at, from.bytes(), from.used);
  return left_at;
}

void kept_stacks::give_back(kept* ended) {
  if (ended == nullptr) return;
  auto& first = m_free[ended->size_class];
  first = ::new (ended) free_memory{first};
}

}  // namespace lockstep::detail
