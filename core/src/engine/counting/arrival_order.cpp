#include "engine/counting/arrival_order.hpp"

#include <algorithm>
#include <utility>

#include <lockstep/assert.hpp>

#include "engine/processor_state.hpp"

namespace lockstep::detail {

std::uint64_t arrival_order::channel(int from, int to, std::uint8_t pass) {
  constexpr unsigned rank_bits = 28;
  return (static_cast<std::uint64_t>(from) << (rank_bits + 8)) |
         (static_cast<std::uint64_t>(to) << 8U) | pass;
}

void arrival_order::add_under_way(int from, int to, std::uint8_t pass) {
  m_under_way[channel(from, to, pass)].clocks.emplace_back();
}

int arrival_order::begin_barrier(int members) {
  m_meetings[m_barriers].missing = members;
  return m_barriers++;
}

void arrival_order::replay(std::span<processor_state> all) {
  for (auto const& one : all)
    if (auto const* const calls = one.more->irregular_calls.get();
        calls != nullptr && !calls->order.list.empty())
      m_ready.push_back(one.rank);
  while (!m_ready.empty()) {
    int const rank = m_ready.back();
    m_ready.pop_back();
    auto& mine = m_processors[static_cast<std::size_t>(rank)];
    auto& events = all[static_cast<std::size_t>(rank)].more->irregular().order;
    while (mine.next < events.list.size()) {
      auto const& event = events.list[mine.next];
      if (event.what == order_event::kind::chooses) {
        auto& admitted = events.admitted[static_cast<std::size_t>(event.other)];
        mine.calls.push_back({std::move(admitted), event.pass, mine.calls.size()});
        m_numbers.try_emplace(rank, m_numbers.size());
        mine.chooses = true;
      } else if (!advance(rank, event)) {
        break;
      }
      ++mine.next;
    }
  }
  for (auto const& one : all) {
    if (one.more->irregular_calls == nullptr) continue;
    auto& events = one.more->irregular_calls->order;
    auto& mine = m_processors[static_cast<std::size_t>(one.rank)];
    LOCKSTEP_ASSERT(light, mine.next == events.list.size());
    mine.next = 0;
    events.list.clear();
    events.admitted.clear();
  }
}

/// Goes through one event. False if it has to wait for that of another processor.
bool arrival_order::advance(int rank, order_event const& event) {
  switch (event.what) {
    case order_event::kind::sent: {
      auto const& known = m_processors[static_cast<std::size_t>(rank)].known;
      auto const to = channel(rank, event.other, event.pass);
      m_under_way[to].clocks.push_back(known);
      if (auto const waits = m_waiting.find(to); waits != m_waiting.end()) {
        m_ready.push_back(waits->second);
        m_waiting.erase(waits);
      }
      return true;
    }
    case order_event::kind::taken:
      return take(rank, event);
    default:
      return meet(rank, event);
  }
}

bool arrival_order::take(int rank, order_event const& event) {
  auto const from = channel(event.other, rank, event.pass);
  auto const found = m_under_way.find(from);
  if (found == m_under_way.end()) {
    m_waiting[from] = rank;
    return false;
  }
  auto& sent = found->second;
  auto const known = std::move(sent.clocks[sent.taken++]);
  if (sent.taken == sent.clocks.size()) m_under_way.erase(found);
  note_choices(rank, event, known);
  auto& mine = m_processors[static_cast<std::size_t>(rank)];
  bool const chose = std::exchange(mine.chooses, false);
  if (known == nullptr && !chose) return true;
  auto joined = mine.known == nullptr ? clock() : *mine.known;
  if (known != nullptr) {
    joined.resize(std::max(joined.size(), known->size()));
    for (std::size_t at = 0; at < known->size(); ++at)
      joined[at] = std::max(joined[at], (*known)[at]);
  }
  if (chose) {
    auto const number = m_numbers.at(rank);
    joined.resize(std::max(joined.size(), number + 1));
    joined[number] = mine.calls.size();
  }
  mine.known = std::make_shared<clock const>(std::move(joined));
  return true;
}

/// Finds the calls that could have taken this message instead of theirs: those since the last message
/// of its channel that it is not known to follow.
void arrival_order::note_choices(int rank, order_event const& taken, shared_clock const& known) {
  auto& mine = m_processors[static_cast<std::size_t>(rank)];
  auto& before = mine.calls_at_last[channel(taken.other, rank, taken.pass)];
  auto const first = std::max<std::size_t>(before, known_calls(known, rank));
  auto const end = mine.calls.size() - (mine.chooses ? 1 : 0);
  for (auto at = first_certain(mine, first); at < end; at = first_certain(mine, at + 1)) {
    auto& made = mine.calls[at];
    if (made.pass != taken.pass || !made.admits.has(taken.other)) continue;
    ++m_choices;
    made.next = at + 1;
    made.admits = {};
  }
  before = mine.calls.size();
}

/// Finds the first call from there on that is not known as a choice.
std::size_t arrival_order::first_certain(traced& of, std::size_t from) {
  auto found = from;
  while (found < of.calls.size() && of.calls[found].next != found) found = of.calls[found].next;
  for (auto at = from; at < found;) at = std::exchange(of.calls[at].next, found);
  return found;
}

std::uint64_t arrival_order::known_calls(shared_clock const& known, int rank) const {
  auto const number = m_numbers.find(rank);
  if (known == nullptr || number == m_numbers.end() || number->second >= known->size()) return 0;
  return (*known)[number->second];
}

bool arrival_order::meet(int rank, order_event const& event) {
  auto& mine = m_processors[static_cast<std::size_t>(rank)];
  auto const found = m_meetings.find(event.other);
  if (found == m_meetings.end()) return true;  // all have come
  auto& met = found->second;
  met.members.push_back(rank);
  if (mine.known != nullptr) {
    met.known.resize(std::max(met.known.size(), mine.known->size()));
    for (std::size_t at = 0; at < mine.known->size(); ++at)
      met.known[at] = std::max(met.known[at], (*mine.known)[at]);
  }
  if (--met.missing > 0) return false;
  auto const joined = std::make_shared<clock const>(std::move(met.known));
  auto const members = std::move(met.members);
  m_meetings.erase(found);
  for (int const member : members) {
    m_processors[static_cast<std::size_t>(member)].known = joined;
    if (member != rank) m_ready.push_back(member);
  }
  return true;
}

}  // namespace lockstep::detail
