#include "collectives/phase_counter.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/algorithms/detail/size_checks.hpp>
#include <lockstep/detail/checked_counts.hpp>
#include <lockstep/errors.hpp>

namespace lockstep {

using detail::checked_sum;

void require_schedule(int p, std::uint64_t packet) {
  if (p < 1 || packet == 0)
    throw invalid_argument(
        fmt::format("{} processors and packets of {} words: give at least 1 of both", p, packet));
}

phase_counter::phase_counter(int p, std::uint64_t packet) : m_packet(packet) {
  require_schedule(p, packet);
  detail::require_counted_processors("schedule", p);
  m_sent.resize(static_cast<std::size_t>(p));
  m_received.resize(m_sent.size());
}

void phase_counter::move(int from, int to, std::size_t elements) {
  if (elements == 0) return;
  auto const words = detail::in_whole_packets(elements, m_packet);
  m_counts.volume = checked_sum(m_counts.volume, words);  // no other sum is larger
  m_sent[static_cast<std::size_t>(from)] += words;
  m_received[static_cast<std::size_t>(to)] += words;
  ++m_counts.messages;
}

void phase_counter::end_phase(std::size_t rounds) {
  auto const words = std::max(std::ranges::max(m_sent), std::ranges::max(m_received));
  m_counts.rounds += rounds;
  m_counts.startups += words > 0 ? 1 : 0;
  m_counts.words = checked_sum(m_counts.words, words);
  std::ranges::fill(m_sent, 0);
  std::ranges::fill(m_received, 0);
}

}  // namespace lockstep
