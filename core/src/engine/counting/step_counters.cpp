#include "engine/counting/step_counters.hpp"

#include <algorithm>

namespace lockstep::detail {

void step_counters::add(step_counters const& other) {
  messages += other.messages;
  volume += other.volume;
  largest = std::max(largest, other.largest);
  largest_in_runs = std::max(largest_in_runs, other.largest_in_runs);
  longest_route = std::max(longest_route, other.longest_route);
  queued = std::max(queued, other.queued);
  contention = std::max(contention, other.contention);
  any_empty = any_empty || other.any_empty;
  link_words = std::max(link_words, other.link_words);
}

void step_counter_blocks::select_block_of(std::uint64_t step) {
  auto const number = step / steps_in_block;
  auto at = m_blocks.lower_bound(number);
  if (at == m_blocks.end() || at->first != number) {
    ++m_begun;
    if (m_spare.empty()) {
      at = m_blocks.try_emplace(at, number);
    } else {
      auto spare = std::move(m_spare.back());
      m_spare.pop_back();
      spare.key() = number;
      spare.mapped() = {};
      at = m_blocks.insert(at, std::move(spare));
    }
  }
  m_first = number * steps_in_block;
  m_selected = at->second.of;
}

step_counters const* step_counter_blocks::find(std::uint64_t step) const {
  if (holds(step)) return m_selected + (step - m_first);
  auto const at = m_blocks.find(step / steps_in_block);
  return at == m_blocks.end() ? nullptr : at->second.of + step % steps_in_block;
}

step_counters const* step_counter_blocks::find(std::uint64_t step) {
  if (holds(step)) return m_selected + (step - m_first);
  auto const at = m_blocks.find(step / steps_in_block);
  if (at == m_blocks.end()) return nullptr;
  m_first = at->first * steps_in_block;
  m_selected = at->second.of;
  return m_selected + (step - m_first);
}

void step_counter_blocks::drop_before(std::uint64_t step) {
  m_begun = 0;
  auto const kept = step / steps_in_block;
  while (!m_blocks.empty() && m_blocks.begin()->first < kept) {
    if (m_spare.size() < most_spare)
      m_spare.push_back(m_blocks.extract(m_blocks.begin()));
    else
      m_blocks.erase(m_blocks.begin());
  }
  if (m_first < kept * steps_in_block) {
    m_first = no_step;
    m_selected = nullptr;
  }
}

void step_counter_blocks::append_blocks(std::uint64_t begin, std::uint64_t end,
                                        std::vector<std::uint64_t>& numbers) const {
  auto at = m_blocks.lower_bound(begin / steps_in_block);
  for (; at != m_blocks.end() && at->first * steps_in_block < end; ++at)
    numbers.push_back(at->first);
}

}  // namespace lockstep::detail
