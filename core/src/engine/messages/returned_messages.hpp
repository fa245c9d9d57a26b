#pragma once

#include <atomic>
#include <utility>

#include "engine/messages/message.hpp"

namespace lockstep::detail {

/// Messages that have ended at other threads and go back to the pool that they came from. Anybody
/// adds to it, the owner of the pool takes all, and nobody holds a lock.
class returned_messages {
 public:
  void push(message* ended) {
    ended->next = m_last.load(std::memory_order_relaxed);
    while (!m_last.compare_exchange_weak(ended->next, ended, std::memory_order_release,
                                         std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] bool empty() const { return m_last.load(std::memory_order_relaxed) == nullptr; }
  /// Takes all out, a list.
  [[nodiscard]] message* take_all() { return m_last.exchange(nullptr, std::memory_order_acquire); }

 private:
  std::atomic<message*> m_last = nullptr;
};

}  // namespace lockstep::detail
