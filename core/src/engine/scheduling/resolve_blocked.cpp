// What happens when no processor can go on: barriers and one-sided rounds end, or the run does.

#include <algorithm>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include <lockstep/assert.hpp>

#include "engine/cluster/process_team.hpp"
#include "engine/messages/words_of_elements.hpp"
#include "engine/runtime.hpp"
#include "engine/scheduling/deadlock_report.hpp"

namespace lockstep::detail {

namespace {

/// Barriers of a group, or one-sided rounds, in a row in which no step passes.
constexpr std::uint64_t most_idle_times = 1'000'000;

}  // namespace

bool runtime::resolve_blocked(std::span<std::vector<processor_state*>* const> arrived) {
  if (copy_all_lent()) return true;
  auto const counted = take_counted();
  // One that is never left is noted below.
  if (counted.processors == size() && m_everybody.idle_releases + 1 < most_idle_times)
    if (auto const call = call_of_all(counted)) {
      release_counted(counted.step, *call);
      return true;
    }
  if (m_team != nullptr) gather_arrivals(arrived, counted.processors > 0);
  std::vector<group*> complete;
  try {
    if (counted.processors > 0) {
      note_counted();
      if (static_cast<int>(m_everybody.waiting.size()) == size()) complete.push_back(&m_everybody);
    }
    for (auto* const list : arrived)
      for (auto* const waiter : *list) note_waiter(*waiter, complete);
  } catch (...) {  // the run ends
    for (auto* const list : arrived) list->clear();
    throw;
  }
  for (auto* const list : arrived) list->clear();
  // First those that differ: their errors say where all processors wait.
  std::erase_if(complete, [this](group* const one) {
    if (same_barrier(*one)) return false;
    one->waiting.clear();  // the members stay where they are until the run ends
    return true;
  });
  for (auto* const group : complete) release_barrier(*group);
  if (!complete.empty()) return true;
  if (all_finished()) return false;
  if (m_failure == nullptr) note_contention();
  if (m_failure != nullptr && release_senders_of_mail()) return true;
  if (!m_undecided.empty() && decide_arrivals()) return true;
  if (m_failure != nullptr) return go_on_after_failure();
  if (!m_one_sided.empty()) {
    serve_round();
    return true;
  }
  note_deadlock();
  end_everybody();
  return true;
}

/// Notes a processor that waits in a round or in its group's barrier, and the group if it is
/// complete. One that waits no more has been told to end, because memory ran out before.
void runtime::note_waiter(processor_state& waiter, std::vector<group*>& complete) {
  if (waiter.doing == activity::in_one_sided_round) return m_one_sided.push_back(&waiter);
  if (waiter.doing == activity::choosing || waiter.doing == activity::polling)
    return m_undecided.push_back(&waiter);
  if (waiter.doing != activity::in_barrier) return;
  auto& met = *waiter.more->barrier_group;
  met.waiting.push_back(&waiter);
  if (static_cast<int>(met.waiting.size()) == met.size()) complete.push_back(&met);
}

/// Decides how a run goes on that has failed, now that no processor can go on before the step of
/// the error is over. A message that a one-sided call asked for belongs to the step of its sender's
/// clock, and is not known before its owner takes part, which may be in any later step. So all go
/// on as long as such a call waits.
bool runtime::go_on_after_failure() {
  std::erase_if(m_one_sided,
                [](auto const* waiter) { return waiter->doing != activity::in_one_sided_round; });
  bool const may_matter = std::ranges::any_of(
      m_one_sided, [this](auto const* waiter) { return waiter->now <= m_failure_step; });
  if (may_matter) {
    if (!resume_stopped()) serve_round();
    return true;
  }
  m_one_sided.clear();
  end_everybody();
  return true;
}

/// Lets the processors go on that the failure stopped, and stops none again. False if there were
/// none.
bool runtime::resume_stopped() {
  m_beyond_failure = true;
  m_stop_after.store(never - 1, std::memory_order_relaxed);
  bool any = false;
  for (auto& waiter : own_states()) {
    if (waiter.doing != activity::stopped) continue;
    go_on(waiter);
    any = true;
  }
  return m_team == nullptr ? any : m_team->any(any);
}

/// Finds the link contention of a strict machine in everything sent until now, so that whether the
/// run has failed does not depend on how often the steps that are over were counted.
void runtime::note_contention() {
  if (!m_options.strict || !m_links_shared) return;
  count_links(first_open_step());  // so that each step is looked at once
  std::vector<link_conflict> conflicts;
  m_counters.find_conflicts(conflicts);
  note_conflicts(conflicts);
}

bool runtime::same_barrier(group const& complete) {
  auto const same = [](processor_state const* left, processor_state const* right) {
    return left->more->came_by() == right->more->came_by();
  };
  auto const* const some = complete.waiting.front();
  if (std::all_of(complete.waiting.begin(), complete.waiting.end(),
                  [&](auto* waiter) { return same(waiter, some); }))
    return true;
  see_all();
  auto& first = state_of(complete.on_machine(0));
  std::uint64_t met = 0;
  for (auto const* waiter : complete.waiting) met = std::max(met, waiter->now);
  for (int rank = 1; rank < complete.size(); ++rank) {
    auto& other = state_of(complete.on_machine(rank));
    if (same(&first, &other)) continue;
    note_failure<barrier_mismatch>(
        other,
        fmt::format("processor {} is in {} and processor {} in {} (at {}): all members of a "
                    "barrier have to mean the "
                    "same one; let them make the same calls in the same order",
                    other.rank, barrier_text(other), first.rank, barrier_text(first),
                    place_text(place_of(first))),
        met, waits_of(states()));
    break;
  }
  return false;
}

/// Finds the call by which all processors came to the barrier in which they are counted; none where
/// they came by different ones.
std::optional<barrier_call> runtime::call_of_all(barrier_arrivals const& counted) {
  if (!counted.agree()) return std::nullopt;
  if (m_team == nullptr || counted.in_calls == 0) return counted.call;
  return call_of_processes(counted.call);
}

/// Lets a member enter the phase or the run that a barrier has begun, or leave the run that it has ended.
inline void runtime::enter_section(processor_state& member, group const& of, barrier_kind barrier) {
  if (barrier == barrier_kind::phase && of.whole()) {
    member.more->phase = m_counters.phase_count() - 1;
    member.more->phase_rearrangements = 0;
  }
  if (begins_run(barrier) || barrier == barrier_kind::end_pipelined) {
    member.more->run = of.run;
    member.more->sections_over_before = of.released;
  }
}

/// Ends a barrier of the whole machine in which all are counted.
void runtime::release_counted(std::uint64_t step, barrier_call const& call) {
  auto& all = m_everybody;
  if (call.kind == barrier_kind::mail_sent) {  // which changes no clock
    if (m_team != nullptr) join_mail(all, true);
    for (auto& one : own_states())
      if (one.doing != activity::finished) one.doing = activity::running;
    return wake_all();
  }
  if (m_order != nullptr) note_meeting_of_all();
  all.idle_releases = step == all.released ? all.idle_releases + 1 : 0;
  pass_barrier(all, call, step);
  for (auto& one : own_states()) {
    if (one.doing == activity::finished) continue;  // its stack has overflowed since it was counted
    one.now = step;
    one.doing = activity::running;
  }
  if (call.kind != barrier_kind::plain)
    for (auto& one : own_states()) enter_section(one, all, call.kind);
  wake_all();
}

/// Notes the processors one by one that were counted.
void runtime::note_counted() {
  for_each_known([this](processor_state& one) {
    if (!is_counted(one.doing)) return;
    if (one.doing == activity::counted_in_barrier) {
      one.more->barrier_group = &m_everybody;
      one.more->barrier_is = barrier_kind::plain;
      one.more->barrier_name = {};
    }
    one.doing = activity::in_barrier;
    m_everybody.waiting.push_back(&one);
  });
}

/// Begins and ends what a barrier of a group begins and ends, in the step in which its members go on.
void runtime::pass_barrier(group& of, barrier_call const& call, std::uint64_t step) {
  LOCKSTEP_ASSERT(light, step >= of.released);
  of.released = step;
  if (of.whole()) ++m_whole_barriers;
  if (call.kind == barrier_kind::phase && of.whole())
    m_counters.begin_phase(call.name, step, in_flight());
  if (begins_run(call.kind)) of.run = m_counters.begin_run(of, step);
  if (call.kind == barrier_kind::announce || call.kind == barrier_kind::deliver) match_mail(of);
  if (call.kind == barrier_kind::end_pipelined)
    run_counters::end_run(*std::exchange(of.run, nullptr), step, in_flight());
}

void runtime::release_barrier(group& complete) {
  auto const call = complete.waiting.front()->more->came_by();
  if (call.kind == barrier_kind::mail_sent) return release_in_order(complete);
  note_meeting(complete.waiting);
  std::uint64_t step = 0;
  for (auto const* waiter : complete.waiting) step = std::max(step, waiter->free_step());
  complete.idle_releases = step == complete.released ? complete.idle_releases + 1 : 0;
  bool const stuck = no_progress(complete.waiting, complete.idle_releases);
  pass_barrier(complete, call, step);
  // The fibers engine resumes the last one first. So they run in the order of their ranks, which is
  // that of their memory.
  for (auto* const waiter : std::views::reverse(complete.waiting)) {
    if (stuck) waiter->marks.end();
    go_on_from_barrier(*waiter);
  }
  complete.waiting.clear();
}

bool runtime::no_progress(std::span<processor_state* const> waiting, std::uint64_t idle_times) {
  if (idle_times < most_idle_times) return false;
  see_all();
  auto const& least = **std::ranges::min_element(waiting, {}, &processor_state::rank);
  note_failure<step_limit>(
      least, fmt::format(
                 "{} barriers or one-sided rounds in a row in which no step passed: such a program "
                 "never ends; let it send or idle, or return",
                 idle_times));
  return true;
}

void runtime::go_on(processor_state& waiter) {
  if (waiter.doing == activity::finished) return;  // it was abandoned
  waiter.doing = activity::running;
  wake(waiter);
}

bool runtime::in_flight() const {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  for (int rank = m_own.first; rank < m_own.end; ++rank) {
    sent += words_sent(state_of(rank));
    received += state_of(rank).words_received;
  }
  if (m_team == nullptr) return sent != received;
  auto const all = m_team->sum({sent, received});
  return all[0] != all[1];
}

void runtime::go_on_from_barrier(processor_state& member) {
  auto const& of = *member.more->barrier_group;
  member.now = of.released;
  if (!of.whole()) {
    ++member.more->barriers_of_subsets;
    if (member.more->work != nullptr) member.more->work->close();
  }
  enter_section(member, of, member.more->barrier_is);
  go_on(member);
}

// --- one-sided rounds ---

namespace {

[[nodiscard]] bool takes_part(processor_state const& owner) {
  return owner.doing == activity::in_one_sided_round && owner.more->request != nullptr;
}

}  // namespace

void runtime::serve_round() {
  auto round = std::exchange(m_one_sided, {});
  std::sort(round.begin(), round.end(),
            [](auto* left, auto* right) { return left->rank < right->rank; });
  std::uint64_t steps = 0;
  for (auto const* waiter : round) steps += waiter->now;
  m_idle_rounds = steps == m_round_steps ? m_idle_rounds + 1 : 0;
  m_round_steps = steps;
  bool const stuck = no_progress(round, m_idle_rounds);
  bool const failed_before = failed();
  count_askers(round);
  for (auto const kind : {one_sided_request::kind::read, one_sided_request::kind::write})
    for (auto* const waiter : round)
      if (waiter->more->request->what == kind) serve(*waiter, failed_before);
  if (bring_served(!m_unserved.empty())) drop_unserved();
  for (auto* const waiter : round) {
    if (stuck) waiter->marks.end();
    go_on(*waiter);
  }
}

/// Counts at each owner of a round how many ask for its words, or send it some.
void runtime::count_askers(std::span<processor_state* const> round) {
  for (auto const* const asker : round) {
    auto const& request = *asker->more->request;
    if (request.what == one_sided_request::kind::serve) continue;
    if (words_of_elements(*request.asked.type, request.asked.count, m_options.count) == 0) continue;
    if (auto& owner = known_state_of(request.owner); takes_part(owner))
      ++owner.more->request->askers;
  }
}

bool runtime::may_serve(processor_state const& asker, processor_state const& owner,
                        bool failed_before) {
  auto const& request = *asker.more->request;
  bool const reads = request.what == one_sided_request::kind::read;
  // The error belongs to the step in which both are there.
  auto const met = [&] {
    see_all();
    return std::max(asker.now, owner.now);
  };
  if (!takes_part(owner)) {
    see_all();
    // Where the run has failed, that may be the reason why the owner is not there.
    if (!failed_before || owner.more->returned)
      note_failure<barrier_mismatch>(
          asker,
          fmt::format("processor {} wanted to {} processor {}, which takes no part in this round: "
                      "one-sided calls are collective; let the owner read, write or serve in the "
                      "same round",
                      asker.rank, reads ? "read from" : "write to", owner.rank));
    return false;
  }
  auto const& memory = owner.more->request->mine;
  if (*memory.type->id != *request.asked.type->id) {
    auto const step = met();
    note_failure<type_mismatch>(
        asker,
        fmt::format("wanted elements of type {} from processor {}, whose memory holds {}",
                    readable_name(*request.asked.type), owner.rank, readable_name(*memory.type)),
        step);
    return false;
  }
  if (request.offset > memory.count || request.asked.count > memory.count - request.offset) {
    auto const step = met();
    note_failure<size_mismatch>(
        asker,
        fmt::format(
            "asked processor {} for {} elements, beginning with element {}; in this round it "
            "gives access to {}",
            owner.rank, request.asked.count, request.offset, memory.count),
        step);
    return false;
  }
  if (!reads && !owner.more->request->writable) {
    auto const step = met();
    note_failure<invalid_argument>(
        asker,
        fmt::format("wanted to write to processor {}, which lets others read only in this round",
                    owner.rank),
        step);
    return false;
  }
  return true;
}

void runtime::serve(processor_state& asker, bool failed_before) {
  auto& request = *asker.more->request;
  auto& owner = known_state_of(request.owner);
  if (!may_serve(asker, owner, failed_before)) {
    asker.marks.end();
    return;
  }
  bool const meets = owner.more->request->askers > 1;
  try {
    if (request.what == one_sided_request::kind::read) {
      request.meets = meets;
      if (!m_own.has(owner.rank)) return;  // its process sends
      auto const& memory = owner.more->request->mine;
      auto const* const first = at_rest(owner, memory.data) + request.offset * memory.type->size;
      deliver_from(owner, asker.rank, {first, request.asked.count, request.asked.type},
                   request.hops);
    } else {
      if (m_own.has(asker.rank))
        deliver_from(asker, owner.rank,
                     {at_rest(asker, request.asked.data), request.asked.count, request.asked.type},
                     request.hops);
      owner.more->request->incoming.push_back(
          {asker.rank, request.offset, request.asked.count, meets});
    }
  } catch (error const&) {  // it was noted
    asker.marks.end();
    m_unserved.push_back(asker.rank);
  }
}

/// Ends the processors whose requests of the round have failed, and forgets these requests, in all processes.
void runtime::drop_unserved() {
  auto unserved = std::exchange(m_unserved, {});
  if (m_team != nullptr) {
    byte_writer mine;
    mine.put_all(std::span<int const>(unserved));
    m_team->tell_others(topic::served, std::move(mine), [&](int, byte_reader& from) {
      auto const theirs = from.get_all<int>();
      unserved.insert(unserved.end(), theirs.begin(), theirs.end());
    });
  }
  for (int const rank : unserved) {
    auto& asker = known_state_of(rank);
    asker.marks.end();
    std::erase_if(known_state_of(asker.more->request->owner).more->request->incoming,
                  [&](auto const& write) { return write.from == rank; });
  }
}

// --- deadlock ---

void runtime::note_deadlock() {
  see_all();
  auto const& first = *earliest(states());
  if (all_in_barriers(states()))
    note_failure<barrier_mismatch>(first, unreachable_barrier_text(states(), first), 0,
                                   waits_of(states()));
  else
    note_failure<deadlock>(first, deadlock_text(states()), 0, waits_of(states()));
}

}  // namespace lockstep::detail
