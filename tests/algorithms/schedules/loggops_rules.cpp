#include "loggops_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace reference {
namespace {

using kind = lockstep::goal_operation::kind;

class simulation {
 public:
  simulation(lockstep::goal_schedule const& schedule, lockstep::loggp_clock const& model)
      : m_schedule(schedule), m_model(model), m_ranks(static_cast<std::size_t>(schedule.ranks())) {}

  [[nodiscard]] double makespan() {
    for (int rank = 0; rank < m_schedule.ranks(); ++rank) start_next(rank);
    while (!m_events.empty()) {
      auto const now = m_events.top();
      m_events.pop();
      if (now.is_message)
        arrive(now);
      else
        act(now);
    }
    double last = 0;
    for (auto const& one : m_ranks) last = std::max(last, one.processor_free);
    return last;
  }

 private:
  using channel = std::pair<int, std::uint64_t>;  // from, tag
  struct rank_state {
    std::size_t next = 0;
    double processor_free = 0;
    double sending_free = 0;
    double receiving_free = 0;
    std::map<channel, int> arrived{};  ///< messages that no receive has taken
    std::map<channel, int> awaited{};  ///< receives that no message has come for
  };
  struct event {
    double time;
    std::uint64_t number;  ///< of those at one time the first made comes first
    int rank;
    bool is_message;
    int from = -1;
    std::uint64_t tag = 0;
    double transfer = 0;  ///< (s - 1)G
  };
  struct later {
    bool operator()(event const& one, event const& other) const {
      return std::tie(one.time, one.number) > std::tie(other.time, other.number);
    }
  };

  rank_state& at(int rank) { return m_ranks[static_cast<std::size_t>(rank)]; }
  void push(event made) {
    made.number = m_made++;
    m_events.push(made);
  }
  void push_again(event made, double time) {
    made.time = time;
    push(made);
  }

  void start_next(int rank) {
    auto const& mine = at(rank);
    auto const operations = m_schedule.operations_of(rank);
    if (mine.next >= operations.size()) return;
    bool const sends = operations[mine.next].what == kind::send;
    auto const time =
        sends ? std::max(mine.processor_free, mine.sending_free) : mine.processor_free;
    push({time, 0, rank, false});
  }
  void end_operation(int rank) {
    ++at(rank).next;
    start_next(rank);
  }

  void act(event const& now) {
    auto& mine = at(now.rank);
    auto const& one = m_schedule.operations_of(now.rank)[mine.next];
    if (one.what == kind::receive) return receive(now.rank, {one.peer, one.tag});
    auto const free = one.what == kind::send ? std::max(mine.processor_free, mine.sending_free)
                                             : mine.processor_free;
    if (free > now.time) return push_again(now, free);
    if (one.what == kind::calculate) {
      mine.processor_free = now.time + m_model.operation_us * static_cast<double>(one.amount);
    } else {
      auto const transfer = static_cast<double>(one.amount - 1) * m_model.gap_us_per_byte;
      mine.processor_free = now.time + m_model.overhead_us;
      mine.sending_free = now.time + m_model.gap_us + transfer;
      push({now.time + m_model.overhead_us + m_model.latency_us, 0, one.peer, true, now.rank,
            one.tag, transfer});
    }
    end_operation(now.rank);
  }

  void receive(int rank, channel const& of) {
    auto& mine = at(rank);
    if (mine.arrived[of] == 0) {
      ++mine.awaited[of];
      return;
    }
    --mine.arrived[of];
    end_operation(rank);
  }

  void arrive(event const& now) {
    auto& mine = at(now.rank);
    auto const free = std::max(mine.processor_free, mine.receiving_free);
    if (free > now.time) return push_again(now, free);
    mine.processor_free = now.time + m_model.overhead_us + now.transfer;
    mine.receiving_free = now.time + m_model.gap_us + now.transfer;
    channel const of{now.from, now.tag};
    if (mine.awaited[of] == 0) {
      ++mine.arrived[of];
      return;
    }
    --mine.awaited[of];
    end_operation(now.rank);
  }

  lockstep::goal_schedule const& m_schedule;
  lockstep::loggp_clock m_model;
  std::vector<rank_state> m_ranks;
  std::priority_queue<event, std::vector<event>, later> m_events;
  std::uint64_t m_made = 0;
};

}  // namespace

double loggops_makespan(lockstep::goal_schedule const& schedule,
                        lockstep::loggp_clock const& model) {
  return simulation(schedule, model).makespan();
}

}  // namespace reference
