#include "engine/memory/stack_slab.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <new>
#include <utility>

#include "engine/memory/sanitizer.hpp"

namespace lockstep::detail {

namespace {

/// Guards that may be made by mprotect: each splits a mapping in two, and the process needs some
/// for itself.
std::size_t most_guards() {
  std::size_t limit = 65'530;
  std::ifstream file("/proc/sys/vm/max_map_count");
  file >> limit;
  return std::max<std::size_t>(limit / 3, 1);
}

/// Makes a page that cannot be touched without splitting the mapping (Linux 6.13 and newer).
bool install_light_guard(std::byte* page, std::size_t bytes) {
  constexpr int madv_guard_install = 102;  // not in the headers of older systems
  return ::madvise(page, bytes, madv_guard_install) == 0;
}

std::size_t total_bytes(std::size_t stacks, std::size_t stride, std::size_t extra) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(stacks, stride, &bytes) ||
      __builtin_add_overflow(bytes, extra, &bytes))
    throw std::bad_alloc();
  return bytes;
}

}  // namespace

std::size_t stack_slab::page() {
  static auto const bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

stack_slab::stack_slab(std::size_t stacks, std::size_t bytes)
    : m_page(page()),
      m_stacks(stacks),
      m_stride(stride(bytes)),
      m_bytes(total_bytes(stacks, m_stride, m_page)),
      m_known(stacks) {
  void* const memory = ::mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  m_memory = m_mapping = static_cast<std::byte*>(memory);
  ::madvise(memory, m_bytes, MADV_NOHUGEPAGE);
  if (!guard_each(stacks) && !guard_groups(stacks)) {
    ::munmap(m_memory, m_bytes);
    throw std::bad_alloc();
  }
  if (!known_stacks::wanted()) return;
  for (std::size_t stack = 0; stack < stacks; ++stack)
    m_known.add(bottom(stack), top_of_slot(stack));
}

bool stack_slab::guard_each(std::size_t stacks) {
  for (std::size_t stack = 0; stack < stacks; ++stack)
    if (!install_light_guard(slot(stack), m_page)) return false;
  return true;
}

bool stack_slab::guard_groups(std::size_t stacks) {
  m_group = (stacks + most_guards() - 1) / most_guards();
  for (std::size_t stack = 0; stack < stacks; stack += m_group)
    if (::mprotect(slot(stack), m_page, PROT_NONE) != 0) return false;
  return true;
}

stack_slab::stack_slab(stack_slab&& other) noexcept
    : m_page(other.m_page),
      m_stacks(other.m_stacks),
      m_stride(other.m_stride),
      m_bytes(other.m_bytes),
      m_memory(std::exchange(other.m_memory, nullptr)),
      m_group(other.m_group),
      m_known(std::move(other.m_known)),
      m_mapping(std::exchange(other.m_mapping, nullptr)) {}

stack_slab::~stack_slab() {
  if (m_mapping == nullptr) return;
  unpoison(m_mapping, m_bytes);
  ::munmap(m_mapping, m_bytes);
}

bool stack_slab::overflowed(std::size_t stack) const {
  if (stack == first_of_group(stack)) return false;  // a page lies below it
  auto const* const zone = top_of_slot(stack - 1) - zone_bytes;
  std::uint64_t any = 0;
  for (std::size_t at = 0; at < zone_bytes; at += sizeof(any)) {
    std::uint64_t word = 0;
    std::memcpy(&word, zone + at, sizeof(word));
    any |= word;
  }
  return any != 0;
}

void stack_slab::give_back(std::size_t stack) const {
  auto const bytes = static_cast<std::size_t>(top_of_slot(stack) - bottom(stack));
  unpoison(bottom(stack), bytes);
  ::madvise(bottom(stack), bytes, MADV_DONTNEED);
}

void stack_slab::lend_memory() const { ::madvise(m_mapping, m_bytes, MADV_FREE); }

}  // namespace lockstep::detail
