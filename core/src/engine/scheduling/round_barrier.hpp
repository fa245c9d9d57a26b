#pragma once

#include <atomic>
#include <cstdint>

namespace lockstep::detail {

/// The barrier at which the members of a team wait for one another after each round.
class round_barrier {
 public:
  explicit round_barrier(int members) : m_members(members) {}

  /// Waits for all; the last to come calls `alone` while the others wait.
  template <class Alone>
  void arrive(Alone&& alone) {
    auto const round = m_round.load(std::memory_order_acquire);
    if (m_arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == m_members) {
      alone();
      m_arrived.store(0, std::memory_order_relaxed);
      m_round.store(round + 1, std::memory_order_release);
      m_round.notify_all();
      return;
    }
    wait_after(round);
  }

 private:
  [[nodiscard]] bool ends_within(int spins, std::uint32_t round) const;
  void wait_after(std::uint32_t round);

  int const m_members;
  alignas(64) std::atomic<int> m_arrived = 0;
  alignas(64) std::atomic<std::uint32_t> m_round = 0;
  alignas(64) std::atomic<int> m_spins = 4000;
};

}  // namespace lockstep::detail
