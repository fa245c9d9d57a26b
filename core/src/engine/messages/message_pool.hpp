#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/messages/message.hpp"

namespace lockstep::detail {

/// The messages of one worker and their buffers. They are used again, so that a steady state needs
/// no allocation per message. A message that ends at another worker is sent back to its own pool.
class message_pool {
 public:
  explicit message_pool(std::uint8_t home = 0) : m_home(home) {}
  message_pool(message_pool const&) = delete;
  message_pool& operator=(message_pool const&) = delete;
  ~message_pool();

  // Without memory these give nullptr.

  /// Takes a message with a buffer of `bytes` bytes, aligned to 64 where they do not fit in place.
  [[nodiscard]] message* take(std::size_t bytes, std::size_t alignment) {
    if (bytes > message::in_place_bytes || alignment > message::in_place_bytes) [[unlikely]]
      return take_with_buffer(bytes);
    return take_in_place();
  }

  /// Takes a message whose elements lie in it.
  [[nodiscard]] message* take_in_place() {
    auto* const taken = take_message();
    if (taken != nullptr) [[likely]]
      taken->kind = storage_kind::in_place;
    return taken;
  }

  /// Finds the buffer for the elements of a message that was just taken.
  [[nodiscard]] static std::byte* buffer_of(message& of) {
    return of.kind == storage_kind::in_place ? of.in_place : of.buffer.data;
  }

  /// Takes a message, and moves a std::vector into it.
  [[nodiscard]] message* take_vector(void* vector, payload_type const& type);

  /// Takes a message whose elements stay where the sender has them.
  [[nodiscard]] message* take_lent(std::byte const* elements);
  /// Copies elements that are lent into a buffer of this pool. False without memory.
  [[nodiscard]] bool copy_lent(message& lent);

  /// Destroys a vector that lies in a message.
  static void empty(message& of) {
    if (of.kind != storage_kind::vector) [[likely]]
      return;
    of.type->destroy_vector(of.buffer.data);
    of.kind = storage_kind::buffer;
  }

  /// Ends a message of this pool: its elements are gone.
  void give_back(message* ended) {
    if (ended->kind != storage_kind::in_place) [[unlikely]]
      detach_buffer(*ended);
    ended->next = m_free;
    m_free = ended;
  }

  [[nodiscard]] std::uint8_t home() const { return m_home; }
  /// How often the system was asked for memory.
  [[nodiscard]] std::uint64_t allocations() const { return m_allocations; }

 private:
  static constexpr std::size_t messages_per_block = 256;
  static constexpr std::size_t smallest_buffer = 64;
  static constexpr std::size_t size_classes = 48;

  struct free_buffer {
    free_buffer* next;
  };

  [[nodiscard]] message* take_message() {
    if (m_free == nullptr && !allocate_block()) [[unlikely]]
      return nullptr;
    auto* const taken = m_free;
    m_free = taken->next;
    __builtin_prefetch(m_free);
    taken->home = m_home;
    return taken;
  }

  [[nodiscard]] message* take_with_buffer(std::size_t bytes);
  [[nodiscard]] bool allocate_block();
  [[nodiscard]] bool attach_buffer(message& to, std::size_t bytes);
  void detach_buffer(message& from);

  message* m_free = nullptr;
  std::array<free_buffer*, size_classes> m_free_buffers{};
  std::vector<std::unique_ptr<message[]>> m_blocks;
  std::vector<void*> m_buffers;
  std::uint64_t m_allocations = 0;
  std::uint8_t m_home;
};

}  // namespace lockstep::detail
