#include "ledger.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <tuple>

#include <fmt/format.h>

#include <lockstep/assert.hpp>

#include "tuning.hpp"

namespace lockstep::detail {

namespace {

/// Steps whose links are counted at once.
constexpr std::uint64_t steps_at_once = 256;

}  // namespace

void step_tally::add(step_tally const& other) {
  messages += other.messages;
  volume += other.volume;
  largest = std::max(largest, other.largest);
  largest_in_runs = std::max(largest_in_runs, other.largest_in_runs);
  longest_route = std::max(longest_route, other.longest_route);
  queued = std::max(queued, other.queued);
  any_empty = any_empty || other.any_empty;
}

void section::open(std::size_t workers) {
  auto const size = static_cast<std::size_t>(members->size());
  received.assign(size, 0);
  sent.assign(workers, std::vector<std::uint64_t>(size, 0));
  sent_from_outside.resize(workers);
}

void section::count(std::size_t worker, int from, int to, std::uint64_t words) {
  if (words == 0 || received.empty()) return;
  if (auto const member = members->in_group(to); member >= 0)
    received[static_cast<std::size_t>(member)] += words;
  if (auto const member = members->in_group(from); member >= 0)
    sent[worker][static_cast<std::size_t>(member)] += words;
  else
    sent_from_outside[worker][from] += words;
}

std::uint64_t section::sent_by(std::size_t member) const {
  std::uint64_t total = 0;
  for (auto const& by_member : sent) total += by_member[member];
  return total;
}

void section::sum_up() {
  for (std::size_t member = 0; member < received.size(); ++member)
    port_words = std::max({port_words, received[member], sent_by(member)});
  received = {};
  sent = {};
}

void ledger::grow(std::uint64_t step) {
  steps.resize(std::max<std::size_t>({step + 1, steps.size() * 2, 64}));
}

void ledger::drop_uses(std::uint64_t step) {
  if (last_use < step)
    link_uses.clear();
  else
    std::erase_if(link_uses, [&](link_use const& use) { return use.step + use.steps <= step; });
  used_steps = 0;
  for (auto const& use : link_uses) used_steps += use.steps;
}

void ledger::rearrange(std::vector<std::uint64_t>& by_call, std::uint64_t call,
                       std::uint64_t words) {
  if (call >= by_call.size()) by_call.resize(call + 1);
  by_call[call] = std::max(by_call[call], words);
}

books::books(topology const& network, group const& everybody, std::size_t workers,
             bool links_shared, bool per_pass, std::uint64_t steps_kept,
             std::span<observer* const> observers)
    : m_topology(network),
      m_everybody(everybody),
      m_ledgers(workers),
      m_links_shared(links_shared),
      m_per_pass(per_pass),
      m_steps_kept(steps_kept),
      m_observers(observers),
      m_noted_until(observers.empty() ? steps_kept : never),
      // Seldom enough that looking at all processors costs little.
      m_fold_at(
          std::max(usual_tuning.entries_per_fold, 4 * static_cast<std::size_t>(network.size()))) {}

// --- phases and pipelined runs ---

section* books::phase_at(std::uint64_t step) const {
  auto const index = phase_index_at(step);
  return index == no_phase ? nullptr : m_phases[index].get();
}

std::size_t books::phase_index_at(std::uint64_t step) const {
  if (m_phases.empty() || step < m_phases.front()->begin) return no_phase;
  if (step >= m_phases.back()->begin) return m_phases.size() - 1;
  auto const after =
      std::upper_bound(m_phases.begin(), m_phases.end(), step,
                       [](std::uint64_t at, auto const& phase) { return at < phase->begin; });
  return static_cast<std::size_t>(after - m_phases.begin()) - 1;
}

bool books::count(std::size_t worker, section* run, std::uint64_t settled_before, int from, int to,
                  std::uint64_t step, std::uint64_t words) {
  if (auto* const phase = phase_at(step)) phase->count(worker, from, to, words);
  if (step < settled_before) {  // it belongs to what is over
    run = nullptr;
    for (auto const& past : m_runs)
      if (past->begin <= step && step < past->end && past->members->in_group(to) >= 0)
        run = past.get();
  }
  if (run != nullptr) run->count(worker, from, to, words);
  return run != nullptr;
}

void books::close(section& ended, std::uint64_t step, bool in_flight) {
  ended.end = step;
  // Nobody outside the barrier can add to it, but what is under way may still come in during its
  // steps.
  if (ended.members->whole() && !in_flight) ended.sum_up();
}

void books::begin_phase(std::string_view name, std::uint64_t step, bool in_flight) {
  if (!m_phases.empty()) close(*m_phases.back(), step, in_flight);
  m_phases.push_back(
      std::make_unique<section>(section{&m_everybody, step, never, std::string(name)}));
  m_phases.back()->open(m_ledgers.size());
  m_has_sections = true;
}

section* books::begin_run(group const& members, std::uint64_t step) {
  m_runs.push_back(std::make_unique<section>(section{&members, step}));
  m_runs.back()->open(m_ledgers.size());
  m_has_sections = true;
  return m_runs.back().get();
}

// --- folding: what needs all messages of a step at once ---

bool books::worth_folding() const {
  std::size_t entries = 0;
  for (auto const& one : m_ledgers) entries += one.entries();
  return entries >= m_fold_at;
}

bool books::worth_folding(std::size_t worker) const {
  return m_ledgers[worker].entries() * m_ledgers.size() >= m_fold_at;
}

void books::put_off_folding() {
  std::size_t left = 0;
  for (auto const& one : m_ledgers) left += one.entries();
  m_fold_at = std::max(m_fold_at, 2 * left);
}

bool books::routes_matter() const {
  // Where every message crosses one link, no two can want the same: each has an out-port of its
  // own.
  return m_per_pass || std::any_of(m_ledgers.begin(), m_ledgers.end(),
                                   [](auto const& one) { return one.long_routes; });
}

bool books::has_long_route(std::uint64_t step) const {
  return std::any_of(m_ledgers.begin(), m_ledgers.end(), [&](auto const& one) {
    return step < one.steps.size() && one.steps[step].longest_route > 1;
  });
}

void books::fold_links(std::uint64_t step, bool strict, std::vector<link_conflict>& conflicts) {
  if (strict || m_per_pass) {
    load_steps(m_loaded, step, strict, conflicts);
  } else if (routes_matter()) {
    // A window at a time, since a row may be long, and only where a route is longer than a link.
    std::uint64_t end = 0;
    for (auto const& one : m_ledgers) end = std::max<std::uint64_t>(end, one.steps.size());
    for (auto at = m_loaded; at < std::min(end, step); ++at) {
      if (!has_long_route(at)) continue;
      auto const next = std::min({at + steps_at_once, end, step});
      load_steps(at, next, strict, conflicts);
      at = next - 1;
    }
  }
  m_loaded = std::max(m_loaded, step);
  for (auto& one : m_ledgers) one.drop_uses(step);
}

/// Loads the links in the steps [begin, end).
void books::load_steps(std::uint64_t begin, std::uint64_t end, bool strict,
                       std::vector<link_conflict>& conflicts) {
  std::vector<link_use> uses;
  for (auto const& one : m_ledgers)
    for (auto const& use : one.link_uses) {
      auto one_step = use;
      one_step.steps = 1;
      auto const last = std::min(use.step + use.steps, end);
      for (one_step.step = std::max(use.step, begin); one_step.step < last; ++one_step.step)
        if (strict || m_per_pass || has_long_route(one_step.step)) uses.push_back(one_step);
    }
  if (strict)
    std::sort(uses.begin(), uses.end());
  else
    std::ranges::sort(uses, {}, &link_use::step);
  for (auto first = uses.begin(); first != uses.end();) {
    auto const last =
        std::find_if(first, uses.end(), [&](auto const& use) { return use.step != first->step; });
    load_links({first, last}, strict, conflicts);
    first = last;
  }
}

/// Puts the numbers of the links that a message takes into m_route.
void books::find_route(link_use const& use) {
  m_route.clear();
  if (use.way.by_topology()) return m_topology.append_links(use.from, use.to, m_route);
  int from = use.from;
  for (int const to : m_topology.route(use.from, use.way.to_along(use.hops))) {
    m_route.push_back(m_topology.number_of({from, to}));
    from = to;
  }
  // Who goes round a ring more than once still takes each of its links once.
  std::sort(m_route.begin(), m_route.end());
  m_route.erase(std::unique(m_route.begin(), m_route.end()), m_route.end());
}

/// Counts the messages on each link in one step, in the order of their senders.
void books::load_links(std::span<link_use const> uses, bool strict,
                       std::vector<link_conflict>& conflicts) {
  auto const links = static_cast<std::size_t>(m_topology.links());
  m_loads.resize(links);
  if (strict) m_first_user.resize(links);
  std::uint64_t largest = 0;
  bool clashed = false;
  for (std::size_t at = 0; at < uses.size(); ++at) {
    if (uses[at].empty && !strict) continue;
    find_route(uses[at]);
    for (auto const number : m_route) {
      auto const index = static_cast<std::size_t>(number);
      m_taken.push_back(index);
      if (!uses[at].empty) largest = std::max<std::uint64_t>(largest, ++m_loads[index]);
      if (!strict || clashed) continue;
      clashed = m_first_user[index] != 0;
      if (clashed) conflicts.push_back({uses[m_first_user[index] - 1], uses[at], number});
      m_first_user[index] = at + 1;
    }
  }
  for (auto const index : m_taken) {
    m_loads[index] = 0;
    if (strict) m_first_user[index] = 0;
  }
  m_taken.clear();
  auto const step = uses.front().step;
  if (step >= m_link_load.size())
    m_link_load.resize(std::max<std::size_t>(step + 1, 2 * m_link_load.size()));
  m_link_load[step] = std::max(m_link_load[step], largest);
}

/// What the pipelined runs pay together stands in the first step of them all, and is not known
/// before the last step of the last.
std::uint64_t books::settled_before(std::uint64_t step) const {
  auto const among_later_steps = [&](auto const& run) {
    return run->begin < step && step < run->end;
  };
  for (auto run = m_runs.begin(); run != m_runs.end();) {
    run = std::ranges::find_if(m_runs, among_later_steps);
    if (run != m_runs.end()) step = (*run)->begin;
  }
  return step;
}

void books::tell_observers(std::uint64_t step, std::uint64_t asked_until) {
  if (!observing()) return;
  if (asked_until == never) step = settled_before(step);
  auto const booked = booked_runs();
  std::vector<observed_message> seen;
  std::uint64_t last = m_told;
  for (auto& one : m_ledgers) {
    auto const later = std::partition(one.observed.begin(), one.observed.end(),
                                      [&](auto const& entry) { return entry.record.step < step; });
    seen.insert(seen.end(), one.observed.begin(), later);
    one.observed.erase(one.observed.begin(), later);
    for (auto at = std::min<std::uint64_t>(step, one.steps.size()); at-- > last + 1;)
      if (one.steps[at].arrived()) {
        last = at;
        break;
      }
  }
  std::sort(seen.begin(), seen.end(), [](auto const& left, auto const& right) {
    return seen_before(left.record, right.record);
  });
  auto next = seen.begin();
  for (auto at = m_told + 1; at <= last; ++at) {
    tell_phases(at);
    for (; next != seen.end() && next->record.step == at; ++next) {
      if (next->asked > asked_until) continue;
      next->record.phase = phase_index_at(at);
      for (auto* const watching : m_observers) watching->message(next->record);
    }
    auto const record = record_of(at, booked);
    for (auto* const watching : m_observers) watching->step(record);
  }
  LOCKSTEP_ASSERT(light, next == seen.end());
  m_told = last;
  std::size_t untold = 0;
  for (auto const& one : m_ledgers) untold += one.observed.size();
  if (untold > usual_tuning.most_untold) cut_off(untold);
}

void books::cut_off(std::size_t untold) {
  auto const why = fmt::format(
      "lacks all after step {}: {} messages were waiting for a processor that is far behind, or "
      "for "
      "the end of a pipelined run, and {} are kept at most; observe a smaller run",
      m_told, untold, usual_tuning.most_untold);
  for (auto* const watching : m_observers) watching->cut_off(why);
  stop_observing();
  for (auto& one : m_ledgers) one.observed = {};
}

void books::tell_phases(std::uint64_t step) {
  for (; m_phases_told < m_phases.size() && m_phases[m_phases_told]->begin <= step;
       ++m_phases_told) {
    auto const& begun = *m_phases[m_phases_told];
    for (auto* const watching : m_observers)
      watching->phase({.index = m_phases_told, .step = begun.begin, .name = begun.name});
  }
}

// --- summing up ---

step_tally books::tally_of(std::uint64_t step) const {
  step_tally tally;
  for (auto const& one : m_ledgers)
    if (step < one.steps.size()) tally.add(one.steps[step]);
  return tally;
}

step_record books::record_of(std::uint64_t step, bookings const& booked) const {
  auto const tally = tally_of(step);
  step_record record;
  record.step = step;
  record.phase = phase_index_at(step);
  record.largest = std::max(tally.largest, tally.largest_in_runs);
  record.steps = tally.messages > 0 ? 1 : 0;
  record.rounds = tally.arrived() ? 1 : 0;
  record.startups = tally.largest > 0 ? 1 : 0;
  record.words = tally.largest;
  record.volume = tally.volume;
  record.messages = tally.messages;
  record.hops = tally.longest_route;
  record.queued = tally.queued;
  record.contention = m_links_shared && step < m_link_load.size() ? m_link_load[step] : 0;
  if (tally.messages > 0) record.contention = std::max<std::uint64_t>(record.contention, 1);
  record.serialised_steps = record.contention;
  if (auto const run = booked.find(step); run != booked.end()) {
    record.startups += 1;
    record.words += run->second;
  }
  return record;
}

books::bookings books::booked_runs() const {
  bookings booked;
  std::vector<section const*> runs;
  for (auto const& run : m_runs)
    if (run->begin < run->end) runs.push_back(run.get());
  std::sort(runs.begin(), runs.end(),
            [](auto* left, auto* right) { return left->begin < right->begin; });
  for (auto first = runs.begin(); first != runs.end();) {
    auto end = (*first)->end;
    auto last = first + 1;
    for (; last != runs.end() && (*last)->begin < end; ++last) end = std::max(end, (*last)->end);
    auto const words = words_of_runs({first, last});
    for (auto step = (*first)->begin; words > 0 && step < end; ++step) {
      if (tally_of(step).largest_in_runs == 0) continue;
      booked[step] = words;
      break;
    }
    first = last;
  }
  return booked;
}

std::uint64_t books::words_of_runs(std::span<section const* const> overlapping) {
  std::unordered_map<int, processor_record> traffic;
  std::uint64_t words = 0;
  for (auto const* run : overlapping) {
    words = std::max(words, run->port_words);
    for (std::size_t member = 0; member < run->received.size(); ++member) {
      auto& of = traffic[run->members->on_machine(static_cast<int>(member))];
      of.words_received += run->received[member];
      of.words_sent += run->sent_by(member);
      words = std::max({words, of.words_received, of.words_sent});
    }
    for (auto const& by_rank : run->sent_from_outside)
      for (auto const& [rank, sent] : by_rank)
        words = std::max(words, traffic[rank].words_sent += sent);
  }
  return words;
}

namespace {

/// Adds the figures of a step that came `elapsed` steps after the beginning.
void add_step(counts& total, step_record const& step, std::uint64_t elapsed) {
  if (step.steps > 0) total.steps = elapsed;
  if (step.rounds > 0) total.rounds = elapsed;
  total.startups += step.startups;
  total.words += step.words;
  total.volume += step.volume;
  total.messages += step.messages;
  total.hops += step.hops;
  total.contention = std::max(total.contention, step.contention);
  total.serialised_steps += step.serialised_steps;
  total.queued = std::max(total.queued, step.queued);
  total.barriers = total.steps > 0 ? total.steps - 1 : 0;
}

void set_rearranged(counts& total, std::vector<std::uint64_t> const& largest_by_call) {
  total.rearrangements = largest_by_call.size();
  total.rearranged =
      std::accumulate(largest_by_call.begin(), largest_by_call.end(), std::uint64_t{0});
}

void merge_largest(std::vector<std::uint64_t>& into, std::vector<std::uint64_t> const& from) {
  if (into.size() < from.size()) into.resize(from.size());
  for (std::size_t at = 0; at < from.size(); ++at) into[at] = std::max(into[at], from[at]);
}

}  // namespace

phase_record books::phase_record_of(std::size_t phase, std::span<step_record const> steps) {
  auto& of = *m_phases[phase];
  if (!of.received.empty()) of.sum_up();
  phase_record record;
  record.name = of.name;
  record.first_step = of.begin;
  record.port_words = of.port_words;
  auto const end = phase + 1 < m_phases.size() ? m_phases[phase + 1]->begin : never;
  for (auto step = of.begin; step < end && step <= steps.size(); ++step)
    add_step(record, steps[step - 1], step - of.begin + 1);
  std::vector<std::uint64_t> rearranged;
  for (auto const& one : m_ledgers)
    if (phase < one.phase_rearranged.size()) merge_largest(rearranged, one.phase_rearranged[phase]);
  set_rearranged(record, rearranged);
  return record;
}

books::totals books::sum_up() {
  totals result;
  std::uint64_t rounds = 0;
  for (auto const& one : m_ledgers)
    for (auto step = one.steps.size(); step-- > rounds + 1;)
      if (one.steps[step].arrived()) {
        rounds = step;
        break;
      }
  result.steps.reserve(rounds);
  auto const booked = booked_runs();
  for (std::uint64_t step = 1; step <= rounds; ++step)
    result.steps.push_back(record_of(step, booked));
  for (std::size_t phase = 0; phase < m_phases.size(); ++phase)
    result.phases.push_back(phase_record_of(phase, result.steps));
  for (auto const& step : result.steps) add_step(result.total, step, step.step);
  std::vector<std::uint64_t> rearranged;
  for (auto const& one : m_ledgers) merge_largest(rearranged, one.rearranged);
  set_rearranged(result.total, rearranged);
  result.kept = std::move(m_ledgers.front().kept);
  for (auto const& one : m_ledgers | std::views::drop(1))
    result.kept.insert(result.kept.end(), one.kept.begin(), one.kept.end());
  return result;
}

}  // namespace lockstep::detail
