#include "in_port_log.hpp"

#include <lockstep/errors.hpp>

namespace lockstep::cli {

in_port_log::in_port_log(int processors, step_range steps, std::vector<int> const& ranks,
                         std::size_t most)
    : m_steps(steps),
      m_most(most),
      m_tallies(static_cast<std::size_t>(processors)),
      m_is_watched(m_tallies.size(), ranks.empty()) {
  for (int const rank : ranks) m_is_watched.at(static_cast<std::size_t>(rank)) = true;
}

void in_port_log::message(message_record const& seen) {
  add_up(seen);
  bool const is_wanted = seen.step >= m_steps.first && seen.step <= m_steps.last &&
                         m_is_watched[static_cast<std::size_t>(seen.to)];
  if (is_wanted) keep(seen);
}

void in_port_log::cut_off(std::string const& why) { throw incomplete_trace("the chart " + why); }

void in_port_log::add_up(message_record const& seen) {
  auto& tally = m_tallies[static_cast<std::size_t>(seen.to)];
  tally.words += seen.words;
  tally.messages += seen.words > 0 ? 1 : 0;
  if (tally.last_busy != seen.step) ++tally.busy_steps;
  tally.last_busy = seen.step;
}

/// A step that cannot be kept whole is the first that is not.
void in_port_log::keep(message_record const& seen) {
  if (m_kept.size() < m_most) return m_kept.push_back(seen);
  while (!m_kept.empty() && m_kept.back().step == seen.step) m_kept.pop_back();
  m_steps.last = seen.step - 1;
  m_is_full = true;
}

}  // namespace lockstep::cli
