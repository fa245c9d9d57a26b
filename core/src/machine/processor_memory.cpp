#include <lockstep/processor_memory.hpp>

#include <algorithm>
#include <utility>

namespace lockstep {

processor_memory::processor_memory(std::shared_ptr<std::pmr::memory_resource> upstream)
    : m_upstream(std::move(upstream)) {}

processor_memory::~processor_memory() = default;

void processor_memory::drop_reference() noexcept {
  if (m_holds.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void* processor_memory::do_allocate(std::size_t bytes, std::size_t alignment) {
  auto* const block = m_upstream->allocate(bytes, alignment);
  m_holds.fetch_add(1, std::memory_order_relaxed);
  m_bytes += bytes;
  m_peak_bytes = std::max(m_peak_bytes, m_bytes);
  return block;
}

void processor_memory::do_deallocate(void* block, std::size_t bytes, std::size_t alignment) {
  m_upstream->deallocate(block, bytes, alignment);
  m_bytes -= bytes;
  drop_reference();
}

}  // namespace lockstep
