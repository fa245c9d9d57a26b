#include <thread>

#include "engine/scheduling/round_barrier.hpp"

// In place of the library's: it waits as long as that does, but with nothing to make sure that what
// the last to come has written is seen by the others.
void lockstep::detail::round_barrier::wait_after(std::uint32_t round) {
  while (m_round.load(std::memory_order_relaxed) == round) std::this_thread::yield();
}
