#pragma once

#include <boost/lockfree/queue.hpp>

#include "engine/memory/sanitizer.hpp"
#include "engine/messages/message.hpp"

namespace lockstep::detail {

/// The messages that other threads have sent to a processor and that it has not looked at. Anybody
/// adds to it, the processor's own thread takes out, and nobody holds a lock. Messages of one sender
/// keep their order.
///
/// It is one queue for all senders, as a queue for each would be p * p of them, each with a limit.
class arrivals {
 public:
  /// Errors: std::bad_alloc; then nothing was added.
  void push(message* sent) {
    ignored_accesses const by_the_queue;
    m_queue.push(sent);
  }
  /// Takes the oldest, or nullptr.
  [[nodiscard]] message* pop() {
    ignored_accesses const by_the_queue;
    message* oldest = nullptr;
    m_queue.pop(oldest);
    return oldest;
  }

 private:
  boost::lockfree::queue<message*> m_queue{0};
};

}  // namespace lockstep::detail
