// Keeps what the processors of a run do, and brings it into the order of their programs.

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/timeline.hpp>

namespace lockstep {

namespace {

/// An observer that keeps the events of a run, in the order of each processor's program.
class event_log final : public observer {
 public:
  [[nodiscard]] bool wants_calls() const override { return true; }
  void message(message_record const& seen) override { m_events.messages.push_back(seen); }
  void step(step_record const& /*seen*/) override {}
  void idle_steps(step_record const& /*first*/, std::uint64_t /*count*/) override {}
  void call(call_record const& made) override { m_calls.push_back(made); }
  void cut_off(std::string const& why) override { m_events.left_out = why; }

  void ended(run_end const& how) override {
    if (how.record == nullptr) return;
    if (m_events.left_out.empty()) m_events.left_out = how.calls_left_out;
    m_events.network = how.record->network();
    m_events.by_rank.resize(how.record->processors().size());
    m_ports = how.record->options().ports;
    if (m_events.left_out.empty()) order_events();
    m_calls = {};
    m_ends = {};
  }

  [[nodiscard]] detail::event_list const& events() const { return m_events; }

 private:
  /// One end of a message, by the number that it has among the sends and receives of its processor.
  struct message_end {
    int rank;
    std::uint64_t number;
    std::size_t message;
    bool sends;
  };

  /// Brings calls and messages together. A one-sided call may move several, as a superstep does, which
  /// have the numbers up to that of the next call.
  void order_events() {
    for (std::size_t at = 0; at < m_events.messages.size(); ++at) {
      auto const& one = m_events.messages[at];
      m_ends.push_back({one.from, one.sender_call, at, true});
      m_ends.push_back({one.to, one.receiver_call, at, false});
    }
    std::ranges::sort(m_ends, {},
                      [](message_end const& end) { return std::pair(end.rank, end.number); });
    auto next = m_ends.begin();
    for (std::size_t at = 0; at < m_calls.size(); ++at) {
      auto const& made = m_calls[at];
      add_call(made);
      auto const until = end_of_numbers(at);
      for (; next != m_ends.end() && next->rank == made.rank && next->number < until; ++next)
        add_end(*next, made);
    }
  }

  /// Finds the number after those of the messages that a call moves.
  [[nodiscard]] std::uint64_t end_of_numbers(std::size_t at) const {
    auto const& made = m_calls[at];
    switch (made.kind) {
      case call_kind::send:
      case call_kind::receive:
        return made.number + 1;
      case call_kind::one_sided:
      case call_kind::begin_pipelined:
        return made.number == 0 ? 0 : first_number_after(at);
      default:
        return 0;
    }
  }

  /// Finds the number of the next call of the same processor that moves messages.
  [[nodiscard]] std::uint64_t first_number_after(std::size_t at) const {
    auto const rank = m_calls[at].rank;
    for (auto next = at + 1; next < m_calls.size() && m_calls[next].rank == rank; ++next)
      if (m_calls[next].number > 0) return m_calls[next].number;
    return ~std::uint64_t{0};
  }

  void add(int rank, detail::event const& made) {
    m_events.by_rank[static_cast<std::size_t>(rank)].push_back(made);
  }

  void add_call(call_record const& made) {
    switch (made.kind) {
      case call_kind::work:
        return add(made.rank, {.what = time_kind::work, .amount = made.words, .where = made.where});
      case call_kind::idle:
        return add(made.rank,
                   {.what = time_kind::idle, .amount = made.end - made.begin, .where = made.where});
      case call_kind::barrier:
      case call_kind::phase:
      case call_kind::begin_pipelined:
      case call_kind::end_pipelined:
        return add(made.rank, {.what = time_kind::barrier,
                               .members = number_of_group(made.members),
                               .where = made.where});
      default:
        return;
    }
  }

  void add_end(message_end const& end, call_record const& made) {
    auto const& moved = m_events.messages[end.message];
    if (made.kind != call_kind::send && made.kind != call_kind::receive &&
        m_ports == ports::per_pass)
      m_events.left_out =
          "where ports are per pass, the out-port of a one-sided message, or of one of a "
          "superstep, "
          "is not kept";
    add(made.rank, {.what = end.sends ? time_kind::send : time_kind::receive,
                    .other = end.sends ? moved.to : moved.from,
                    .amount = moved.words,
                    .message = end.message,
                    .port = port_of(moved, end.sends),
                    .where = made.where});
  }

  /// Finds the port that a message takes (counting rule 3).
  [[nodiscard]] std::int64_t port_of(message_record const& moved, bool sends) const {
    if (m_ports == ports::one) return 0;
    if (m_ports == ports::per_pass) return moved.pass;
    auto const links = links_of(*m_events.network, moved);
    return m_events.network->number_of(sends ? links.front() : links.back());
  }

  [[nodiscard]] std::size_t number_of_group(std::vector<int> const* members) {
    if (members == nullptr) return 0;
    auto const [found, is_new] = m_groups.emplace(*members, m_events.groups.size() + 1);
    if (is_new) m_events.groups.push_back(*members);
    return found->second;
  }

  detail::event_list m_events;
  std::vector<call_record> m_calls;
  std::vector<message_end> m_ends;
  std::map<std::vector<int>, std::size_t> m_groups;
  ports m_ports = ports::one;
};

}  // namespace

namespace detail {

std::shared_ptr<observer> keep_events(machine const& /*on*/) {
  return std::make_shared<event_log>();
}

event_list const& events_of(run_record const& run) {
  auto const* const kept = dynamic_cast<event_log const*>(run.events().get());
  if (kept == nullptr)
    throw invalid_argument(
        "timeline of a run whose events were not kept: make its machine with {.clocked = true}");
  if (auto const& why = kept->events().left_out; !why.empty())
    throw invalid_argument("timeline of a run that was not kept in full: " + why);
  return kept->events();
}

std::vector<std::uint64_t> sizes_of(event_list const& events) {
  std::set<std::uint64_t> sizes;
  for (auto const& one : events.messages) sizes.insert(one.words);
  return {sizes.begin(), sizes.end()};
}

}  // namespace detail

}  // namespace lockstep
