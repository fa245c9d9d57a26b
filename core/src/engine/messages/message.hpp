#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <unordered_map>

#include <lockstep/detail/payload_type.hpp>
#include <lockstep/topology.hpp>

#include "engine/call_place.hpp"

namespace lockstep::detail {

/// The way of a message: the topology's own route, or one along a dimension that its sender chose.
class way_taken {
 public:
  way_taken() = default;
  explicit way_taken(along way)
      : m_bits(static_cast<std::uint8_t>(chosen | (way.offset < 0 ? backwards : 0) |
                                         (way.dimension & 7))) {}

  bool operator==(way_taken const&) const = default;
  [[nodiscard]] bool by_topology() const { return m_bits == 0; }
  [[nodiscard]] along to_along(std::uint64_t hops) const {
    return {dimension(), direction() * static_cast<int>(hops)};
  }
  [[nodiscard]] std::uint8_t dimension() const { return m_bits & 7; }
  /// 1 or -1; 0 if it was the topology's route.
  [[nodiscard]] std::int8_t direction() const {
    if (by_topology()) return 0;
    return (m_bits & backwards) != 0 ? -1 : 1;
  }

 private:
  static constexpr int chosen = 0x80;
  static constexpr int backwards = 0x40;
  std::uint8_t m_bits = 0;
};

/// The part of a message that the receiver's clock and the counters need.
struct envelope {
  std::uint64_t stamp = 0;  ///< the step in which it was sent
  std::uint32_t count = 0;  ///< elements
  std::uint32_t hops = 0;
  int from = 0;
  std::uint8_t pass = 0;
  way_taken way{};
};

/// The largest number of elements of a message.
inline constexpr std::size_t most_elements = 0xFFFF'FFFF;
/// The largest number of links of a way along a dimension.
inline constexpr std::int64_t longest_way = 1 << 24;
/// The number of passes that have channels of their own.
inline constexpr int most_passes = 255;
/// The channel of one-sided reads and writes, apart from those of all passes.
inline constexpr std::uint8_t one_sided_pass = 255;
/// The largest number of workers of a run.
inline constexpr int most_workers = 256;

enum class storage_kind : std::uint8_t {
  in_place,  ///< the elements lie in the message itself
  buffer,    ///< in a pooled buffer
  lent,      ///< in the memory of the sender, which waits
  vector     ///< in a moved std::vector, which lies in a pooled buffer
};

/// Memory of a pool.
struct pooled_buffer {
  std::byte* data;
  std::uint32_t size_class;
};

/// A message under way. It takes one cache line, so that a word does not cost a second one.
struct alignas(64) message : envelope {
  static constexpr std::size_t in_place_bytes = 16;

  std::uint8_t home;  ///< the worker whose pool it belongs to
  storage_kind kind;
  message* next;
  payload_type const* type;
  call_place where;  ///< of the send
  union {
    alignas(16) std::byte in_place[in_place_bytes];
    pooled_buffer buffer;
  };

  [[nodiscard]] std::byte const* elements() const {
    switch (kind) {
      case storage_kind::in_place:
        return in_place;
      case storage_kind::buffer:
      case storage_kind::lent:
        return buffer.data;
      case storage_kind::vector:
        return type->vector_data(buffer.data);
    }
    return nullptr;
  }
};
static_assert(sizeof(message) == 64, "a message takes one cache line");

/// Messages in the order of their arrival.
struct message_queue {
  message* head = nullptr;
  message* tail = nullptr;

  [[nodiscard]] bool empty() const { return head == nullptr; }

  void push(message* arrived) {
    arrived->next = nullptr;
    (tail == nullptr ? head : tail->next) = arrived;
    tail = arrived;
  }

  /// Takes out `which`, the successor of `before` (nullptr: the head).
  void remove(message* before, message* which) {
    (before == nullptr ? head : before->next) = which->next;
    if (tail == which) tail = before;
  }
};

/// The queues of an inbox by channel, made at first use. They take one word of it: the lowest bit of the
/// pointer says whether messages lie there.
class channel_queues {
 public:
  using table = std::unordered_map<std::uint64_t, message_queue>;

  channel_queues() = default;
  channel_queues(channel_queues const&) = delete;
  channel_queues& operator=(channel_queues const&) = delete;
  ~channel_queues() { delete get(); }

  /// Whether messages lie there, as far as `note_use` was told.
  [[nodiscard]] bool in_use() const { return (m_bits & used) != 0; }
  void note_use() { m_bits = (m_bits & ~used) | (get()->empty() ? 0 : used); }
  /// Gives the queues; nullptr before they were made.
  [[nodiscard]] table* get() const { return reinterpret_cast<table*>(m_bits & ~used); }
  /// Makes them, if there are none and memory allows.
  void make() noexcept {
    if (get() == nullptr) m_bits = reinterpret_cast<std::uintptr_t>(new (std::nothrow) table);
  }

 private:
  static constexpr std::uintptr_t used = 1;
  static_assert(alignof(table) > used);

  std::uintptr_t m_bits = 0;
};

/// The messages that have come to a processor and were not yet asked for. They are a list in the
/// order of arrival, and are sorted by channel once one was found far from its beginning, for
/// example where all processors send to one, which asks in another order.
class inbox {
 public:
  void push(message* arrived) {
    if (m_by_channel.in_use()) [[unlikely]]
      return push_sorted(arrived);
    m_list.push(arrived);
  }

  /// Takes out the oldest message of that channel; nullptr without one.
  [[nodiscard, gnu::always_inline]] message* take(int from, std::uint8_t pass) {
    if (m_by_channel.in_use()) [[unlikely]]
      return take_sorted(from, pass);
    message* before = nullptr;
    int passed = 0;
    for (auto* at = m_list.head; at != nullptr; before = at, at = at->next) {
      if (at->from == from && at->pass == pass) [[likely]] {
        m_list.remove(before, at);
        return at;
      }
      if (++passed > longest_search) [[unlikely]] {
        sort();
        return take_sorted(from, pass);
      }
    }
    return nullptr;
  }

  [[nodiscard]] bool empty() const { return m_list.empty() && !m_by_channel.in_use(); }
  /// Whether a message of that channel is there.
  [[nodiscard]] bool has(int from, std::uint8_t pass) noexcept;

  template <class Visitor>
  void for_each(Visitor&& visit) const {
    for (auto const* at = m_list.head; at != nullptr; at = at->next) visit(*at);
    if (!m_by_channel.in_use()) return;
    for (auto const& [key, list] : *m_by_channel.get())
      for (auto const* at = list.head; at != nullptr; at = at->next) visit(*at);
  }

  /// Calls visit(message) for the oldest message of each sender in that pass.
  template <class Visitor>
  void visit_oldest(std::uint8_t pass, Visitor&& visit) {
    sort_if_long();
    for (auto const* at = m_list.head; at != nullptr; at = at->next)
      if (at->pass == pass && is_oldest_listed(*at)) visit(*at);
    if (!m_by_channel.in_use()) return;
    for (auto const& [key, list] : *m_by_channel.get())
      if (list.head->pass == pass && !is_listed(list.head->from, pass)) visit(*list.head);
  }

  /// Gives every message to `dispose` and forgets it.
  template <class Dispose>
  void clear(Dispose&& dispose) {
    auto dispose_all = [&](message_queue& list) {
      for (auto* at = list.head; at != nullptr;) {
        auto* const next = at->next;
        dispose(at);
        at = next;
      }
      list = {};
    };
    dispose_all(m_list);
    if (!m_by_channel.in_use()) return;
    for (auto& entry : *m_by_channel.get()) dispose_all(entry.second);
    m_by_channel.get()->clear();
    m_by_channel.note_use();
  }

 private:
  static constexpr int longest_search = 16;

  static std::uint64_t channel(int from, std::uint8_t pass) {
    return (std::uint64_t{pass} << 32) | static_cast<std::uint32_t>(from);
  }

  void sort() noexcept;
  void sort_if_long() noexcept;
  [[nodiscard]] bool is_oldest_listed(message const& one) const noexcept;
  [[nodiscard]] bool is_listed(int from, std::uint8_t pass) const noexcept;
  [[nodiscard]] bool is_sorted(int from, std::uint8_t pass) const noexcept;
  void push_sorted(message* arrived) noexcept;
  [[nodiscard]] message* take_listed(int from, std::uint8_t pass) noexcept;
  [[nodiscard]] message* take_sorted(int from, std::uint8_t pass) noexcept;

  message_queue m_list;
  channel_queues m_by_channel;  ///< once in use, all messages for which there was memory
};

}  // namespace lockstep::detail
