#include "engine/counting/step_sums.hpp"

#include <algorithm>

#include <lockstep/assert.hpp>

#include "engine/tuning.hpp"

namespace lockstep::detail {

void add_step(counts& total, step_record const& step, std::uint64_t elapsed) {
  if (step.steps > 0) total.steps = elapsed;
  if (step.rounds > 0) total.rounds = elapsed;
  total.startups += step.startups;
  total.words += step.words;
  total.link_words += step.link_words;
  total.hot_startups += step.hot_startups;
  total.volume += step.volume;
  total.messages += step.messages;
  total.hops += step.hops;
  total.contention = std::max(total.contention, step.contention);
  total.serialised_steps += step.serialised_steps;
  total.queued = std::max(total.queued, step.queued);
  total.barriers = total.steps > 0 ? total.steps - 1 : 0;
}

void step_sums::add(step_record const& first, std::uint64_t steps, std::uint64_t phase_begin) {
  LOCKSTEP_ASSERT(light, first.step == m_last + 1 && (steps == 1 || first.rounds == 0));
  m_last = first.step + steps - 1;
  add_step(m_total, first, first.step);
  if (first.phase != no_phase) {
    if (first.phase >= m_phases.size()) m_phases.resize(first.phase + 1);
    add_step(m_phases[first.phase], first, first.step - phase_begin + 1);
  }
  if (first.step == m_owing) m_owed_phase = first.phase;
  if (m_owing == 0 || first.step < m_owing) {
    record(first, steps);
  } else if (m_owed.stretches().size() <= usual_tuning.most_stretches + 1) {
    // As many as can still be recorded, whatever becomes of the first step.
    m_owed.append(first, steps);
  }
}

void step_sums::pay(counts& into, run_price const& price) {
  if (price.words == 0) return;
  into.startups += 1;
  into.words += price.words;
  into.link_words += price.link_words;
  into.hot_startups += price.hot_startups;
}

void step_sums::pay(run_price const& price) {
  pay(m_total, price);
  if (m_owed_phase != no_phase) pay(m_phases[m_owed_phase], price);
  for (auto one : m_owed.stretches()) {
    if (one.first.step == m_owing) {
      auto paying = one.first;
      pay(paying, price);
      record(paying, 1);
      one = {one.record(1), one.steps - 1};
    }
    record(one.first, one.steps);
  }
  m_owing = 0;
  m_owed = {};
}

void step_sums::record(step_record const& first, std::uint64_t steps) {
  bool const is_full = m_steps.stretches().size() == usual_tuning.most_stretches;
  m_cut_off = m_cut_off || (is_full && steps > 0 && !m_steps.goes_on_with(first));
  if (!m_cut_off) m_steps.append(first, steps);
}

std::size_t step_sums::bytes() const {
  auto const stretches = m_steps.stretches().size() + m_owed.stretches().size();
  return stretches * (sizeof(step_stretch) + sizeof(step_list::size_type));
}

}  // namespace lockstep::detail
