// Runs the events of a run again by a clock model.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <lockstep/assert.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/timeline.hpp>

namespace lockstep::detail {

namespace {

/// An event of a processor, by its place in the processor's program.
struct event_place {
  int rank = -1;  ///< -1: none
  std::size_t index = 0;
};

/// Something that one message takes at a time: a port or a link.
struct resource {
  double free = 0;
  event_place last{};  ///< the event since when it has been taken
};

/// When an event was over, from when on its processor was busy with it, and what it waited for last.
struct replayed_event {
  double end = 0;
  double start = 0;
  event_place cause{};
};

/// The clock of a processor.
struct clock_state {
  std::size_t next = 0;  ///< of its events
  double now = 0;
  double left = 0;  ///< its last byte, so far
  event_place left_by{};
  std::map<std::int64_t, resource> out_ports{};
  std::map<std::int64_t, resource> in_ports{};
  std::vector<replayed_event> done{};
  processor_time time{};

  /// Until when a barrier has to wait for it.
  [[nodiscard]] double over() const { return std::max(now, left); }
};

/// A message, from when it was sent.
struct sent_message {
  bool sent = false;
  double arrival = 0;  ///< from when it can come in
  event_place by{};
  int awaited_by = -1;
  double came = 0;  ///< when all of it was in
};

/// A barrier of a group, while members come.
struct meeting {
  std::vector<int> waiting{};
};

/// Runs events, each as soon as it can. Processors run in any order, which changes nothing, but that
/// those which want links that are shared go on in the order of (start, rank).
class replayer {
 public:
  replayer(event_list const& events, clock_prices const& prices)
      : m_events(events),
        m_prices(prices),
        m_clocks(events.by_rank.size()),
        m_messages(events.messages.size()),
        m_meetings(events.groups.size() + 1) {}

  [[nodiscard]] timeline run() {
    run_events();
    return sum_up();
  }

  [[nodiscard]] std::vector<time_stretch> stretches() {
    run_events();
    std::vector<time_stretch> all;
    for (int rank = 0; rank < static_cast<int>(m_clocks.size()); ++rank) add_stretches(rank, all);
    return all;
  }

  /// The times of a message: when a processor begins to send it, when all of it is in, and when it is taken in.
  struct message_stay {
    double begin = 0;
    double came = 0;
    double end = 0;
  };
  [[nodiscard]] std::vector<message_stay> messages() {
    run_events();
    std::vector<message_stay> all(m_messages.size());
    for (std::size_t rank = 0; rank < m_clocks.size(); ++rank)
      for (std::size_t at = 0; at < m_clocks[rank].done.size(); ++at) {
        auto const& what = m_events.by_rank[rank][at];
        if (what.what == time_kind::send) all[what.message].begin = m_clocks[rank].done[at].start;
        if (what.what == time_kind::receive) all[what.message].end = m_clocks[rank].done[at].end;
      }
    for (std::size_t at = 0; at < all.size(); ++at) all[at].came = m_messages[at].came;
    return all;
  }

 private:
  void run_events() {
    for (std::size_t rank = m_clocks.size(); rank > 0; --rank)
      m_ready.push_back(static_cast<int>(rank) - 1);
    while (!m_ready.empty() || !m_wanting_links.empty()) {
      if (m_ready.empty()) grant_links();
      auto const rank = m_ready.back();
      m_ready.pop_back();
      while (go_on(rank)) {
      }
    }
  }

  [[nodiscard]] clock_state& at(int rank) { return m_clocks[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] std::vector<event> const& events_of(int rank) const {
    return m_events.by_rank[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] message_times const& times_of(std::uint64_t words) const {
    return std::ranges::lower_bound(m_prices.of_words, words, {},
                                    &decltype(m_prices.of_words)::value_type::first)
        ->second;
  }
  [[nodiscard]] bool takes_time(std::uint64_t words) const {
    return words > 0 || m_prices.pays_empty;
  }

  /// Runs the next event of a processor. False: it waits, or has none.
  bool go_on(int rank) {
    auto& me = at(rank);
    auto const& all = events_of(rank);
    if (me.next == all.size()) return false;
    auto const& now = all[me.next];
    switch (now.what) {
      case time_kind::work:
        return pass(rank, static_cast<double>(now.amount) * m_prices.operation, me.time.work);
      case time_kind::idle:
        return pass(rank, static_cast<double>(now.amount) * m_prices.idle_step, me.time.idled);
      case time_kind::send:
        if (m_prices.shares_links && takes_time(now.amount)) return wait_for_links(rank);
        return send(rank);
      case time_kind::receive:
        return receive(rank);
      case time_kind::barrier:
        return meet(rank);
    }
    return false;
  }

  /// Ends the processor's event at that time. `start`: from when on the processor was busy with it.
  bool end(int rank, double start, double time, event_place cause) {
    auto& me = at(rank);
    me.now = time;
    me.done.push_back({time, start, cause});
    ++me.next;
    return true;
  }
  /// The event before the next one of a processor.
  [[nodiscard]] event_place last_of(int rank) {
    auto const next = at(rank).next;
    return next == 0 ? event_place{} : event_place{rank, next - 1};
  }

  bool pass(int rank, double time, double& into) {
    into += time;
    return end(rank, at(rank).now, at(rank).now + time, last_of(rank));
  }

  // --- sending ---

  [[nodiscard]] double start_of_send(int rank) {
    auto& me = at(rank);
    return std::max(me.now, me.out_ports[events_of(rank)[me.next].port].free);
  }

  bool wait_for_links(int rank) {
    m_wanting_links.insert({start_of_send(rank), rank});
    return false;
  }
  void grant_links() {
    auto const first = *m_wanting_links.begin();
    m_wanting_links.erase(m_wanting_links.begin());
    send(first.second);
    m_ready.push_back(first.second);
  }

  bool send(int rank) {
    auto& me = at(rank);
    auto const& what = events_of(rank)[me.next];
    event_place const here{rank, me.next};
    if (!takes_time(what.amount)) {
      hand_over(what.message, me.now, here);
      return end(rank, me.now, me.now, last_of(rank));
    }
    auto const& times = times_of(what.amount);
    auto& port = me.out_ports[what.port];
    auto const start = start_of_send(rank);
    auto const cause = start > me.now ? port.last : last_of(rank);
    auto held_by = here;  // the message, by a link: its sender goes on all the same
    auto const leaves = take_links(what.message, start + times.send, times.link, here, held_by);
    auto const begin = leaves - times.send;
    me.time.held += start - me.now;
    me.time.overhead += times.send;
    port = {begin + times.out_port, here};
    if (leaves + times.transfer > me.left) {
      me.left = leaves + times.transfer;
      me.left_by = held_by;
    }
    hand_over(what.message, begin + times.latency, held_by);
    return end(rank, start, start + times.send, cause);
  }

  /// Takes the links of a message as soon as all are free. Result: from when it has them; `held_by` gets
  /// the event that it waited for, if it did.
  double take_links(std::size_t message, double from, double time, event_place taker,
                    event_place& held_by) {
    if (!m_prices.shares_links) return from;
    std::vector<link_number> links;
    for (auto const& crossed : links_of(*m_events.network, m_events.messages[message]))
      links.push_back(m_events.network->number_of(crossed));
    for (auto const link : links)
      if (auto const& taken = m_links[link]; taken.free > from) {
        from = taken.free;
        held_by = taken.last;
      }
    for (auto const link : links) m_links[link] = {from + time, taker};
    return from;
  }

  void hand_over(std::size_t message, double arrival, event_place by) {
    auto& sent = m_messages[message];
    sent = {true, arrival, by, sent.awaited_by, 0};
    if (sent.awaited_by >= 0) m_ready.push_back(sent.awaited_by);
  }

  // --- receiving ---

  bool receive(int rank) {
    auto& me = at(rank);
    auto const& what = events_of(rank)[me.next];
    auto& came = m_messages[what.message];
    if (!came.sent) {
      came.awaited_by = rank;
      return false;
    }
    auto const words = m_events.messages[what.message].words;
    auto in = came.arrival;
    auto over = in;
    auto held_by = came.by;
    message_times const times = takes_time(words) ? times_of(words) : message_times{};
    if (takes_time(words)) {
      auto& port = me.in_ports[what.port];
      if (m_prices.has_in_ports && port.free > in) {
        in = port.free;
        held_by = port.last;
      }
      port = {in + times.in_port, held_by};
      over = in + times.transfer;
    }
    came.came = over;
    auto const ready = std::max(me.now, over);
    auto const cause = over > me.now ? held_by : last_of(rank);
    me.time.waiting += ready - me.now;
    me.time.overhead += times.receive;
    return end(rank, ready, ready + times.receive, cause);
  }

  // --- barriers ---

  bool meet(int rank) {
    auto const group = events_of(rank)[at(rank).next].members;
    auto& met = m_meetings[group];
    met.waiting.push_back(rank);
    auto const size = group == 0 ? m_clocks.size() : m_events.groups[group - 1].size();
    if (met.waiting.size() < size) return false;
    auto const last = *std::ranges::max_element(
        met.waiting, {}, [&](int member) { return std::pair(at(member).over(), -member); });
    auto const time = at(last).over();
    auto const cause = at(last).left > at(last).now ? at(last).left_by : last_of(last);
    for (int const member : std::exchange(met.waiting, {})) {
      at(member).time.barrier += time - at(member).now;
      end(member, time, time, cause);
      if (member != rank) m_ready.push_back(member);
    }
    return true;
  }

  // --- the result ---

  [[nodiscard]] timeline sum_up() {
    timeline all{m_prices.model, m_prices.unit, 0, {}, {}};
    all.operation = m_prices.operation;
    int last = 0;
    for (int rank = 0; rank < static_cast<int>(m_clocks.size()); ++rank) {
      LOCKSTEP_ASSERT(light, at(rank).next == events_of(rank).size());
      if (at(rank).over() > at(last).over()) last = rank;
    }
    all.makespan = at(last).over();
    for (auto& one : m_clocks) {
      one.time.tail = all.makespan - one.now;
      all.processors.push_back(one.time);
    }
    all.critical_path = path_to(last);
    return all;
  }

  /// Adds what the processor does, each event with what it waits for before.
  void add_stretches(int rank, std::vector<time_stretch>& all) {
    auto const first = all.size();
    auto const add = [&](stretch_kind what, double begin, double end) {
      if (!(end > begin)) return;
      if (all.size() > first && all.back().what == what)
        all.back().end = end;
      else
        all.push_back({rank, what, begin, end});
    };
    double begin = 0;
    for (std::size_t at = 0; at < events_of(rank).size(); ++at) {
      auto const& [end, start, cause] = this->at(rank).done[at];
      auto const [waits, does] = kinds_of(events_of(rank)[at].what);
      add(waits, begin, start);
      add(does, start, end);
      begin = end;
    }
  }

  /// Finds how a processor waits before an event, and what it does then.
  [[nodiscard]] static std::pair<stretch_kind, stretch_kind> kinds_of(time_kind what) {
    switch (what) {
      case time_kind::send:
        return {stretch_kind::held, stretch_kind::send};
      case time_kind::receive:
        return {stretch_kind::waiting, stretch_kind::receive};
      case time_kind::work:
        return {stretch_kind::waiting, stretch_kind::work};
      case time_kind::idle:
        return {stretch_kind::waiting, stretch_kind::idle};
      case time_kind::barrier:
        return {stretch_kind::barrier, stretch_kind::barrier};
    }
    return {};
  }

  [[nodiscard]] std::vector<path_piece> path_to(int last) {
    bool const by_last_byte = at(last).left > at(last).now;
    auto place = by_last_byte ? at(last).left_by : last_of(last);
    auto end = at(last).over();
    std::vector<path_piece> path;
    while (place.rank >= 0) {
      auto const& what = events_of(place.rank)[place.index];
      auto const cause = at(place.rank).done[place.index].cause;
      auto const begin = cause.rank < 0 ? 0 : at(cause.rank).done[cause.index].end;
      if (end > begin) path.push_back({place.rank, what.what, begin, end, what.other, what.where});
      place = cause;
      end = begin;
    }
    std::ranges::reverse(path);
    return path;
  }

  event_list const& m_events;
  clock_prices const& m_prices;
  std::vector<clock_state> m_clocks;
  std::vector<sent_message> m_messages;
  std::vector<meeting> m_meetings;
  std::map<link_number, resource> m_links;
  std::vector<int> m_ready;
  std::set<std::pair<double, int>> m_wanting_links;
};

}  // namespace

namespace {

void check(clock_prices const& prices) {
  auto const refuse_unless = [&](bool is_right) {
    if (!is_right)
      throw invalid_argument(fmt::format(
          "timeline by the model {}, which has a time below 0, or one that is not finite: give "
          "its parameters finite numbers of 0 or more",
          prices.model));
  };
  auto const is_time = [](double time) { return std::isfinite(time) && time >= 0; };
  refuse_unless(is_time(prices.operation) && is_time(prices.idle_step));
  for (auto const& [words, of] : prices.of_words)
    for (double const time :
         {of.send, of.out_port, of.latency, of.transfer, of.link, of.in_port, of.receive})
      refuse_unless(is_time(time));
}

/// Prices by which the clock of a processor shows the step that it is in, less one.
clock_prices prices_in_steps(event_list const& events) {
  clock_prices prices;
  prices.model = prices.unit = "steps";
  prices.idle_step = 1;
  prices.pays_empty = true;
  for (auto const words : sizes_of(events))
    prices.of_words.emplace_back(words, message_times{.out_port = 1, .transfer = 1, .in_port = 1});
  return prices;
}

}  // namespace

event_list const& events_of(run_record const& run) {
  if (run.events() == nullptr)
    throw invalid_argument(
        "timeline of a run whose events were not kept: make its machine with {.clocked = true}");
  auto const& events = run.events()->in_order();
  if (!events.left_out.empty())
    throw invalid_argument("timeline of a run that was not kept in full: " + events.left_out);
  return events;
}

std::vector<std::uint64_t> sizes_of(event_list const& events) {
  std::unordered_set<std::uint64_t> sizes;
  for (auto const& one : events.messages) sizes.insert(one.words);
  std::vector<std::uint64_t> sorted(sizes.begin(), sizes.end());
  std::ranges::sort(sorted);
  return sorted;
}

timeline replay(event_list const& events, clock_prices const& prices) {
  check(prices);
  return replayer(events, prices).run();
}

std::vector<step_time> replayed_steps(event_list const& events, clock_prices const& prices) {
  check(prices);
  auto const in_steps = prices_in_steps(events);
  auto const steps = replayer(events, in_steps).messages();
  auto const times = replayer(events, prices).messages();
  std::map<std::uint64_t, step_time> all;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    auto const step = static_cast<std::uint64_t>(steps[at].came);
    auto const [found, is_first] =
        all.try_emplace(step, step_time{step, times[at].begin, times[at].end});
    found->second.begin = std::min(found->second.begin, times[at].begin);
    found->second.end = std::max(found->second.end, times[at].end);
  }
  std::vector<step_time> list;
  for (auto const& [step, time] : all) list.push_back(time);
  return list;
}

std::vector<time_stretch> replayed_stretches(event_list const& events, clock_prices const& prices) {
  check(prices);
  return replayer(events, prices).stretches();
}

}  // namespace lockstep::detail
