#include "stack_slab.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <new>

namespace lockstep::detail {

namespace {

/// Guards that may be made: each splits a mapping in two, and the process needs some for itself.
std::size_t most_guards() {
  std::size_t limit = 65'530;
  std::ifstream file("/proc/sys/vm/max_map_count");
  file >> limit;
  return std::max<std::size_t>(limit / 3, 1);
}

}  // namespace

std::size_t stack_slab::page() {
  static std::size_t const bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

stack_slab::stack_slab(std::size_t stacks, std::size_t bytes)
    : m_page(page()),
      // One page more than asked for: a guard, and no power of two, so that stacks spread over the caches.
      m_stride((bytes + m_page - 1) / m_page * m_page + m_page),
      m_group((stacks + most_guards() - 1) / most_guards()) {
  m_group = std::max<std::size_t>(m_group, 1);
  auto const groups = (stacks + m_group - 1) / m_group;
  m_bytes = stacks * m_stride + (m_group == 1 ? 0 : groups * m_page);
  void* const memory = ::mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  m_memory = static_cast<std::byte*>(memory);
  ::madvise(memory, m_bytes, MADV_NOHUGEPAGE);
  for (std::size_t group = 0; group < groups; ++group) {
    auto* const below = m_memory + group * (m_group * m_stride + (m_group == 1 ? 0 : m_page));
    if (::mprotect(below, m_page, PROT_NONE) != 0) {
      ::munmap(m_memory, m_bytes);
      throw std::bad_alloc();
    }
  }
}

stack_slab::~stack_slab() { ::munmap(m_memory, m_bytes); }

bool stack_slab::overflowed(std::size_t stack) const {
  if (stack == first_of_group(stack)) return false;  // a page lies below it
  auto const* const zone = slot_end(stack - 1) - zone_bytes;
  std::uint64_t any = 0;
  for (std::size_t at = 0; at < zone_bytes; at += sizeof(any)) {
    std::uint64_t word = 0;
    std::memcpy(&word, zone + at, sizeof(word));
    any |= word;
  }
  return any != 0;
}

void stack_slab::give_back(std::size_t stack) const {
  // The zone above belongs to the next stack.
  ::madvise(bottom(stack), m_stride - guard_bytes(), MADV_DONTNEED);
}

}  // namespace lockstep::detail
