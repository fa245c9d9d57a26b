#include "engine/memory/private_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "engine/memory/stack_slab.hpp"

namespace lockstep::detail {

namespace {

/// Addresses, not memory: 64 GiB for each of 64 processors.
constexpr std::size_t address_space = std::size_t{1} << 42;

std::size_t whole_pages(std::size_t bytes) {
  auto const page = stack_slab::page();
  return (bytes + page - 1) / page * page;
}

}  // namespace

bool private_pages::slot::protect(int protection) const noexcept {
  auto const bytes = static_cast<std::size_t>(m_used_end - m_begin);
  return bytes == 0 || ::mprotect(m_begin, bytes, protection) == 0;
}

void* private_pages::slot::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes > static_cast<std::size_t>(m_end - m_begin) || alignment > stack_slab::page())
    throw std::bad_alloc();
  auto const wanted = whole_pages(bytes);
  auto const fits =
      std::ranges::find_if(m_free, [&](auto const& one) { return one.second >= wanted; });
  if (fits != m_free.end()) {
    auto const [begin, free] = *fits;
    m_free.erase(fits);
    if (free > wanted) m_free.emplace(begin + wanted, free - wanted);
    return begin;
  }
  if (wanted > static_cast<std::size_t>(m_end - m_used_end) ||
      ::mprotect(m_used_end, wanted, PROT_READ | PROT_WRITE) != 0)
    throw std::bad_alloc();
  return std::exchange(m_used_end, m_used_end + wanted);
}

void private_pages::slot::do_deallocate(void* block, std::size_t bytes, std::size_t /*alignment*/) {
  auto* const begin = static_cast<std::byte*>(block);
  ::madvise(begin, whole_pages(bytes), MADV_DONTNEED);
  auto const freed = m_free.emplace(begin, whole_pages(bytes)).first;
  auto const join = [&](auto left, auto right) {
    if (left->first + left->second != right->first) return;
    left->second += right->second;
    m_free.erase(right);
  };
  if (auto const next = std::next(freed); next != m_free.end()) join(freed, next);
  if (freed != m_free.begin()) join(std::prev(freed), freed);
}

private_pages::private_pages(int processors)
    : m_slot_bytes(address_space / static_cast<std::size_t>(processors) / stack_slab::page() *
                   stack_slab::page()),
      m_bytes(m_slot_bytes * static_cast<std::size_t>(processors)) {
  void* const memory =
      ::mmap(nullptr, m_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  m_memory = static_cast<std::byte*>(memory);
  m_slots.reserve(static_cast<std::size_t>(processors));
  for (auto* begin = m_memory; begin < m_memory + m_bytes; begin += m_slot_bytes)
    m_slots.emplace_back(begin, begin + m_slot_bytes);
  m_open.reserve(m_slots.size() + 1);
}

private_pages::~private_pages() { ::munmap(m_memory, m_bytes); }

std::shared_ptr<std::pmr::memory_resource> private_pages::resource_of(int rank) {
  // Small blocks share pages.
  struct pooled {
    pooled(std::shared_ptr<private_pages> all, slot& mine) : pages(std::move(all)), pool(&mine) {}
    std::shared_ptr<private_pages> pages;
    std::pmr::unsynchronized_pool_resource pool;
  };
  auto const all =
      std::make_shared<pooled>(shared_from_this(), m_slots[static_cast<std::size_t>(rank)]);
  return {all, &all->pool};
}

void private_pages::open_only(int rank) {
  for (int const other : m_open)
    if (other != rank) m_slots[static_cast<std::size_t>(other)].protect(PROT_NONE);
  m_open.clear();
  if (rank != nobody) open(rank);
}

void private_pages::open_all() {
  for (auto const& one : m_slots) one.protect(PROT_READ | PROT_WRITE);
}

int private_pages::owner_of(std::byte const* address) const noexcept {
  if (address < m_memory || address >= m_memory + m_bytes) return nobody;
  auto const rank = static_cast<std::size_t>(address - m_memory) / m_slot_bytes;
  return m_slots[rank].has(address) ? static_cast<int>(rank) : nobody;
}

bool private_pages::open(int rank) noexcept {
  if (!m_slots[static_cast<std::size_t>(rank)].protect(PROT_READ | PROT_WRITE)) return false;
  if (m_open.size() < m_open.capacity()) m_open.push_back(rank);
  return true;
}

}  // namespace lockstep::detail
