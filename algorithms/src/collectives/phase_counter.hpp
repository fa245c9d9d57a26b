#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lockstep/algorithms/collectives/schedule_counts.hpp>

namespace lockstep {

/// Adds up the messages of a schedule, phase by phase.
class phase_counter {
 public:
  /// Errors: invalid_argument for p < 1, packets of 0 words, or more processors than are counted.
  phase_counter(int p, std::uint64_t packet);

  /// Counts a message of the phase; elements count as one word.
  /// Errors: invalid_argument where a count passes 64 bits.
  void move(int from, int to, std::size_t elements);
  void end_phase(std::size_t rounds);

  [[nodiscard]] schedule_counts const& counts() const { return m_counts; }

 private:
  std::uint64_t m_packet;
  std::vector<std::uint64_t> m_sent;
  std::vector<std::uint64_t> m_received;
  schedule_counts m_counts;
};

/// Errors: invalid_argument for p < 1 or packets of 0 words.
void require_schedule(int p, std::uint64_t packet);

}  // namespace lockstep
