// Clocks of random programs on grids against a simulation of their own: links that are shared, ports, local
// work, barriers; what processors are busy with, and the critical path, which has no gap.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/clock_models.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/timeline.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/random_programs/random_generator.hpp"

namespace {

using lockstep::processor;

/// One call of a processor.
struct planned_call {
  enum class kind : std::uint8_t { send, receive, work, barrier };

  kind what = kind::barrier;
  int other = 0;
  std::uint64_t amount = 0;  ///< words, or operations
  std::size_t message = 0;
};

/// A grid of processors and what they do.
struct planned_program {
  int rows = 2;
  int columns = 2;
  bool is_torus = false;
  std::vector<std::vector<planned_call>> calls{};  ///< by rank

  [[nodiscard]] int size() const { return rows * columns; }
};

[[nodiscard]] planned_program random_grid_program(reference::dice& roll) {
  using enum planned_call::kind;
  planned_program made{roll.between(2, 4), roll.between(2, 4), roll.below(2) == 1};
  made.calls.resize(static_cast<std::size_t>(made.size()));
  auto const calls_of = [&](int rank) -> auto& {
    return made.calls[static_cast<std::size_t>(rank)];
  };
  std::size_t messages = 0;
  for (int left = roll.between(1, 40); left > 0; --left) {
    auto const what = roll.below(10);
    auto const rank = roll.below(made.size());
    if (what < 7) {
      auto const to = (rank + roll.between(1, made.size() - 1)) % made.size();
      auto const words = static_cast<std::uint64_t>(roll.below(10) == 0 ? 0 : roll.between(1, 300));
      calls_of(rank).push_back({send, to, words, messages});
      calls_of(to).push_back({receive, rank, words, messages++});
    } else if (what < 9) {
      calls_of(rank).push_back({work, 0, static_cast<std::uint64_t>(roll.between(1, 50)), 0});
    } else {
      for (auto& each : made.calls) each.push_back({barrier, 0, 0, 0});
    }
  }
  return made;
}

[[nodiscard]] lockstep::run_record run_of(planned_program const& plan) {
  using enum planned_call::kind;
  lockstep::machine_options const options{.workers = 1, .clocked = true};
  auto const program = [&](processor& me) {
    for (auto const& call : plan.calls[static_cast<std::size_t>(me.rank())]) switch (call.what) {
        case send:
          me.send(call.other, std::vector<long>(call.amount));
          break;
        case receive:
          static_cast<void>(me.receive<long>(call.other));
          break;
        case work:
          me.work(call.amount);
          break;
        case barrier:
          me.barrier();
          break;
      }
  };
  if (plan.is_torus) {
    lockstep::machine const torus(lockstep::torus{{plan.rows, plan.columns}}, options);
    return torus.run(program);
  }
  lockstep::machine const mesh(lockstep::mesh{{plan.rows, plan.columns}}, options);
  return mesh.run(program);
}

/// The prices of LogGP, or of Hockney's model: then o is 0 and the gap counts until the last byte.
struct prices {
  bool by_hockney = false;
  bool shares_links = false;
  bool has_in_ports = true;
  double latency = 0;
  double overhead = 0;
  double gap = 0;
  double byte = 0;
  double alpha = 0;
  double word = 0;
  double operation = 0;

  [[nodiscard]] double after_first_byte(std::uint64_t words) const {
    return (8.0 * static_cast<double>(words) - 1) * byte;
  }
  /// The time of a message by Hockney's model.
  [[nodiscard]] double whole(std::uint64_t words) const {
    return alpha + word * static_cast<double>(words);
  }
  [[nodiscard]] double port(std::uint64_t words) const {
    return by_hockney ? whole(words) : gap + after_first_byte(words);
  }
  [[nodiscard]] double until_last_byte(std::uint64_t words) const {
    return by_hockney ? whole(words) : after_first_byte(words);
  }
  [[nodiscard]] double link(std::uint64_t words) const {
    return static_cast<double>(words) * (by_hockney ? word : 8 * byte);
  }
};

[[nodiscard]] prices random_prices(reference::dice& roll) {
  prices made{.by_hockney = roll.below(2) == 1, .shares_links = roll.below(3) > 0};
  made.operation = roll.below(4) / 4.0;
  if (made.by_hockney) {
    made.alpha = roll.below(9);
    made.word = roll.between(1, 9) / 8.0;
    return made;
  }
  made.has_in_ports = roll.below(4) > 0;
  made.latency = roll.below(10);
  made.overhead = roll.between(1, 3);
  made.gap = roll.below(9);
  made.byte = roll.between(1, 9) / 64.0;
  return made;
}

[[nodiscard]] lockstep::timeline timed(lockstep::run_record const& run, prices const& by) {
  if (by.by_hockney)
    return run.timeline(lockstep::hockney_clock{.alpha_us = by.alpha,
                                                .beta_us_per_word = by.word,
                                                .operation_us = by.operation,
                                                .sharing = by.shares_links});
  return run.timeline(lockstep::loggp_clock{.latency_us = by.latency,
                                            .overhead_us = by.overhead,
                                            .gap_us = by.gap,
                                            .gap_us_per_byte = by.byte,
                                            .operation_us = by.operation,
                                            .in_port = by.has_in_ports,
                                            .sharing = by.shares_links});
}

/// An event simulation that shares nothing with the library: all processors do what waits for no link, then
/// the send of the least (start, rank) is served, and so on.
class simulation {
 public:
  simulation(planned_program const& plan, prices const& by)
      : m_plan(plan), m_prices(by), m_nodes(plan.calls.size()) {
    do {
      while (advance()) {
      }
    } while (serve_first_send());
  }

  [[nodiscard]] double makespan() const {
    double last = 0;
    for (auto const& one : m_nodes) last = std::max({last, one.clock, one.last_byte_left});
    return last;
  }
  [[nodiscard]] double busy(std::size_t rank) const { return m_nodes[rank].busy; }

 private:
  struct node {
    std::size_t next = 0;
    double clock = 0;
    double out_free = 0;
    double in_free = 0;
    double last_byte_left = 0;
    double busy = 0;
  };
  using link = std::pair<int, int>;

  [[nodiscard]] planned_call const* next_of(std::size_t rank) const {
    auto const& calls = m_plan.calls[rank];
    return m_nodes[rank].next < calls.size() ? &calls[m_nodes[rank].next] : nullptr;
  }

  /// Result: whether any processor went on.
  bool advance() {
    bool any = false;
    for (std::size_t rank = 0; rank < m_nodes.size(); ++rank)
      while (do_next(rank)) any = true;
    return meet() || any;
  }

  bool do_next(std::size_t rank) {
    using enum planned_call::kind;
    auto const* const call = next_of(rank);
    auto& me = m_nodes[rank];
    if (call == nullptr || call->what == barrier) return false;
    if (call->what == work) {
      auto const time = m_prices.operation * static_cast<double>(call->amount);
      me.clock += time;
      me.busy += time;
    } else if (call->what == receive) {
      auto const came = m_arrivals.find(call->message);
      if (came == m_arrivals.end()) return false;
      take_in(me, call->amount, came->second);
    } else if (call->amount == 0) {
      m_arrivals[call->message] = me.clock;  // an empty message takes no time
    } else {
      return false;
    }
    ++me.next;
    return true;
  }

  void take_in(node& me, std::uint64_t words, double arrival) const {
    if (words == 0) {
      me.clock = std::max(me.clock, arrival);
      return;
    }
    auto const begin = m_prices.has_in_ports ? std::max(arrival, me.in_free) : arrival;
    me.in_free = begin + m_prices.port(words);
    me.clock = std::max(me.clock, begin + m_prices.until_last_byte(words)) + m_prices.overhead;
    me.busy += m_prices.overhead;
  }

  /// Lets all go on from a barrier in which all are.
  bool meet() {
    double time = 0;
    for (std::size_t rank = 0; rank < m_nodes.size(); ++rank) {
      auto const* const call = next_of(rank);
      if (call == nullptr || call->what != planned_call::kind::barrier) return false;
      time = std::max({time, m_nodes[rank].clock, m_nodes[rank].last_byte_left});
    }
    for (auto& one : m_nodes) {
      one.clock = time;
      ++one.next;
    }
    return true;
  }

  bool serve_first_send() {
    std::optional<std::pair<double, std::size_t>> first;
    for (std::size_t rank = 0; rank < m_nodes.size(); ++rank) {
      auto const* const call = next_of(rank);
      if (call == nullptr || call->what != planned_call::kind::send) continue;
      std::pair const asks(std::max(m_nodes[rank].clock, m_nodes[rank].out_free), rank);
      if (!first || asks < *first) first = asks;
    }
    if (!first) return false;
    serve(first->second, first->first);
    return true;
  }

  void serve(std::size_t rank, double start) {
    auto& me = m_nodes[rank];
    auto const& call = *next_of(rank);
    auto leaves = start + m_prices.overhead;
    if (m_prices.shares_links) {
      auto const route = route_between(static_cast<int>(rank), call.other);
      for (auto const& one : route) leaves = std::max(leaves, m_links[one]);
      for (auto const& one : route) m_links[one] = leaves + m_prices.link(call.amount);
    }
    auto const begin = leaves - m_prices.overhead;
    me.clock = start + m_prices.overhead;
    me.busy += m_prices.overhead;
    me.out_free = begin + m_prices.port(call.amount);
    me.last_byte_left = std::max(me.last_byte_left, leaves + m_prices.until_last_byte(call.amount));
    m_arrivals[call.message] = leaves + m_prices.latency;
    ++me.next;
  }

  /// Goes along the first dimension, then the second; on a torus the shorter way, forward if both are
  /// as short.
  [[nodiscard]] std::vector<link> route_between(int from, int to) const {
    std::vector<link> links;
    int row = from / m_plan.columns;
    int column = from % m_plan.columns;
    auto const walk = [&](int& at, int end, int size) {
      auto const forward = (end - at + size) % size;
      bool const up = m_plan.is_torus ? 2 * forward <= size : end > at;
      while (at != end) {
        auto const before = row * m_plan.columns + column;
        at = (at + (up ? 1 : size - 1)) % size;
        links.emplace_back(before, row * m_plan.columns + column);
      }
    };
    walk(row, to / m_plan.columns, m_plan.rows);
    walk(column, to % m_plan.columns, m_plan.columns);
    return links;
  }

  planned_program const& m_plan;
  prices const& m_prices;
  std::vector<node> m_nodes;
  std::map<std::size_t, double> m_arrivals;  ///< by message
  std::map<link, double> m_links;            ///< when each is free again
};

bool same_time(double one, double other) { return std::abs(one - other) < 1e-7; }

/// How a timeline differs from the simulation, or contradicts itself; empty if it does not.
[[nodiscard]] std::string difference(lockstep::timeline const& of, simulation const& expected) {
  if (!same_time(of.makespan, expected.makespan()))
    return "makespan " + std::to_string(of.makespan) + ", simulated " +
           std::to_string(expected.makespan());
  for (std::size_t rank = 0; rank < of.processors.size(); ++rank) {
    auto const& one = of.processors[rank];
    if (!same_time(one.busy(), expected.busy(rank)))
      return "busy, processor " + std::to_string(rank);
    if (!same_time(one.busy() + one.idle(), of.makespan))
      return "busy and idle, processor " + std::to_string(rank);
  }
  double at = 0;
  for (auto const& piece : of.critical_path) {
    if (!same_time(piece.begin, at)) return "a gap in the critical path at " + std::to_string(at);
    at = piece.end;
  }
  return same_time(at, of.makespan) ? "" : "the critical path ends at " + std::to_string(at);
}

/// LOCKSTEP_CLOCK_PROGRAMS: how many, for longer checks.
int programs_to_check() {
  auto const* const given = std::getenv("LOCKSTEP_CLOCK_PROGRAMS");
  return given == nullptr ? 3'000 : std::atoi(given);
}

}  // namespace

TEST_CASE("clocks of random programs on grids are those of a simulation", "[once]") {
  reference::dice roll(31);
  lockstep::hockney_clock const unit{.alpha_us = 1, .idle_us = 1, .empty = true};
  int with_shared_links = 0;
  auto const programs = programs_to_check();
  for (int number = 0; number < programs; ++number) {
    auto const plan = random_grid_program(roll);
    auto const by = random_prices(roll);
    auto const run = run_of(plan);
    auto const found = difference(timed(run, by), simulation(plan, by));
    bool const steps_agree = run.timeline(unit).makespan == static_cast<double>(run.makespan());
    with_shared_links += by.shares_links && run.counts().contention > 1 ? 1 : 0;
    if (found.empty() && steps_agree) continue;
    INFO("program " << number << ": " << found);
    CHECK(found.empty());
    CHECK(steps_agree);
  }
  CHECK(with_shared_links > programs / 10);
}
