#include "engine/scheduling/round_barrier.hpp"

#include <algorithm>

#include "engine/scheduling/spin.hpp"

namespace lockstep::detail {

namespace {

// Turns of a waiting loop before it lets the system run something else: fewer after each time that
// they were for nothing, since the member that is waited for may need this core.
constexpr int most_spins = 4000;
constexpr int fewest_spins = 10;

}  // namespace

void round_barrier::wait_after(std::uint32_t round) {
  int const spins = m_spins.load(std::memory_order_relaxed);
  for (int spin = 0; spin < spins; ++spin) {
    if (m_round.load(std::memory_order_acquire) != round) {
      if (spins < most_spins) m_spins.store(spins + spins / 2, std::memory_order_relaxed);
      return;
    }
    relax();
  }
  m_spins.store(std::max(fewest_spins, spins / 2), std::memory_order_relaxed);
  while (m_round.load(std::memory_order_acquire) == round)
    m_round.wait(round, std::memory_order_acquire);
}

}  // namespace lockstep::detail
