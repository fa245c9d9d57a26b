#include "engine/scheduling/round_barrier.hpp"

#include <algorithm>

#include "engine/scheduling/spin.hpp"

namespace lockstep::detail {

namespace {

// Turns of a waiting loop before it lets the system run something else: half as many after each time
// that they were for nothing, since the member that is waited for may need this core. Now and then
// all of them are tried again.
constexpr int most_spins = 4000;
constexpr int fewest_spins = 10;
constexpr std::uint32_t rounds_between_trials = 64;

}  // namespace

bool round_barrier::ends_within(int spins, std::uint32_t round) const {
  for (int spin = 0; spin < spins; ++spin) {
    if (m_round.load(std::memory_order_acquire) != round) return true;
    relax();
  }
  return false;
}

void round_barrier::wait_after(std::uint32_t round) {
  int const usual = m_spins.load(std::memory_order_relaxed);
  int const spins = round % rounds_between_trials == 0 ? most_spins : usual;
  bool const ended = ends_within(spins, round);
  int const next = ended ? std::min(most_spins, 2 * spins) : std::max(fewest_spins, usual / 2);
  if (next != usual) m_spins.store(next, std::memory_order_relaxed);
  while (m_round.load(std::memory_order_acquire) == round)
    m_round.wait(round, std::memory_order_acquire);
}

}  // namespace lockstep::detail
