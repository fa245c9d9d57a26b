// Supersteps of mail: the senders of each member, and posts that are left.

#include <algorithm>
#include <map>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/runtime.hpp"

namespace lockstep::detail {

mailbox& runtime::mailbox_of(processor_state& me, group const& of) {
  auto& all = me.more->irregular().mailboxes;
  for (auto const& one : all)
    if (&one->members() == &of) return *one;
  m_has_posts.store(true, std::memory_order_relaxed);
  return *all.emplace_back(std::make_unique<mailbox>(of));
}

/// Tells each member of a group whose superstep ends its senders, in the order of ranks.
void runtime::match_mail(group const& complete) {
  m_has_mail = true;
  for (int rank = 0; rank < complete.size(); ++rank) {
    if (!m_own.has(complete.on_machine(rank))) continue;
    auto& sender = state_of(complete.on_machine(rank));
    sender.more->irregular().mail_since = complete.released;
    for (auto& one : sender.more->irregular().mail->outgoing())
      if (m_own.has(one.to))  // others are told when all have sent
        state_of(one.to).more->irregular().mail->arriving.push_back({rank, &one});
  }
}

/// Lets members go on that waited in a barrier which changes no clock.
void runtime::release_in_order(group& complete) {
  if (m_team != nullptr) join_mail(complete, true);
  for (auto* const waiter : std::views::reverse(complete.waiting)) go_on(*waiter);
  complete.waiting.clear();
}

/// Lets the processors go on that have sent their mail, where others could not because the run has
/// failed: what was sent can still show an earlier error.
bool runtime::release_senders_of_mail() {
  auto const sends = [](processor_state const& one) {
    return one.doing == activity::in_barrier && one.more->barrier_is == barrier_kind::mail_sent;
  };
  if (m_team != nullptr) {
    std::map<int, group const*> sending;  // by rank, in which order all processes go through them
    for_each_known([&](processor_state const& one) {
      if (sends(one)) sending.emplace(one.rank, one.more->barrier_group);
    });
    std::vector<group const*> joined;
    for (auto const& [rank, of] : sending) {
      if (std::ranges::find(joined, of) != joined.end()) continue;
      joined.push_back(of);
      join_mail(*of, false);
    }
  }
  bool any = false;
  for_each_known([&](processor_state& one) {
    if (!sends(one) || one.marks.ending()) return;
    one.more->barrier_group->waiting.clear();
    go_on(one);
    any = true;
  });
  return any;
}

/// Notes the first post that nobody delivered, if there is one.
void runtime::check_all_delivered() {
  for (auto const& one : own_states()) {
    if (one.more->irregular_calls == nullptr) continue;
    for (auto const& box : one.more->irregular_calls->mailboxes) {
      if (box->empty()) continue;
      auto const& [step, to, where] = box->first();
      incident const at{one.rank,           step, phase_of_step(step),
                        where.in_program(), {},   where.in_library()};
      note(std::make_exception_ptr(unreceived_message(
               fmt::format("what processor {} posted to processor {} in step {} was not delivered "
                           "when the run ended: all members of the machine or subset have to call "
                           "deliver after the last post",
                           one.rank, to, step),
               at)),
           step, one.rank);
    }
  }
}

}  // namespace lockstep::detail
