#include "engine/messages/message_pool.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace lockstep::detail {

namespace {
constexpr std::align_val_t buffer_alignment{64};
}  // namespace

message_pool::~message_pool() {
  for (auto* buffer : m_buffers) ::operator delete(buffer, buffer_alignment);
}

message* message_pool::take_vector(void* vector, payload_type const& type) {
  auto* const taken = take_with_buffer(smallest_buffer);
  if (taken == nullptr) return nullptr;
  taken->kind = storage_kind::vector;
  taken->type = &type;
  static_assert(sizeof(std::vector<int>) <= smallest_buffer);
  type.move_vector(vector, taken->buffer.data);
  return taken;
}

message* message_pool::take_lent(std::byte const* elements) {
  auto* const taken = take_message();
  if (taken == nullptr) return nullptr;
  taken->kind = storage_kind::lent;
  taken->buffer.data = const_cast<std::byte*>(elements);  // nobody writes to them
  return taken;
}

bool message_pool::copy_lent(message& lent) {
  auto const* const elements = lent.buffer.data;
  auto const bytes = lent.count * lent.type->size;
  if (!attach_buffer(lent, bytes)) return false;
  std::memcpy(lent.buffer.data, elements, bytes);
  lent.kind = storage_kind::buffer;
  return true;
}

message* message_pool::take_with_buffer(std::size_t bytes) {
  auto* const taken = take_message();
  if (taken == nullptr) return nullptr;
  taken->kind = storage_kind::buffer;
  if (attach_buffer(*taken, bytes)) [[likely]]
    return taken;
  taken->kind = storage_kind::in_place;
  give_back(taken);
  return nullptr;
}

bool message_pool::allocate_block() try {
  ++m_allocations;
  auto& block =
      m_blocks.emplace_back(std::make_unique_for_overwrite<message[]>(messages_per_block));
  for (std::size_t at = messages_per_block; at-- > 0;) {
    block[at].next = m_free;
    m_free = &block[at];
  }
  return true;
} catch (std::bad_alloc const&) {
  return false;
}

bool message_pool::attach_buffer(message& to, std::size_t bytes) try {
  auto const size = std::bit_ceil(std::max(bytes, smallest_buffer));
  auto const size_class = static_cast<std::uint32_t>(std::countr_zero(size));
  to.buffer.size_class = size_class;
  if (auto* const free = m_free_buffers[size_class]; free != nullptr) {
    m_free_buffers[size_class] = free->next;
    to.buffer.data = reinterpret_cast<std::byte*>(free);
    return true;
  }
  ++m_allocations;
  m_buffers.push_back(nullptr);  // first, so that nothing is lost if memory runs out
  m_buffers.back() = ::operator new(size, buffer_alignment);
  to.buffer.data = static_cast<std::byte*>(m_buffers.back());
  return true;
} catch (std::bad_alloc const&) {
  return false;
}

void message_pool::detach_buffer(message& from) {
  if (from.kind == storage_kind::lent) return;
  empty(from);
  auto* const free = ::new (from.buffer.data) free_buffer{m_free_buffers[from.buffer.size_class]};
  m_free_buffers[from.buffer.size_class] = free;
}

}  // namespace lockstep::detail
