// Which message comes first: decided when no processor can go on.
//
// Whoever goes on after a decision for step t sends in step t + 1 at the earliest, and who polls in
// step n in step n. So of all decisions that wait the least is right whatever follows: no message
// that is not there can come before it.

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "engine/messages/routes.hpp"
#include "engine/runtime.hpp"

namespace lockstep::detail {

namespace {

[[nodiscard]] bool waits_for_answer(processor_state const& one) {
  return one.doing == activity::choosing || one.doing == activity::polling;
}

/// The last step in which the in-port was used through which a message comes.
[[nodiscard]] std::uint64_t last_use_of_in_port(runtime& run, processor_state& me,
                                                message const& came) {
  if (run.options().ports == ports::one) return me.last_received;
  if (me.more->ports == nullptr) return 0;
  auto const& used = me.more->ports->in;
  auto const found = used.find(in_port(run, me, came));
  return found == used.end() ? 0 : found->second;
}

}  // namespace

/// Finds the message that comes in first among those that are there: the least (step, sender) of the
/// oldest message of each sender.
std::optional<runtime::decision> runtime::first_to_come(processor_state& chooser) {
  std::optional<decision> first;
  chooser.arrived.visit_oldest(chooser.pass, [&](message const& oldest) {
    if (!chooser.more->irregular().question.admits(oldest.from)) return;
    auto const step = std::max(oldest.stamp, last_use_of_in_port(*this, chooser, oldest) + 1);
    if (!first || std::tie(step, oldest.from) < std::tie(first->step, first->from))
      first = decision{&chooser, step, oldest.from};
  });
  return first;
}

/// Forgets those that go on, or have ended.
void runtime::forget_answered() {
  std::erase_if(m_undecided, [](auto const* one) { return !waits_for_answer(*one); });
}

/// Lists the decisions that are possible now.
std::vector<runtime::decision> runtime::possible_decisions() {
  forget_answered();
  std::vector<decision> possible;
  for (auto* const waiter : m_undecided) {
    // Its own process knows which messages have come.
    if (waiter->doing == activity::choosing && !m_own.has(waiter->rank)) continue;
    collect_arrivals(*waiter);
    if (waiter->doing == activity::polling) {
      possible.push_back({waiter, waiter->now, -1});
      continue;
    }
    try {
      if (auto const found = first_to_come(*waiter)) possible.push_back(*found);
    } catch (error const&) {  // of the topology, and noted
      go_on(*waiter);
    }
  }
  return possible;
}

/// Decides what no message to come can change, and lets those processors go on. False if there is
/// nothing to decide, or the run has failed in an earlier step.
bool runtime::decide_arrivals() {
  auto possible = possible_decisions();
  if (m_team != nullptr) join_decisions(possible);
  if (possible.empty()) return false;
  // Who polls in a step is told of earlier ones only, and may send in it.
  auto const place = [](decision const& one) {
    return std::tuple(one.step, one.waiter->doing == activity::choosing);
  };
  auto const least = place(*std::ranges::min_element(possible, {}, place));
  auto const step = std::get<0>(least);
  if (step > m_failure_step) return false;
  bool const meets_round = std::ranges::any_of(m_one_sided, [&](auto const* one) {
    return one->doing == activity::in_one_sided_round && one->now <= step;
  });
  for (auto const& one : possible)
    if (meets_round)
      refuse_beside_round(one);
    else if (place(one) == least)
      answer(one);
  forget_answered();
  return true;
}

/// Begins to note the events by which messages follow calls. What was sent before follows none.
void runtime::begin_order() {
  m_order = std::make_unique<arrival_order>(static_cast<std::size_t>(size()));
  for_each_in_flight(
      [&](message const& one, int to) { m_order->add_under_way(one.from, to, one.pass); });
  if (m_team != nullptr)
    for (auto const& one : left_elsewhere())
      m_order->add_under_way(one.of.from, one.to, one.of.pass);
  m_sends_noted = true;
  m_usual_options = false;
  m_counters.note_all();
}

void runtime::note_order(processor_state& me, order_event event) {
  me.more->irregular().order.list.push_back(event);
}

/// Notes that these processors, which wait in a barrier, all know what each of them knows.
void runtime::note_meeting(std::span<processor_state* const> members) {
  if (m_order == nullptr) return;
  int const number = m_order->begin_barrier(static_cast<int>(members.size()));
  for (auto* const one : members)
    one->more->irregular().order.list.push_back({order_event::kind::met, 0, number});
}

/// The same for all processors. Each process notes it of its own.
void runtime::note_meeting_of_all() {
  int const number = m_order->begin_barrier(size());
  for (auto& one : own_states())
    one.more->irregular().order.list.push_back({order_event::kind::met, 0, number});
}

void runtime::answer(decision const& made) {
  auto& waiter = *made.waiter;
  auto& question = waiter.more->irregular().question;
  if (waiter.doing == activity::choosing) {
    if (m_order == nullptr) begin_order();
    question.from = made.from;
  } else {
    question.pending = 0;
    waiter.arrived.for_each([&](message const& one) {
      if (one.from == question.from && one.pass == waiter.pass && one.stamp < waiter.now)
        ++question.pending;
    });
  }
  go_on(waiter);
}

/// A round of one-sided calls sends messages of early steps when no other processor can go on.
/// So the first message is not known while one is open.
void runtime::refuse_beside_round(decision const& of) {
  auto& waiter = *of.waiter;
  see_all();
  note_failure<invalid_argument>(
      waiter,
      fmt::format(
          "processor {} asks for the first message while a round of one-sided calls is open: what "
          "the round sends may come earlier; let the round end before, by a barrier of all",
          waiter.rank),
      of.step);
  waiter.marks.end();
  go_on(waiter);
}

}  // namespace lockstep::detail
