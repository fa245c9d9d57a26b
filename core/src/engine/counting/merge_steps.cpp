// Counts the steps that are over, while no processor runs.

#include <algorithm>
#include <unordered_map>

#include <fmt/ranges.h>

#include "engine/runtime.hpp"
#include "engine/scheduling/deadlock_report.hpp"
#include "engine/tuning.hpp"

namespace lockstep::detail {

namespace {

/// The processors that wait in one barrier.
struct barrier_meeting {
  int members = 0;
  std::uint64_t last = 0;  ///< the latest of their clocks

  void add(std::uint64_t now) {
    ++members;
    last = std::max(last, now);
  }
};

}  // namespace

void runtime::merge_finished_steps() {
  auto const open = first_open_step();
  count_links(open);
  // Observers of a run that has failed are told at its end, when the step of the error is known.
  if (!failed() || !m_counters.observing()) {
    hand_over_work(open);
    m_counters.merge_steps(open);
  }
  m_counters.put_off_merging();
  // Of a run that has failed nobody learns the choices, and events may be missing.
  if (m_order != nullptr && !failed()) replay_order();
  if (auto const bytes = m_counters.bytes_if_doubled(); bytes > 0) ask_for_memory(bytes, open);
}

void runtime::hand_over_work(std::uint64_t end) {
  if (!m_counters.counts_work()) return;
  for (auto& one : own_states()) {
    if (one.more->work == nullptr) continue;
    one.more->work->settle();
    auto& pending = one.more->work->pending;
    if (pending.is_open(end)) continue;
    one.more->work->meter.close();
    m_counters.of_worker(0).work.add(one.rank, pending);
    pending = {};
  }
}

/// Counts the members of a group that this process runs.
int runtime::own_members(group const& of) const {
  if (m_team == nullptr) return of.size();
  if (of.whole()) return m_own.size();
  return static_cast<int>(
      std::ranges::count_if(of.members(), [&](int rank) { return m_own.has(rank); }));
}

/// Finds the first step in which a message may still come in.
std::uint64_t runtime::first_open_step() {
  std::uint64_t open = never - 1;
  for_each_in_flight([&](message const& under_way, int) {
    open = std::min<std::uint64_t>(open, under_way.stamp);
  });
  // A processor that waits goes on no earlier than one that does not. Where errors or observers
  // need the order of the clocks, each clock counts.
  bool const by_clocks = m_options.strict || m_counters.observing();
  std::unordered_map<group const*, barrier_meeting> barriers;
  for (auto const& one : own_states()) {
    if (one.landed) open = std::min(open, one.landed_stamp);
    if (auto const* const calls = one.more->irregular_calls.get();
        m_has_mail && calls != nullptr && calls->mail_since > 0)
      open = std::min(open, calls->mail_since);
    if (one.doing == activity::finished) continue;
    bool const receives = one.doing == activity::receiving || one.doing == activity::choosing;
    if (!by_clocks && receives) continue;
    if (!by_clocks && is_counted(one.doing))
      barriers[&m_everybody].add(one.now);
    else if (!by_clocks && one.doing == activity::in_barrier)
      barriers[one.more->barrier_group].add(one.now);
    else
      open = std::min(open, one.now);
  }
  for (auto const& [members, met] : barriers)
    if (met.members == own_members(*members)) open = std::min(open, met.last);
  // Where other processes have members, too, one that is complete has no earlier step than here.
  return m_team == nullptr ? open : m_team->least(open);
}

/// Ends the run with an error where the system would end the process, if the counts took as much
/// memory again.
void runtime::ask_for_memory(std::size_t bytes, std::uint64_t open) {
  auto const available = usual_tuning.available_memory();
  if (bytes <= available || failed()) return;
  auto const* const last = earliest(own_states());
  if (last == nullptr) return;
  note_failure<out_of_memory>(
      *last,
      fmt::format("the counts of the steps take {} MiB, and {} MiB are available; what comes in is "
                  "summed up as far as step {}, while processor {} is the last in step {}: let "
                  "processors run less far apart and take messages in sooner, or run fewer steps",
                  bytes >> 20, available >> 20, open - 1, last->rank, last->now));
}

void runtime::count_links(std::uint64_t step) {
  if (m_team != nullptr) m_counters.join_kinds();
  if (m_counters.words_matter())
    for (auto& one : own_states()) end_row(m_counters.of_worker(0), one);
  if (m_team != nullptr) m_counters.join_steps(step);
  std::vector<link_conflict> conflicts;
  m_counters.count_links(step, m_options.strict, conflicts);
  note_conflicts(conflicts);
}

/// Lists the processors on the way of a message, both ends included.
std::vector<int> runtime::route_of(link_use const& of) const {
  auto stops = of.way.by_topology() ? m_network->route(of.from, of.to)
                                    : m_network->route(of.from, of.way.to_along(of.hops));
  stops.insert(stops.begin(), of.from);
  return stops;
}

void runtime::note_conflicts(std::vector<link_conflict> const& conflicts) {
  for (auto const& [earlier, later, shared] : conflicts) {
    if (later.step > failed_step()) continue;
    auto const link = m_network->link_at(shared);
    auto details = std::make_shared<failure_details>();
    for (auto const* const use : {&earlier, &later})
      details->messages.push_back({use->from,
                                   use->to,
                                   {},
                                   use->step,
                                   route_of(*use),
                                   use->where.in_program(),
                                   use->where.in_library()});
    auto const route_text = [&](std::size_t which) {
      return fmt::format("{}", fmt::join(details->messages[which].route, " -> "));
    };
    note(std::make_exception_ptr(link_contention(
             fmt::format("in step {} two messages took the link {} -> {}, one on the route {} and "
                         "one on the route {}: a "
                         "link of a strict machine carries one message in a step; let one of them "
                         "be sent in another "
                         "step, or run without strict",
                         later.step, link.from, link.to, route_text(0), route_text(1)),
             incident{later.from, later.step, phase_of_step(later.step), later.where.in_program(),
                      details, later.where.in_library()})),
         later.step, later.from);
  }
}

}  // namespace lockstep::detail
