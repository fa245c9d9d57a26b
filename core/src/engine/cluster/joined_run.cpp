// What all processes that run a machine together have to know of each other's processors.

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/cluster/process_team.hpp"
#include "engine/runtime.hpp"
#include "engine/tuning.hpp"

namespace lockstep::detail {

namespace {

/// Orders what came by senders, and keeps the last of each.
void keep_last_of_each(std::vector<arriving_mail>& came) {
  std::ranges::reverse(came);
  std::ranges::stable_sort(came, {}, &arriving_mail::from);
  auto const others = std::ranges::unique(came, {}, &arriving_mail::from);
  came.erase(others.begin(), others.end());
}

}  // namespace

/// Writes which machine runs: processes that run different ones are told so.
std::string runtime::description() const {
  auto const& of = m_options;
  return fmt::format(
      "{} (ports {}, switching {}, strict {}, packet {}, max_steps {}, word_bytes {}, words {})",
      given_network().spec(), static_cast<int>(of.ports),
      of.switching ? static_cast<int>(*of.switching) : -1, of.strict, of.packet, of.max_steps,
      of.word_bytes, static_cast<int>(of.count));
}

// --- errors ---

runtime::failure_place runtime::failed_at() {
  std::scoped_lock const lock(m_failure_guard);
  return {m_failure_step, m_failure_rank};
}

void runtime::note_elsewhere(failure_place const& at) {
  std::scoped_lock const lock(m_failure_guard);
  if (m_failure != nullptr &&
      std::tie(m_failure_step, m_failure_rank) <= std::tie(at.step, at.rank))
    return;
  m_failure = std::make_exception_ptr(process_lost("the error of another process did not come"));
  m_failure_step = at.step;
  m_failure_rank = at.rank;
  m_failure_elsewhere = true;
  if (!m_beyond_failure) m_stop_after.store(at.step, std::memory_order_relaxed);
}

/// Gives all processes the least error.
void runtime::share_failure() {
  bool const has_own = m_failure != nullptr && !m_failure_elsewhere;
  byte_writer mine;
  mine.put(has_own);
  if (has_own) {
    mine.put(failure_place{m_failure_step, m_failure_rank});
    m_team->put_failure(mine, m_failure);
  }
  auto const all = m_team->gather(topic::failures, std::move(mine));
  int first = -1;
  failure_place least{never, 0};
  for (int process = 0; process < m_team->processes(); ++process) {
    auto from = process_team::read(topic::failures, all[static_cast<std::size_t>(process)]);
    if (!from.get<bool>()) continue;
    auto const at = from.get<failure_place>();
    if (first >= 0 && std::tie(least.step, least.rank) <= std::tie(at.step, at.rank)) continue;
    first = process;
    least = at;
  }
  if (first < 0 || first == m_team->process()) return;
  auto from = process_team::read(topic::failures, all[static_cast<std::size_t>(first)]);
  static_cast<void>(from.get<bool>());
  static_cast<void>(from.get<failure_place>());
  m_failure = m_team->get_failure(first, from);
  m_failure_step = least.step;
  m_failure_rank = least.rank;
  m_failure_elsewhere = false;
}

// --- where processors are ---

void runtime::put_group(byte_writer& to, group const& of) {
  to.put(of.whole());
  if (of.whole()) return;
  auto const [number, is_new] = m_team->number_of(of);
  to.put(number);
  to.put(is_new);
  if (is_new) to.put_all(std::span<int const>(of.members()));
}

group& runtime::get_group(int process, byte_reader& from) {
  if (from.get<bool>()) return m_everybody;
  auto const number = from.get<std::uint32_t>();
  auto& known = m_team->groups_of(process);
  if (from.get<bool>()) {
    known.resize(std::max<std::size_t>(known.size(), number + 1));
    known[number] = const_cast<group*>(&part_of(from.get_all<int>()));
  }
  return *known.at(number);
}

/// Writes what a processor wants of a one-sided round. Its memory stays where it is.
void runtime::put_request(byte_writer& to, one_sided_request const& of) {
  to.put(of.what);
  to.put(of.owner);
  to.put(of.offset);
  to.put(of.asked.count);
  m_team->put_type(to, of.asked.type);
  to.put(of.mine.count);
  m_team->put_type(to, of.mine.type);
  to.put(of.writable);
  to.put(of.hops);
  to.put(of.askers);
}

one_sided_request runtime::get_request(int process, byte_reader& from) {
  one_sided_request of;
  of.what = from.get<one_sided_request::kind>();
  of.owner = from.get<int>();
  of.offset = from.get<std::size_t>();
  of.asked.count = from.get<std::size_t>();
  of.asked.type = m_team->get_type(process, from);
  of.mine.count = from.get<std::size_t>();
  of.mine.type = m_team->get_type(process, from);
  of.writable = from.get<bool>();
  of.hops = from.get<std::uint32_t>();
  of.askers = from.get<std::uint64_t>();
  return of;
}

void runtime::put_state(byte_writer& to, processor_state const& of) {
  to.put(of.rank);
  to.put(of.now);
  to.put(of.last_sent);
  to.put(of.waiting_for);
  to.put(of.pass);
  to.put(of.doing);
  to.put(of.more->returned);
  if (of.doing == activity::in_one_sided_round) put_request(to, *of.more->request);
  if (!has_call(of.doing)) return;
  put_group(to, *of.more->barrier_group);
  to.put(of.more->barrier_is);
  if (of.more->barrier_is == barrier_kind::phase) to.put_text(of.more->barrier_name);
}

processor_state& runtime::get_state(int process, byte_reader& from) {
  auto& of = known_state_of(from.get<int>());
  of.now = from.get<std::uint64_t>();
  of.last_sent = from.get<std::uint64_t>();
  of.waiting_for = from.get<int>();
  of.pass = from.get<std::uint8_t>();
  of.doing = from.get<activity>();
  of.more->returned = from.get<bool>();
  if (of.doing == activity::in_one_sided_round) {
    if (of.more->request == nullptr) of.more->request = std::make_unique<one_sided_request>();
    *of.more->request = get_request(process, from);
  }
  if (!has_call(of.doing)) return of;
  of.more->barrier_group = &get_group(process, from);
  of.more->barrier_is = from.get<barrier_kind>();
  of.more->barrier_name = {};
  if (of.more->barrier_is == barrier_kind::phase)
    of.more->barrier_name = m_team->keep(from.get_text());
  return of;
}

/// Finds the call by which the processors of all processes came to a barrier, each process's own by `own`; none
/// where they came by different ones.
std::optional<barrier_call> runtime::call_of_processes(barrier_call const& own) {
  byte_writer mine;
  mine.put(m_own.size() > 0);
  mine.put(own.kind);
  mine.put_text(own.name);
  std::optional<barrier_call> call;
  for (auto const& said : m_team->gather(topic::calls, std::move(mine))) {
    auto from = process_team::read(topic::calls, said);
    if (!from.get<bool>()) continue;
    auto const kind = from.get<barrier_kind>();
    barrier_call const theirs{kind, m_team->keep(from.get_text())};
    if (call && *call != theirs) return std::nullopt;
    call = theirs;
  }
  return call;
}

/// Tells all processes which processors have come to a barrier since the last call: in `arrived` are then those
/// of all, in the same order. `counted`: those, too, that are only counted.
void runtime::gather_arrivals(std::span<std::vector<processor_state*>* const> arrived,
                              bool counted) {
  byte_writer mine;
  std::vector<processor_state*> own;
  for (auto* const list : arrived) {
    own.insert(own.end(), list->begin(), list->end());
    list->clear();
  }
  std::ranges::sort(own, {}, &processor_state::rank);
  auto const listed = own.size();
  if (counted)
    for (auto& one : own_states())
      if (is_counted(one.doing)) own.push_back(&one);
  mine.put(own.size());
  for (auto const* const one : own) put_state(mine, *one);
  auto const all = m_team->gather(topic::arrivals, std::move(mine));
  auto& everybody = *arrived.front();
  for (int process = 0; process < m_team->processes(); ++process) {
    if (process == m_team->process()) {
      everybody.insert(everybody.end(), own.begin(),
                       own.begin() + static_cast<std::ptrdiff_t>(listed));
      continue;
    }
    auto from = process_team::read(topic::arrivals, all[static_cast<std::size_t>(process)]);
    for (auto left = from.get<std::size_t>(); left > 0; --left) {
      auto& one = get_state(process, from);
      if (!is_counted(one.doing)) everybody.push_back(&one);
    }
  }
}

/// Tells all processes where all processors are, with the lines of their last calls.
void runtime::see_all() {
  if (m_team == nullptr) return;
  byte_writer mine;
  for (auto const& one : own_states()) {
    put_state(mine, one);
    mine.put(one.more->phase);
    m_team->put_place(mine, place_of(one));
    if (one.doing == activity::choosing)
      mine.put_all(std::span<int const>(one.more->irregular().question.among));
  }
  m_team->tell_others(topic::states, std::move(mine), [&](int process, byte_reader& from) {
    while (!from.empty()) {
      auto& one = get_state(process, from);
      one.more->phase = from.get<std::size_t>();
      one.where = m_team->get_place(process, from);
      if (one.doing == activity::choosing)
        one.more->irregular().question.among = m_team->keep(from.get_all<int>());
    }
  });
}

// --- supersteps ---

/// Notes a path of work that leads through a message from another process.
void runtime::begin_path(envelope const& sent, int to, std::uint64_t operations) {
  m_paths.note(sent, to, operations);
  m_usual_options.store(false, std::memory_order_relaxed);
  m_counters.begin_work();
}

/// Brings what members of a group have posted to their receivers in other processes. `complete`: all members
/// have sent theirs; otherwise the run has failed, and some may have come before.
void runtime::join_mail(group const& of, bool complete) {
  process_shares const shares(size(), m_team->processes());
  std::vector<byte_writer> batches(static_cast<std::size_t>(m_team->processes()));
  for (int rank = 0; rank < of.size(); ++rank) {
    if (!m_own.has(of.on_machine(rank))) continue;
    auto const& sender = state_of(of.on_machine(rank));
    for (auto const& one : sender.more->irregular().mail->outgoing()) {
      if (m_own.has(one.to)) continue;
      auto& batch = batches[static_cast<std::size_t>(shares.process_of(one.to))];
      batch.put(rank);
      batch.put(one.to);
      batch.put(one.sent);
      batch.put(m_counters.counts_work() ? m_paths.take(one.sent, one.to) : 0);
      batch.put(one.count);
      m_team->put_type(batch, one.type);
      batch.put_bytes(one.data, one.count * one.type->size);
    }
  }
  auto const came = m_team->deal(topic::mail, batches);
  auto& kept = m_mail_elsewhere[&of];
  if (complete) kept = {};  // all have left the superstep that it was of
  for (int process = 0; process < m_team->processes(); ++process) {
    byte_reader from(came[static_cast<std::size_t>(process)]);
    while (!from.empty()) {
      auto const rank = from.get<int>();
      auto& one = kept.list.emplace_back();
      one.to = from.get<int>();
      one.sent = from.get<envelope>();
      if (auto const path = from.get<std::uint64_t>(); path > 0) begin_path(one.sent, one.to, path);
      one.count = from.get<std::size_t>();
      one.type = m_team->get_type(process, from);
      auto const bytes = one.count * one.type->size;
      auto& block =
          kept.values.emplace_back((bytes + sizeof(aligned_bytes) - 1) / sizeof(aligned_bytes) + 1);
      if (bytes > 0) std::memcpy(block.data(), from.get_bytes(bytes), bytes);
      one.data = block.front().of;
      state_of(one.to).more->irregular().mail->arriving.push_back({rank, &one});
    }
  }
  for (int rank = 0; rank < of.size(); ++rank)
    if (auto const on_machine = of.on_machine(rank); m_own.has(on_machine))
      keep_last_of_each(state_of(on_machine).more->irregular().mail->arriving);
}

// --- the order of messages ---

/// Adds the messages that come first in other processes, in the order of the receivers.
void runtime::join_decisions(std::vector<decision>& possible) {
  struct wire_decision {
    int rank;
    int from;
    std::uint64_t step;
  };
  std::vector<wire_decision> own;
  for (auto const& one : possible)
    if (m_own.has(one.waiter->rank)) own.push_back({one.waiter->rank, one.from, one.step});
  byte_writer mine;
  mine.put_all(std::span<wire_decision const>(own));
  possible.clear();
  for (auto const& said : m_team->gather(topic::decisions, std::move(mine)))
    for (auto const& [rank, from, step] :
         process_team::read(topic::decisions, said).get_all<wire_decision>())
      possible.push_back({&state_of(rank), step, from});
}

/// Goes through the events by which messages follow calls, those of all processes.
void runtime::replay_order() {
  if (m_team != nullptr) join_order();
  m_order->replay(states());
}

void runtime::join_order() {
  byte_writer mine;
  for (auto const& one : own_states()) {
    auto const* const calls = one.more->irregular_calls.get();
    if (calls == nullptr || calls->order.list.empty()) continue;
    mine.put(one.rank);
    mine.put_all(std::span<order_event const>(calls->order.list));
    mine.put(calls->order.admitted.size());
    for (auto const& admitted : calls->order.admitted) {
      put_group(mine, *admitted.members);
      mine.put_all(std::span<int const>(admitted.among));
    }
  }
  // The barriers that were noted here of others' processors are among what these have noted.
  for (auto* const one : m_known_elsewhere)
    if (one->more->irregular_calls != nullptr) one->more->irregular_calls->order = {};
  m_team->tell_others(topic::order, std::move(mine), [&](int process, byte_reader& from) {
    while (!from.empty()) {
      auto& order = known_state_of(from.get<int>()).more->irregular().order;
      order.list = from.get_all<order_event>();
      for (auto left = from.get<std::size_t>(); left > 0; --left) {
        auto const& members = get_group(process, from);
        order.admitted.push_back({&members, from.get_all<int>()});
      }
    }
  });
}

// --- the end of a run ---

std::deque<runtime::message_elsewhere> runtime::left_elsewhere() {
  byte_writer mine;
  for_each_in_flight([&](message const& one, int to) {
    mine.put(static_cast<envelope const&>(one));
    mine.put(to);
    m_team->put_type(mine, one.type);
    m_team->put_place(mine, one.where);
  });
  std::deque<message_elsewhere> left;
  m_team->tell_others(topic::messages_left, std::move(mine), [&](int process, byte_reader& from) {
    while (!from.empty()) {
      auto& one = left.emplace_back();
      static_cast<envelope&>(one.of) = from.get<envelope>();
      one.to = from.get<int>();
      one.of.type = m_team->get_type(process, from);
      one.of.where = m_team->get_place(process, from);
    }
  });
  return left;
}

/// Adds the calls that other processes have listed.
void runtime::join_calls(std::vector<call_place>& calls) {
  byte_writer mine;
  for (auto const& one : calls) m_team->put_place(mine, one);
  m_team->tell_others(topic::messages_left, std::move(mine), [&](int process, byte_reader& from) {
    while (!from.empty()) calls.push_back(m_team->get_place(process, from));
  });
}

/// Gives all processes the records of all processors, some of each in a round, so that few are there twice.
void runtime::join_records(std::vector<processor_record>& processors, run_lengths& lengths) {
  int const processes = m_team->processes();
  int const of_each = std::max(1, usual_tuning.records_per_round / processes);
  process_shares const shares(size(), processes);
  int most = 0;
  for (int process = 0; process < processes; ++process)
    most = std::max(most, shares.of(process).size());
  auto const own = std::exchange(processors, {});
  processors.resize(static_cast<std::size_t>(size()));
  for (int done = 0; done < most; done += of_each) {
    byte_writer mine;
    mine.put(lengths);
    mine.put_all(std::span(own)
                     .subspan(static_cast<std::size_t>(std::min(done, m_own.size())))
                     .first(static_cast<std::size_t>(std::clamp(m_own.size() - done, 0, of_each))));
    auto const said = m_team->gather(topic::summary, std::move(mine));
    for (int process = 0; process < processes; ++process) {
      auto from = process_team::read(topic::summary, said[static_cast<std::size_t>(process)]);
      auto const of_process = from.get<run_lengths>();
      lengths.makespan = std::max(lengths.makespan, of_process.makespan);
      lengths.span = std::max(lengths.span, of_process.span);
      auto const more = from.get_all<processor_record>();
      if (!more.empty())
        std::ranges::copy(more, processors.begin() + shares.of(process).first + done);
    }
  }
}

}  // namespace lockstep::detail
