#include "engine/scheduling/round_barrier.hpp"

#include "engine/scheduling/spin.hpp"

namespace lockstep::detail {

namespace {

/// Turns of a waiting loop before it lets the system run something else.
constexpr int most_spins = 4000;

}  // namespace

void round_barrier::wait_after(std::uint32_t round) const {
  for (int spin = 0; spin < most_spins; ++spin) {
    if (m_round.load(std::memory_order_acquire) != round) return;
    relax();
  }
  while (m_round.load(std::memory_order_acquire) == round)
    m_round.wait(round, std::memory_order_acquire);
}

}  // namespace lockstep::detail
