#include "engine/counting/run_counters.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <lockstep/assert.hpp>

#include "engine/tuning.hpp"

namespace lockstep::detail {

namespace {

// What is worth making all processors wait, however many workers there are.
constexpr std::size_t least_entries_to_merge = 256;
constexpr std::size_t least_blocks_to_merge = 4;

/// The key of an observed message. No two have the same, for a port sends one in a step.
std::tuple<int, std::uint64_t, int, int, int, int> send_key(noted_send const& of) {
  return {of.from, of.step, of.to, of.channel, of.way.dimension(), of.way.direction()};
}

std::tuple<int, std::uint64_t, int, int, int, int> send_key(observed_message const& of) {
  auto const& record = of.record;
  auto const offset = record.way.offset;
  return {record.from, record.sent,          record.to,
          of.channel,  record.way.dimension, (offset > 0 ? 1 : 0) - (offset < 0 ? 1 : 0)};
}

}  // namespace

run_counters::run_counters(topology const& network, group const& everybody, std::size_t workers,
                           bool per_pass, bool links_shared, std::uint64_t steps_kept,
                           std::span<observer* const> observers)
    : m_topology(network),
      m_everybody(everybody),
      m_by_worker(workers),
      m_per_pass(per_pass),
      m_links_shared(links_shared),
      m_steps_kept(steps_kept),
      m_observers(observers),
      m_noted_until(observers.empty() ? steps_kept : never),
      m_links(network),
      // Seldom enough that looking at all processors costs little.
      m_entries_to_merge(
          std::max(usual_tuning.entries_per_merge, 4 * static_cast<std::size_t>(network.size()))),
      m_blocks_to_merge(
          1 + std::max(usual_tuning.steps_per_merge, 4 * static_cast<std::size_t>(network.size())) /
                  step_counter_blocks::steps_in_block),
      m_run_bytes_to_merge(usual_tuning.bytes_unasked),
      m_bytes(usual_tuning.bytes_unasked),
      m_told_at_end(observers) {
  put_off_merging();
}

// --- phases and pipelined runs ---

section* run_counters::phase_at(std::uint64_t step) const {
  auto const index = phase_index_at(step);
  return index == no_phase ? nullptr : m_phases[index].get();
}

std::size_t run_counters::phase_index_at(std::uint64_t step) const {
  if (m_phases.empty() || step < m_phases.front()->begin) return no_phase;
  if (step >= m_phases.back()->begin) return m_phases.size() - 1;
  auto const after =
      std::upper_bound(m_phases.begin(), m_phases.end(), step,
                       [](std::uint64_t at, auto const& phase) { return at < phase->begin; });
  return static_cast<std::size_t>(after - m_phases.begin()) - 1;
}

bool run_counters::count(std::size_t worker, section* run, std::uint64_t sections_over_before,
                         int from, int to, std::uint64_t step, std::uint64_t words) {
  if (auto* const phase = phase_at(step)) phase->count(worker, from, to, words);
  if (step < sections_over_before) {  // it belongs to a section that is over
    run = run_at(to, step);
  }
  if (run != nullptr) run->count(worker, from, to, words);
  return run != nullptr;
}

/// Finds the run that a processor was in in that step: the last that began with it, if it lasted.
section* run_counters::run_at(int processor, std::uint64_t step) const {
  auto const after =
      std::ranges::upper_bound(m_runs, step, {}, [](auto const& run) { return run->begin; });
  for (auto const& run : std::ranges::subrange(m_runs.begin(), after) | std::views::reverse) {
    if (run->begin == run->end || run->members->in_group(processor) < 0) continue;
    return step < run->end ? run.get() : nullptr;
  }
  return nullptr;
}

void run_counters::close(section& ended, std::uint64_t step, bool in_flight) {
  ended.end = step;
  // No processor outside the barrier can add to it, but messages under way may still come in during
  // its steps.
  if (ended.members->whole() && !in_flight) ended.sum_up();
}

void run_counters::begin_phase(std::string_view name, std::uint64_t step, bool in_flight) {
  if (!m_phases.empty()) close(*m_phases.back(), step, in_flight);
  m_phases.push_back(
      std::make_unique<section>(section{&m_everybody, step, never, std::string(name)}));
  m_phases.back()->team = m_team;
  m_phases.back()->open(m_by_worker.size());
  m_counts_more.store(true, std::memory_order_relaxed);
}

section* run_counters::begin_run(group const& members, std::uint64_t step) {
  auto begun = std::make_unique<section>(section{&members, step});
  begun->team = m_team;
  begun->open(m_by_worker.size());
  m_bytes_of_runs += begun->bytes();
  m_counts_more.store(true, std::memory_order_relaxed);
  auto const after =
      std::ranges::upper_bound(m_runs, step, {}, [](auto const& run) { return run->begin; });
  return m_runs.insert(after, std::move(begun))->get();
}

// --- merging: what needs all messages of a step at once ---

bool run_counters::worth_merging() const {
  std::size_t entries = 0;
  std::size_t blocks = 0;
  for (auto const& one : m_by_worker) {
    entries += one.entries();
    blocks += one.steps.begun();
  }
  return entries >= m_entries_to_merge || blocks >= m_blocks_to_merge ||
         m_bytes_of_runs >= m_run_bytes_to_merge;
}

void run_counters::put_off_merging() {
  std::size_t left = 0;
  for (auto const& one : m_by_worker) left += one.entries();
  m_entries_to_merge = std::max(m_entries_to_merge, 2 * left);
  m_blocks_to_merge = std::max(m_blocks_to_merge, left / step_counter_blocks::steps_in_block);
  auto const share = [this](std::size_t of_all, std::size_t least) {
    return std::max(of_all / own_workers().size(), std::min(of_all, least));
  };
  for (auto& one : m_by_worker) {
    one.entries_to_merge =
        std::max(share(m_entries_to_merge, least_entries_to_merge), 2 * one.entries());
    // Blocks that stay open are not begun again: what begins from now on counts.
    one.blocks_to_merge = share(m_blocks_to_merge, least_blocks_to_merge) + one.steps.begun();
  }
  m_run_bytes_to_merge = std::max(m_run_bytes_to_merge, 2 * m_bytes_of_runs);
}

std::size_t run_counters::bytes_if_doubled() {
  auto bytes = m_sums.bytes() + m_bytes_of_runs + m_labels.bytes();
  for (auto const& one : m_by_worker) bytes += one.bytes();
  if (bytes < m_bytes) return 0;
  m_bytes = 2 * bytes;
  return bytes;
}

/// Calls visit(step, counters) for the steps in [begin, end) in which anything came in, in order.
template <class Visitor>
void run_counters::visit_arrived(std::uint64_t begin, std::uint64_t end, Visitor&& visit) const {
  if (begin >= end) return;
  std::vector<std::uint64_t> blocks;
  for (auto const& one : m_by_worker) one.steps.append_blocks(begin, end, blocks);
  std::ranges::sort(blocks);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  for (auto const block : blocks) {
    auto const first = block * step_counter_blocks::steps_in_block;
    std::vector<step_counters const*> of_workers;
    for (auto const& one : m_by_worker)
      if (auto const* const found = one.steps.find(first)) of_workers.push_back(found);
    auto const last = std::min(end - 1, first + step_counter_blocks::steps_in_block - 1);
    for (auto step = std::max(begin, first); step <= last; ++step) {
      step_counters counters;
      for (auto const* const one : of_workers) counters.add(one[step - first]);
      if (counters.arrived()) visit(step, counters);
    }
  }
}

bool run_counters::routes_matter() const {
  // Where every message crosses one link, no two can take the same one, for each has an out-port of
  // its own.
  return m_per_pass || std::any_of(m_by_worker.begin(), m_by_worker.end(),
                                   [](auto const& one) { return one.long_routes; });
}

void run_counters::count_links(std::uint64_t step, bool strict,
                               std::vector<link_conflict>& conflicts) {
  if (strict) check_links(m_loaded, step, conflicts);
  runs_by_processor const runs(m_runs, m_loaded);
  load_words_of_runs(step, runs);
  bool const carry_one_each = strict && conflicts.empty();
  if (routes_matter() && !carry_one_each) load_links_until(step, strict, runs);
  m_loaded = std::max(m_loaded, step);
  for (auto& one : m_by_worker) one.drop_uses(step);
}

/// Counts the messages on each link in the steps before `end`, where some route is longer than a
/// link, or two messages may share a link whatever their routes. On a strict machine, where they were
/// sent: some may not have come in.
void run_counters::load_links_until(std::uint64_t end, bool strict, runs_by_processor const& runs) {
  std::vector<std::uint64_t> steps;
  std::vector<std::uint64_t> equal_words;  // of all messages of a step, or 0
  visit_arrived(m_loaded, end, [&](std::uint64_t at, step_counters const& counters) {
    if (!strict && !m_per_pass && counters.longest_route <= 1) return;
    steps.push_back(at);
    bool const are_equal =
        counters.largest_in_runs == 0 && counters.volume == counters.messages * counters.largest;
    equal_words.push_back(are_equal ? counters.largest : 0);
  });
  std::vector<std::span<link_use const>> rows;
  for (auto const& one : own_workers()) rows.emplace_back(one.link_uses);
  auto const loads = m_team == nullptr ? loads_in(steps, equal_words, rows, runs)
                                       : share_loads(steps, equal_words, runs);
  for (std::size_t at = 0; at < steps.size(); ++at) {
    auto& counters = counters_at(steps[at]);
    counters.contention = loads[at].messages;
    if (loads[at].messages > 1) counters.link_words = loads[at].words;
  }
}

/// Finds counters of a step, to which those of all workers are added.
step_counters& run_counters::counters_at(std::uint64_t step) {
  auto& counters = m_by_worker.front().steps;
  if (!counters.holds(step)) counters.select_block_of(step);
  return counters[step];
}

/// Counts the loads of the links in these steps. `equal_words`: of all messages of a step, or 0.
std::vector<link_load> run_counters::loads_in(std::span<std::uint64_t const> steps,
                                              std::span<std::uint64_t const> equal_words,
                                              std::span<std::span<link_use const> const> rows,
                                              runs_by_processor const& runs) {
  auto const largest = m_links.sweep(steps, rows);
  std::vector<link_load> loads(steps.size());
  std::vector<std::uint64_t> unequal;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    loads[at] = {largest[at], largest[at] * equal_words[at]};
    if (largest[at] > 1 && equal_words[at] == 0) unequal.push_back(steps[at]);
  }
  load_words(unequal, rows, runs, [&](std::uint64_t step, std::uint64_t words) {
    loads[static_cast<std::size_t>(std::ranges::lower_bound(steps, step) - steps.begin())].words =
        words;
  });
  return loads;
}

/// Counts the words on each link in these steps, without those of pipelined runs. Calls
/// found(step, words) with the most on a link.
template <class Found>
void run_counters::load_words(std::span<std::uint64_t const> steps,
                              std::span<std::span<link_use const> const> rows,
                              runs_by_processor const& runs, Found const& found) {
  struct crossing {
    std::uint64_t step;
    link_use const* row;
  };
  if (steps.empty()) return;
  std::vector<crossing> crossings;
  for (auto const& list : rows)
    for (auto const& row : list)
      for (auto at = std::ranges::lower_bound(steps, row.step);
           at != steps.end() && *at < row.step + row.steps; ++at)
        if (!runs.has(row.to, *at)) crossings.push_back({*at, &row});
  std::ranges::sort(crossings, {}, &crossing::step);
  auto const links = static_cast<std::size_t>(m_topology.links());
  for (std::size_t at = 0; at < crossings.size(); ++at) {
    auto const& [step, row] = crossings[at];
    m_step_words.add(m_links.links_of(*row), row->words, links);
    if (at + 1 == crossings.size() || crossings[at + 1].step != step)
      found(step, m_step_words.take_most());
  }
}

/// Counts the words on each link in the pipelined runs, in the steps before `end`.
void run_counters::load_words_of_runs(std::uint64_t end, runs_by_processor const& runs) {
  if (m_runs.empty() || !m_links_shared) return;
  end = std::max(end, m_loaded);
  auto const groups = groups_of_runs();
  if (m_team != nullptr) return share_words_of_runs(groups, end, runs);
  add_words_of_runs(groups, end, runs, [&](std::size_t group) {
    m_most_run_words[groups[group].begin] = m_run_words.take_most();
  });
}

/// Whether runs that count as one end before that step, and their words are not known yet: its last steps
/// may be counted before it is known where it ends.
bool run_counters::ends_before(run_group const& group, std::uint64_t end) const {
  return group.begin < end && group.end <= end && !m_most_run_words.contains(group.begin);
}

/// Adds the words of own messages in pipelined runs, in the steps before `end`. Calls ended(group) where
/// those of a group are complete.
void run_counters::add_words_of_runs(std::span<run_group const> groups, std::uint64_t end,
                                     runs_by_processor const& runs,
                                     std::function<void(std::size_t group)> const& ended) {
  struct crossing {
    std::size_t group;
    link_use const* row;
    std::uint64_t steps;
  };
  std::vector<crossing> crossings;
  for (auto const& one : own_workers())
    for (auto const& row : one.link_uses)
      runs.visit_steps_in_runs(row.to, std::max(row.step, m_loaded),
                               std::min(row.step + row.steps, end),
                               [&](std::uint64_t first, std::uint64_t last) {
                                 crossings.push_back({group_at(groups, first), &row, last - first});
                               });
  std::ranges::sort(crossings, {}, &crossing::group);
  auto const links = static_cast<std::size_t>(m_topology.links());
  auto next = crossings.begin();
  for (std::size_t group = 0; group < groups.size() && groups[group].begin < end; ++group) {
    for (; next != crossings.end() && next->group == group; ++next)
      m_run_words.add(m_links.links_of(*next->row), next->row->words * next->steps, links);
    if (ends_before(groups[group], end)) ended(group);
  }
}

void run_counters::find_conflicts(std::vector<link_conflict>& conflicts) {
  check_links(m_loaded, never, conflicts);
}

/// Appends the conflicts in the steps [begin, end) of a strict machine, whose uses of links are noted
/// one by one; on a cluster only the first.
void run_counters::check_links(std::uint64_t begin, std::uint64_t end,
                               std::vector<link_conflict>& conflicts) {
  if (m_team != nullptr) {
    if (!words_matter()) return;
    if (auto const first = share_check(begin, end)) conflicts.push_back(*first);
    return;
  }
  auto& uses = m_uses;
  uses.clear();
  for (auto const& one : m_by_worker)
    std::ranges::copy_if(one.link_uses, std::back_inserter(uses),
                         [&](link_use const& use) { return begin <= use.step && use.step < end; });
  check_uses(uses, conflicts);
}

/// Appends the first conflict of each step. Sorts the uses.
void run_counters::check_uses(std::vector<link_use>& uses, std::vector<link_conflict>& conflicts) {
  if (uses.empty()) return;
  std::sort(uses.begin(), uses.end());
  m_first_user.resize(static_cast<std::size_t>(m_topology.links()));
  for (auto first = uses.begin(); first != uses.end();) {
    auto const last =
        std::find_if(first, uses.end(), [&](auto const& use) { return use.step != first->step; });
    check_links_in_step({first, last}, conflicts);
    first = last;
  }
}

/// Appends the first conflict of a step, in the order of the senders.
void run_counters::check_links_in_step(std::span<link_use const> uses,
                                       std::vector<link_conflict>& conflicts) {
  for (auto const link : m_taken) m_first_user[link] = 0;
  m_taken.clear();
  for (std::size_t at = 0; at < uses.size(); ++at)
    for (auto const number : m_links.links_of(uses[at])) {
      auto const link = static_cast<std::size_t>(number);
      if (auto const user = m_first_user[link]; user != 0)
        return conflicts.push_back({uses[user - 1], uses[at], number});
      m_first_user[link] = at + 1;
      m_taken.push_back(link);
    }
}

/// Finds the step before which all counts are known. The words of overlapping pipelined runs count
/// in the first step of them all, and are not known before the last step of the last.
std::uint64_t run_counters::known_before(std::uint64_t step) const {
  for (auto const& run : std::views::reverse(m_runs))
    if (run->begin < step && step < run->end) step = run->begin;
  return step;
}

/// Finds the step before which every message was asked for before step `open`: a run that fails in
/// that step leaves the others out.
std::uint64_t run_counters::asked_before(std::uint64_t open) const {
  auto end = open;
  for (auto const& one : m_by_worker)
    for (auto const& seen : one.observed)
      if (seen.asked >= open) end = std::min(end, seen.record.step);
  return end;
}

/// Sums up the steps before `end`, and tells observers of them.
void run_counters::merge_steps(std::uint64_t end, std::uint64_t asked_until) {
  // Observers are told of complete pipelined runs, or after an error of what there is.
  if (observing() && asked_until == never) end = known_before(asked_before(end));
  take_hot_steps();
  auto const groups = groups_of_runs();
  auto const work = take_work(groups, end, asked_until != never);
  take_labels(end);
  settle_withheld(groups, end, work);
  withhold_open_run(groups, end);
  auto messages = take_observed(end, asked_until);
  auto working =
      std::ranges::upper_bound(work, m_sums.last(), {}, &work_by_step::value_type::first);
  auto const add = [&](std::uint64_t step, step_counters const& counters) {
    m_merged = std::max(m_merged, step + 1);
    auto record = record_of(step, counters);
    if (std::ranges::binary_search(messages.reduced, step)) record = without_late(record, messages);
    if (working != work.end() && working->first == step) {
      record.work = working->second.work;
      record.operations = working->second.operations;
      ++working;
    }
    if (record.rounds == 0 && record.operations == 0) return;
    add_idle_steps(step);
    if (counters.largest_in_runs > 0 && record.rounds > 0)
      pay_for_runs(record, groups, end, messages);
    m_sums.add(record, 1, phase_begin(record.phase));
    if (observing()) tell(record, messages);
  };
  auto const add_working_before = [&](std::uint64_t step) {
    while (working != work.end() && working->first < step) add(working->first, {});
  };
  visit_arrived(m_merged, end, [&](std::uint64_t step, step_counters const& counters) {
    add_working_before(step);
    add(step, counters);
  });
  add_working_before(end);
  LOCKSTEP_ASSERT(light, messages.next == messages.list.end());
  m_merged = std::max(m_merged, end);
  for (auto& one : m_by_worker) one.steps.drop_before(m_merged);
  auto const known_until = known_before(end);
  m_most_run_words.erase(m_most_run_words.begin(), m_most_run_words.lower_bound(known_until));
  m_hot_steps.erase(m_hot_steps.begin(), m_hot_steps.lower_bound(known_until));
  std::erase_if(m_runs, [&](auto const& run) {
    if (run->end > known_until) return false;
    m_bytes_of_runs -= run->bytes();
    return true;
  });
  if (observing()) cut_off_where_too_many();
}

/// Takes the messages under labels before step `end` from the workers' counters.
void run_counters::take_labels(std::uint64_t end) {
  if (!m_counts_labels.load(std::memory_order_relaxed)) return;
  for (auto& one : m_by_worker) m_labels.take(one.labels, end);
  m_labels.sum_up();
}

/// Adds the steps before `end` in which nothing came in, since the last that was added.
void run_counters::add_idle_steps(std::uint64_t end) {
  for (auto step = m_sums.last() + 1; step < end; step = m_sums.last() + 1) {
    step_record idle;
    idle.step = step;
    idle.phase = phase_index_at(step);
    auto const next_phase = idle.phase + 1;  // no_phase + 1 is 0
    auto const next = next_phase < m_phases.size() ? std::min(end, phase_begin(next_phase)) : end;
    m_sums.add(idle, next - step, phase_begin(idle.phase));
    if (!observing()) continue;
    tell_phases(step);
    for (auto* const watching : m_observers) watching->idle_steps(idle, next - step);
  }
}

/// Takes the observed messages of the steps before `end` from the workers' counters.
run_counters::untold_messages run_counters::take_observed(std::uint64_t end,
                                                          std::uint64_t asked_until) {
  std::vector<observed_message> seen;
  for (auto& one : m_by_worker) {
    auto const later = std::partition(one.observed.begin(), one.observed.end(),
                                      [&](auto const& entry) { return entry.record.step < end; });
    seen.insert(seen.end(), one.observed.begin(), later);
    one.observed.erase(one.observed.begin(), later);
  }
  find_sender_calls(seen);
  std::vector<std::uint64_t> reduced;
  std::erase_if(seen, [&](auto const& entry) {
    if (entry.asked <= asked_until) return false;
    reduced.push_back(entry.record.step);
    return true;
  });
  std::ranges::sort(reduced);
  std::ranges::sort(seen, [](auto const& left, auto const& right) {
    return seen_before(left.record, right.record);
  });
  untold_messages untold{std::move(seen), {}, std::move(reduced), {}};
  if (asked_until != never) untold.runs_until_error.emplace(m_runs, m_merged);
  untold.next = untold.list.begin();
  return untold;
}

/// Finds the sends of those messages, and forgets them.
void run_counters::find_sender_calls(std::vector<observed_message>& seen) {
  auto const by_send = [](noted_send const& left, noted_send const& right) {
    return std::pair(send_key(left), left.call) < std::pair(send_key(right), right.call);
  };
  auto const known = static_cast<std::ptrdiff_t>(m_untold_sends.size());
  for (auto& one : m_by_worker) {
    m_untold_sends.insert(m_untold_sends.end(), one.sends.begin(), one.sends.end());
    one.sends.clear();
  }
  auto const added = m_untold_sends.begin() + known;
  std::sort(added, m_untold_sends.end(), by_send);
  std::inplace_merge(m_untold_sends.begin(), added, m_untold_sends.end(), by_send);
  std::sort(seen.begin(), seen.end(), [](auto const& left, auto const& right) {
    return std::pair(send_key(left), left.record.receiver_call) <
           std::pair(send_key(right), right.record.receiver_call);
  });
  auto next = seen.begin();
  std::erase_if(m_untold_sends, [&](noted_send const& send) {
    if (next == seen.end() || send_key(send) != send_key(*next)) return false;
    (next++)->record.sender_call = send.call;
    return true;
  });
  LOCKSTEP_ASSERT(light, next == seen.end());
}

/// Counts a step anew from those of its messages that are not left out.
step_record run_counters::without_late(step_record of, untold_messages const& messages) const {
  step_record anew;
  anew.step = of.step;
  anew.phase = of.phase;
  std::map<link, std::uint64_t> loads;
  std::map<link, std::uint64_t> words;
  for (auto at = messages.next; at != messages.list.end() && at->record.step == of.step; ++at) {
    auto const& seen = at->record;
    anew.rounds = 1;
    anew.queued = std::max(anew.queued, seen.step - seen.sent);
    if (seen.words == 0) continue;
    anew.steps = 1;
    anew.messages += 1;
    anew.volume += seen.words;
    anew.largest = std::max(anew.largest, seen.words);
    anew.hops = std::max(anew.hops, seen.hops);
    anew.contention = std::max<std::uint64_t>(anew.contention, 1);
    bool const counts_apart = !messages.runs_until_error->has(seen.to, seen.step);
    if (counts_apart) anew.words = std::max(anew.words, seen.words);
    if (!routes_matter()) continue;
    for (auto const& crossed : links_of(m_topology, seen)) {
      anew.contention = std::max(anew.contention, ++loads[crossed]);
      if (counts_apart) anew.link_words = std::max(anew.link_words, words[crossed] += seen.words);
    }
  }
  anew.startups = anew.words > 0 ? 1 : 0;
  anew.link_words = std::max(anew.link_words, anew.words);
  anew.serialised_steps = anew.contention;
  return anew;
}

/// Tells observers of a step and its messages.
void run_counters::tell(step_record const& of, untold_messages& messages) {
  tell_phases(of.step);
  auto& next = messages.next;
  for (; next != messages.list.end() && next->record.step == of.step; ++next) {
    next->record.phase = of.phase;
    for (auto* const watching : m_observers) watching->message(next->record);
  }
  for (auto* const watching : m_observers) watching->step(of);
}

/// Stops telling observers if too many messages wait.
void run_counters::cut_off_where_too_many() {
  std::size_t untold = 0;
  for (auto const& one : m_by_worker) untold += one.observed.size();
  if (untold <= usual_tuning.most_untold) return;
  auto const why = fmt::format(
      "ends after step {}: {} messages were waiting for a processor that is far behind, or "
      "for "
      "the end of a pipelined run, and {} are kept at most; observe a smaller run",
      m_sums.last(), untold, usual_tuning.most_untold);
  for (auto* const watching : m_observers) watching->cut_off(why);
  stop_observing();
  for (auto& one : m_by_worker) {
    one.observed = {};
    one.sends = {};
  }
  m_untold_sends = {};
}

void run_counters::tell_phases(std::uint64_t step) {
  for (; m_phases_told < m_phases.size() && m_phases[m_phases_told]->begin <= step;
       ++m_phases_told) {
    auto const& begun = *m_phases[m_phases_told];
    for (auto* const watching : m_observers)
      watching->phase({.index = m_phases_told, .step = begun.begin, .name = begun.name});
  }
}

// --- summing up ---

step_record run_counters::record_of(std::uint64_t step, step_counters const& counters) const {
  step_record record;
  record.step = step;
  record.phase = phase_index_at(step);
  record.largest = std::max(counters.largest, counters.largest_in_runs);
  record.steps = counters.messages > 0 ? 1 : 0;
  record.rounds = counters.arrived() ? 1 : 0;
  record.startups = counters.largest > 0 ? 1 : 0;
  record.words = counters.largest;
  record.link_words = std::max(counters.largest, counters.link_words);
  record.volume = counters.volume;
  record.messages = counters.messages;
  record.hops = counters.longest_route;
  record.queued = counters.queued;
  record.contention = counters.contention;
  if (counters.messages > 0) record.contention = std::max<std::uint64_t>(record.contention, 1);
  record.serialised_steps = record.contention;
  return record;
}

std::vector<run_counters::run_group> run_counters::groups_of_runs() const {
  std::vector<section const*> runs;
  for (auto const& run : m_runs)
    if (run->begin < run->end) runs.push_back(run.get());
  std::vector<run_group> groups;
  for (auto const* const run : runs) {
    if (groups.empty() || run->begin >= groups.back().end)
      groups.push_back({run->begin, run->end, {}});
    groups.back().end = std::max(groups.back().end, run->end);
    groups.back().runs.push_back(run);
  }
  return groups;
}

/// Finds the group that a step of a pipelined run belongs to.
std::size_t run_counters::group_at(std::span<run_group const> groups, std::uint64_t step) {
  auto const after = std::ranges::upper_bound(groups, step, {}, &run_group::begin);
  LOCKSTEP_ASSERT(light, after != groups.begin());
  return static_cast<std::size_t>(after - groups.begin()) - 1;
}

/// Counts the words and the work of the runs whose steps are withheld, once they are over.
void run_counters::settle_withheld(std::span<run_group const> groups, std::uint64_t end,
                                   work_by_step const& work) {
  auto const begin = m_sums.withheld_from();
  if (begin == never) return;
  auto const& group = groups[group_at(groups, begin)];
  if (m_first_to_pay != 0) m_paid_until = group.end;
  if (group.end > end) return;
  if (m_first_to_pay != 0) {
    counts more;
    step_sums::pay(more, price_of(group));
    m_sums.add_late(m_first_to_pay, phase_index_at(m_first_to_pay), more);
  }
  auto const done = std::ranges::find(work, begin, &work_by_step::value_type::first);
  if (done != work.end() && begin <= m_sums.last()) {
    counts more;
    more.work = done->second.work;
    more.operations = done->second.operations;
    m_sums.add_late(begin, phase_index_at(begin), more);
  }
  m_sums.release();
  m_first_to_pay = 0;
}

/// Withholds the records of the steps from the first of pipelined runs on that are not over before
/// `end`: their words and work are not known yet. Observers are told when they are over.
void run_counters::withhold_open_run(std::span<run_group const> groups, std::uint64_t end) {
  if (observing() || m_sums.withheld_from() != never) return;
  for (auto const& group : groups)
    if (group.begin < end && end < group.end) m_sums.withhold_from(group.begin);
}

/// Takes the steps in which requests that meet came into runs from the workers' counters.
void run_counters::take_hot_steps() {
  for (auto& one : m_by_worker) {
    m_hot_steps.insert(one.hot_steps.begin(), one.hot_steps.end());
    one.hot_steps.clear();
  }
}

/// Finds what the steps pay besides the run's start-up in which requests that meet came in.
std::uint64_t run_counters::hot_startups(run_group const& overlapping) const {
  auto const first = m_hot_steps.lower_bound(overlapping.begin);
  auto const steps = std::distance(first, m_hot_steps.lower_bound(overlapping.end));
  return steps == 0 ? 0 : static_cast<std::uint64_t>(steps) - 1;
}

/// Finds what runs pay that are over and count as one.
run_price run_counters::price_of(run_group const& overlapping) const {
  if (m_team != nullptr)
    for (auto const& run : m_runs)
      if (overlapping.begin <= run->begin && run->begin < overlapping.end) run->join();
  auto const words = words_of_runs(overlapping.runs);
  auto const found = m_most_run_words.find(overlapping.begin);
  return {words, found == m_most_run_words.end() ? words : std::max(words, found->second),
          hot_startups(overlapping)};
}

/// Counts the words of a group of runs in its first step with words.
void run_counters::pay_for_runs(step_record& first, std::vector<run_group> const& groups,
                                std::uint64_t end, untold_messages const& messages) {
  if (first.step < m_paid_until) return;
  auto const& group = groups[group_at(groups, first.step)];
  m_paid_until = group.end;
  if (observing() && messages.runs_until_error)
    step_sums::pay(first, told_words_of_runs(group, messages));
  else if (group.end <= end || observing())
    step_sums::pay(first, price_of(group));
  else
    m_first_to_pay = first.step;
}

std::uint64_t run_counters::words_of_runs(std::span<section const* const> overlapping) {
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

/// The same of the messages that observers of a run that failed are told.
run_price run_counters::told_words_of_runs(run_group const& overlapping,
                                           untold_messages const& messages) const {
  std::unordered_map<int, processor_record> traffic;
  std::map<link, std::uint64_t> over_links;
  std::set<std::uint64_t> hot_steps;
  run_price most;
  for (auto at = messages.next; at != messages.list.end(); ++at) {
    auto const& seen = at->record;
    if (seen.step >= overlapping.end) break;
    if (!messages.runs_until_error->has(seen.to, seen.step)) continue;
    most.words = std::max({most.words, traffic[seen.to].words_received += seen.words,
                           traffic[seen.from].words_sent += seen.words});
    if (at->meets && seen.words > 0) hot_steps.insert(seen.step);
    if (!routes_matter()) continue;
    for (auto const& crossed : links_of(m_topology, seen))
      most.link_words = std::max(most.link_words, over_links[crossed] += seen.words);
  }
  most.link_words = std::max(most.link_words, most.words);
  if (!hot_steps.empty()) most.hot_startups = hot_steps.size() - 1;
  return most;
}

namespace {

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

phase_record run_counters::phase_record_of(std::size_t phase) {
  auto& of = *m_phases[phase];
  if (!of.received.empty()) of.sum_up();
  phase_record record;
  static_cast<counts&>(record) = m_sums.of_phase(phase);
  record.name = of.name;
  record.first_step = of.begin;
  record.port_words = of.port_words;
  std::vector<std::uint64_t> rearranged;
  for (auto const& one : m_by_worker)
    if (phase < one.phase_rearranged.size()) merge_largest(rearranged, one.phase_rearranged[phase]);
  set_rearranged(record, rearranged);
  auto const work = phase < m_work_of_phases.size() ? m_work_of_phases[phase] : work_sum();
  record.work = work.work;
  record.operations = work.operations;
  return record;
}

std::vector<call_place> run_counters::calls_that_received(int from, int to,
                                                          std::uint8_t pass) const {
  std::vector<std::pair<std::uint32_t, call_place>> by_step;
  for (auto const& mine : m_by_worker)
    for (std::size_t i = 0; i < mine.received_at.size(); ++i) {
      auto const& each = mine.kept[i];
      bool const is_received = mine.received_at[i].in_program().line() != 0;
      if (is_received && each.from == from && each.to == to && each.pass == pass)
        by_step.emplace_back(each.step, mine.received_at[i]);
    }
  std::ranges::stable_sort(by_step, {}, [](auto const& each) { return each.first; });
  std::vector<call_place> calls;
  for (auto const& [step, call] : by_step) calls.push_back(call);
  return calls;
}

run_counters::totals run_counters::sum_up() {
  if (m_team != nullptr) join_ends();
  totals result;
  result.total = m_sums.total();
  result.steps = m_sums.take_steps();
  for (std::size_t phase = 0; phase < m_phases.size(); ++phase)
    result.phases.push_back(phase_record_of(phase));
  std::vector<std::uint64_t> rearranged;
  for (auto const& one : m_by_worker) merge_largest(rearranged, one.rearranged);
  set_rearranged(result.total, rearranged);
  std::vector<label_counters const*> labels;
  for (auto const& one : m_by_worker) labels.push_back(&one.labels);
  if (m_counts_labels.load(std::memory_order_relaxed)) result.labels = m_labels.records(labels);
  result.kept = std::move(m_by_worker.front().kept);
  for (auto const& one : m_by_worker | std::views::drop(1))
    result.kept.insert(result.kept.end(), one.kept.begin(), one.kept.end());
  return result;
}

}  // namespace lockstep::detail
