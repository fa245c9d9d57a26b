#include "engine/counting/step_sums.hpp"

#include <algorithm>

#include <lockstep/assert.hpp>

#include "engine/tuning.hpp"

namespace lockstep::detail {

namespace {

/// Stretches that may become equal to their neighbours when `release` adds to two of their steps.
constexpr std::size_t most_made_equal = 4;

/// Adds the figures of a step that may come to be known later.
void add_figures(counts& into, counts const& more) {
  into.startups += more.startups;
  into.words += more.words;
  into.link_words += more.link_words;
  into.hot_startups += more.hot_startups;
  into.work += more.work;
  into.operations += more.operations;
}

}  // namespace

void add_step(counts& total, step_record const& step, std::uint64_t elapsed) {
  if (step.steps > 0) total.steps = elapsed;
  if (step.rounds > 0) total.rounds = elapsed;
  add_figures(total, step);
  total.volume += step.volume;
  total.messages += step.messages;
  total.hops += step.hops;
  total.serialised_steps += step.serialised_steps;
  total.contention = std::max(total.contention, step.contention);
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
  auto const before =
      first.step >= m_withheld_from ? 0 : std::min(steps, m_withheld_from - first.step);
  record(first, before);
  // As many as can still be recorded, whatever is added to them.
  if (m_withheld.stretches().size() <= usual_tuning.most_stretches + most_made_equal)
    m_withheld.append(step_stretch{first}.record(before), steps - before);
}

void step_sums::pay(counts& into, run_price const& price) {
  if (price.words == 0) return;
  into.startups += 1;
  into.words += price.words;
  into.link_words += price.link_words;
  into.hot_startups += price.hot_startups;
}

void step_sums::add_late(std::uint64_t step, std::size_t phase, counts const& more) {
  add_figures(m_total, more);
  if (phase != no_phase) add_figures(m_phases[phase], more);
  add_figures(m_late[step], more);
}

void step_sums::release() {
  for (auto rest : m_withheld.stretches()) {
    for (auto late = m_late.lower_bound(rest.first.step);
         late != m_late.end() && late->first <= rest.last_step(); ++late) {
      auto const before = late->first - rest.first.step;
      record(rest.first, before);
      auto changed = rest.record(before);
      add_figures(changed, late->second);
      record(changed, 1);
      rest = {rest.record(before + 1), rest.steps - before - 1};
    }
    record(rest.first, rest.steps);
  }
  m_withheld_from = never;
  m_withheld = {};
  m_late.clear();
}

void step_sums::record(step_record const& first, std::uint64_t steps) {
  if (steps == 0) return;
  bool const is_full = m_steps.stretches().size() == usual_tuning.most_stretches;
  m_cut_off = m_cut_off || (is_full && !m_steps.goes_on_with(first));
  if (!m_cut_off) m_steps.append(first, steps);
}

std::size_t step_sums::bytes() const {
  auto const stretches = m_steps.stretches().size() + m_withheld.stretches().size();
  return stretches * (sizeof(step_stretch) + sizeof(step_list::size_type));
}

}  // namespace lockstep::detail
