#include "collectives/phase_counter.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <lockstep/errors.hpp>

namespace lockstep {

phase_counter::phase_counter(int p, std::uint64_t packet)
    : m_packet(packet),
      m_sent(static_cast<std::size_t>(std::max(p, 0))),
      m_received(m_sent.size()) {
  if (p < 1 || packet == 0)
    throw invalid_argument(
        fmt::format("{} processors and packets of {} words: give at least 1 of both", p, packet));
}

void phase_counter::move(int from, int to, std::size_t elements) {
  if (elements == 0) return;
  auto const words = (elements - 1) / m_packet * m_packet + m_packet;
  m_sent[static_cast<std::size_t>(from)] += words;
  m_received[static_cast<std::size_t>(to)] += words;
  m_counts.volume += words;
  ++m_counts.messages;
}

void phase_counter::end_phase(std::size_t rounds) {
  auto const words = std::max(std::ranges::max(m_sent), std::ranges::max(m_received));
  m_counts.rounds += rounds;
  m_counts.startups += words > 0 ? 1 : 0;
  m_counts.words += words;
  std::ranges::fill(m_sent, 0);
  std::ranges::fill(m_received, 0);
}

}  // namespace lockstep
