// Clocks (docs/clocks.md): each processor goes on when it can, by LogGP, Hockney and the max-rate model.

#include <lockstep/timeline.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <lockstep/clock_models.hpp>
#include <lockstep/cost_models.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/machines.hpp"
#include "core/random_programs/random_generator.hpp"

using lockstep::crossbar;
using lockstep::invalid_argument;
using lockstep::machine;
using lockstep::processor;

namespace {

constexpr lockstep::machine_options clocked{.clocked = true};

/// L = 5, o = 1, g = 2, G = 0.01.
lockstep::loggp_clock by_hand() {
  return {.latency_us = 5, .overhead_us = 1, .gap_us = 2, .gap_us_per_byte = 0.01};
}
lockstep::loggp_model step_by_step() {
  return {.latency_us = 5, .overhead_us = 1, .gap_us = 2, .gap_us_per_byte = 0.01};
}

bool near(double one, double other) { return std::abs(one - other) < 1e-9; }

std::vector<long> longs(std::size_t count) { return std::vector<long>(count); }

/// 0 sends a word to each of the others.
void broadcast_one_by_one(processor& me) {
  if (me.rank() == 0)
    for (int to = 1; to < me.size(); ++to) me.send(to, 1L);
  else
    static_cast<void>(me.receive_value<long>(0));
}

/// Whether stretches follow each other without a gap, and add up to the times of their processors.
void check_stretches(std::vector<lockstep::time_stretch> const& stretches,
                     lockstep::timeline const& times) {
  using enum lockstep::stretch_kind;
  std::map<std::pair<int, lockstep::stretch_kind>, double> sums;
  std::map<int, double> ends;
  for (auto const& [rank, what, begin, end] : stretches) {
    CHECK(begin == ends[rank]);
    CHECK(end > begin);
    ends[rank] = end;
    sums[{rank, what}] += end - begin;
  }
  for (int rank = 0; rank < static_cast<int>(times.processors.size()); ++rank) {
    auto const& time = times.processors[static_cast<std::size_t>(rank)];
    auto const sum = [&](lockstep::stretch_kind what) { return sums[{rank, what}]; };
    CHECK(near(sum(send) + sum(receive), time.overhead));
    CHECK(near(sum(work), time.work));
    CHECK(near(sum(waiting), time.waiting));
    CHECK(near(sum(held), time.held));
    CHECK(near(sum(barrier), time.barrier));
    CHECK(near(sum(idle), time.idled));
    CHECK(near(ends[rank] + time.tail, times.makespan));
  }
}

}  // namespace

TEST_CASE("LogGP's clock overlaps what one processor sends on and on") {
  auto const run = machine(crossbar{64}, clocked).run(broadcast_one_by_one);
  CHECK(near(run.timeline(by_hand()).makespan, 135.41));
  CHECK(near(run.time(step_by_step()), 445.41));
}

TEST_CASE("independent pairs do not pay for each other") {
  auto const run = machine(crossbar{4}, clocked).run([](processor& me) {
    bool const first = me.rank() < 2;
    static_cast<void>(me.exchange(me.rank() ^ 1, longs(first ? 10'000 : 1)));
    static_cast<void>(me.exchange(me.rank() ^ 1, longs(first ? 1 : 10'000)));
  });
  CHECK(near(run.timeline(by_hand()).makespan, 814.06));
  CHECK(near(run.time(step_by_step()), 2 * (7 + 799.99)));
}

TEST_CASE("a pipelined chain of 8 processors with 20 pieces") {
  auto const run = machine(crossbar{8}, clocked).run([](processor& me) {
    for (int piece = 0; piece < 20; ++piece) {
      auto data = me.rank() == 0 ? longs(100) : me.receive<long>(me.rank() - 1);
      if (me.rank() + 1 < me.size()) me.send(me.rank() + 1, data);
    }
  });
  CHECK(near(run.time(step_by_step()), 26 * (7 + 7.99)));
  CHECK(near(run.timeline(by_hand()).makespan, 294.74));
}

TEST_CASE("in lock step the clock is the price step by step") {
  auto const run = machine(crossbar{8}, clocked).run([](processor& me) {
    for (int step = 0; step < 5; ++step)
      static_cast<void>(me.exchange((me.rank() + 1) % 8, longs(3), (me.rank() + 7) % 8));
  });
  CHECK(near(run.timeline(by_hand()).makespan, run.time(step_by_step())));
}

TEST_CASE("long messages to one processor take turns at its in-port, unless the model has none") {
  auto const run = machine(crossbar{17}, clocked).run([](processor& me) {
    if (me.rank() > 0) return me.send(0, longs(10'000));
    for (int from = 1; from < 17; ++from) static_cast<void>(me.receive<long>(from));
  });
  auto model = by_hand();
  double const one = 799.99;
  CHECK(near(run.timeline(model).makespan, 6 + 15 * (2 + one) + one + 1));
  model.in_port = false;
  CHECK(near(run.timeline(model).makespan, 6 + one + 16));
}

TEST_CASE("with unit messages and idle steps the clock is the makespan in steps") {
  lockstep::hockney_clock const unit{.alpha_us = 1, .idle_us = 1, .empty = true};
  auto const run = machine(crossbar{3}, clocked).run([](processor& me) {
    if (me.rank() == 0) me.send(1, 1L), me.send(2, longs(0)), me.idle(4);
    if (me.rank() > 0) static_cast<void>(me.receive<long>(0));
    me.barrier();
    if (me.rank() == 2) me.send(0, 1L);
    if (me.rank() == 0) static_cast<void>(me.receive<long>(2));
  });
  CHECK(run.timeline(unit).makespan == static_cast<double>(run.makespan()));
}

TEST_CASE("busy and idle times add up to the makespan for each processor") {
  auto const run = machine(crossbar{4}, clocked).run([](processor& me) {
    me.work(100 * me.rank());
    if (me.rank() == 0)
      for (int to = 1; to < 4; ++to) me.send(to, longs(50));
    else
      static_cast<void>(me.receive<long>(0));
    me.barrier();
    me.work(10);
    me.idle(2);
    if (me.rank() == 3) me.work(7);
  });
  auto model = by_hand();
  model.operation_us = 0.5;
  model.idle_us = 3;
  auto const times = run.timeline(model);
  for (auto const& one : times.processors) CHECK(near(one.busy() + one.idle(), times.makespan));
  check_stretches(lockstep::time_stretches(run, model), times);
  CHECK(times.processors[0].overhead == 3);
  CHECK(times.processors[3].work == 150 + 5 + 3.5);
  CHECK(times.processors[0].held > 0);
  CHECK(times.processors[0].tail == 3.5);
  CHECK(times.processors[1].idled == 6);
  CHECK((times.utilisation() > 0 && times.utilisation() < 1));
}

TEST_CASE("stretches of the same kind are one") {
  using lockstep::stretch_kind;
  using lockstep::time_stretch;
  auto const run = machine(crossbar{2}, clocked).run([](processor& me) {
    me.work(3);
    me.work(4);
    if (me.rank() == 0) me.send(1, 1L);
    if (me.rank() == 1) static_cast<void>(me.receive_value<long>(0));
  });
  auto model = by_hand();
  model.operation_us = 1;
  // 7 + o + L is 13, and so is when the message of 8 bytes begins to come in; 7 G later it is there.
  std::vector<time_stretch> const expected{{0, stretch_kind::work, 0, 7},
                                           {0, stretch_kind::send, 7, 8},
                                           {1, stretch_kind::work, 0, 7},
                                           {1, stretch_kind::waiting, 7, 13.07},
                                           {1, stretch_kind::receive, 13.07, 14.07}};
  auto const found = lockstep::time_stretches(run, model);
  REQUIRE(found.size() == expected.size());
  for (std::size_t at = 0; at < found.size(); ++at) {
    CHECK(found[at].rank == expected[at].rank);
    CHECK(found[at].what == expected[at].what);
    CHECK(near(found[at].begin, expected[at].begin));
    CHECK(near(found[at].end, expected[at].end));
  }
  CHECK_THROWS_AS(lockstep::time_stretches(machine(crossbar{2}).run([](processor&) {}), by_hand()),
                  invalid_argument);
}

TEST_CASE("a step lasts from its first send until its last message is taken in") {
  auto const run = machine(crossbar{3}, clocked).run([](processor& me) {
    if (me.rank() == 0) {
      me.send(1, 1L);
      me.send(2, 2L);
      me.idle(5);
      me.send(1, std::vector<long>());  // empty messages have steps, and take no time
    } else {
      if (me.rank() == 1) me.work(40);
      static_cast<void>(me.receive<long>(0));
      if (me.rank() == 1) static_cast<void>(me.receive<long>(0));
    }
  });
  lockstep::hockney_clock const model{.alpha_us = 100, .operation_us = 1};
  std::vector<lockstep::step_time> const expected{{1, 0, 100}, {2, 100, 200}, {7, 100, 100}};
  CHECK(lockstep::step_times(run, model) == expected);
  CHECK_THROWS_AS(lockstep::step_times(machine(crossbar{2}).run([](processor&) {}), model),
                  invalid_argument);
}

TEST_CASE("the steps of a clock are those of the run") {
  auto options = clocked;
  options.ports = lockstep::ports::all;
  for (auto const& of : {clocked, options}) {
    auto const run = machine(crossbar{4}, of).run([](processor& me) {
      if (me.rank() == 0)
        for (int times = 0; times < 3; ++times)
          for (int to = 1; to < 4; ++to) me.send(to, std::vector<long>(2));
      me.barrier();
      for (int times = 0; me.rank() > 0 && times < 3; ++times)
        static_cast<void>(me.receive<long>(0));
      me.idle(me.rank());
      static_cast<void>(me.exchange(me.rank() ^ 1, 1L));
    });
    std::vector<std::uint64_t> steps;
    for (auto const& one : lockstep::step_times(run, by_hand())) steps.push_back(one.step);
    std::vector<std::uint64_t> expected;
    for (auto const& one : run.steps())
      if (one.rounds > 0) expected.push_back(one.step);
    CHECK(steps == expected);
  }
}

TEST_CASE("the critical path says which processor waits for which, from 0 to the makespan") {
  auto const run = machine(crossbar{3}, clocked).run([](processor& me) {
    if (me.rank() == 0) {
      me.work(40);
      me.send(1, 1L);
    } else if (me.rank() == 1) {
      me.work(10);
      auto const value = me.receive_value<long>(0);
      me.work(20);
      me.send(2, value);
    } else {
      static_cast<void>(me.receive_value<long>(1));
    }
  });
  lockstep::hockney_clock const model{.alpha_us = 100, .operation_us = 1};
  auto const times = run.timeline(model);
  CHECK(times.makespan == 40 + 100 + 20 + 100);
  REQUIRE(times.critical_path.size() == 4);
  CHECK(times.critical_path[0].rank == 0);
  CHECK(times.critical_path[0].what == lockstep::time_kind::work);
  CHECK(times.critical_path[1].what == lockstep::time_kind::receive);
  CHECK(times.critical_path[1].other == 0);
  CHECK(times.critical_path[2].rank == 1);
  CHECK(times.critical_path[3].end == times.makespan);
  for (std::size_t at = 1; at < 4; ++at)
    CHECK(times.critical_path[at].begin == times.critical_path[at - 1].end);
  CHECK(times.path_text() ==
        "from   to  processor  what     with\n"
        "   0   40          0  work\n"
        "  40  140          1  receive     0\n"
        " 140  160          1  work\n"
        " 160  260          1  send        2\n");
}

TEST_CASE("a processor whose message waits for a link goes on, and the path says so") {
  auto const run = machine(lockstep::mesh{{4}}, clocked).run([](processor& me) {
    if (me.rank() == 0) me.send(2, longs(1'000));
    if (me.rank() == 1) {
      me.work(40);
      me.send(3, longs(1));
      me.work(10'000);
    }
    if (me.rank() >= 2) static_cast<void>(me.receive<long>(me.rank() - 2));
  });
  auto model = by_hand();
  model.operation_us = 1;
  model.sharing = true;
  auto const times = run.timeline(model);
  CHECK(times.makespan == 10'041);
  REQUIRE(times.critical_path.size() == 3);
  for (auto const& piece : times.critical_path) CHECK(piece.rank == 1);
  CHECK(times.critical_path[0].end == 40);
  CHECK(times.critical_path[1].end == 41);
}

TEST_CASE("a message that the in-port holds back waits for what took the port") {
  auto const run = machine(crossbar{3}, clocked).run([](processor& me) {
    if (me.rank() == 0) me.work(943), me.send(2, 1L);
    if (me.rank() == 1) me.work(890), me.send(2, 1L);
    if (me.rank() == 2) {
      me.work(1'000);
      static_cast<void>(me.receive<long>(0));
      static_cast<void>(me.receive<long>(1));
    }
  });
  auto const times = run.timeline(
      lockstep::loggp_clock{.latency_us = 5, .overhead_us = 1, .gap_us = 200, .operation_us = 1});
  CHECK(times.makespan == 1'150);
  REQUIRE_FALSE(times.critical_path.empty());
  CHECK(times.critical_path.front().rank == 0);  // it took the in-port from 949 to 1,149
  CHECK(times.critical_path.front().what == lockstep::time_kind::work);
}

TEST_CASE("times by a clock that are not finite, or below 0, are refused") {
  auto const run = machine(crossbar{2}, clocked).run([](processor& me) {
    static_cast<void>(me.exchange(1 - me.rank(), 1L));
  });
  CHECK_THROWS_AS(run.timeline(lockstep::hockney_clock{.alpha_us = -5}), invalid_argument);
  CHECK_THROWS_AS(run.timeline(lockstep::loggp_clock{.latency_us = std::nan("")}),
                  invalid_argument);
  CHECK_THROWS_AS(run.timeline(lockstep::hockney_clock{.operation_us = -1}), invalid_argument);
}

TEST_CASE("clocks name the parameter that is below 0 or not finite") {
  auto const idle = machine(crossbar{2}, clocked).run([](processor&) {});
  auto const check = [&]<class Model>(Model const&,
                                      std::vector<std::pair<char const*, double Model::*>> all) {
    for (auto const& [name, member] : all)
      for (double const wrong : {-1.0, std::nan(""), HUGE_VAL}) {
        Model model;
        model.*member = wrong;
        auto const said = std::string(" with ") + name + " = ";
        CHECK_THROWS_WITH(idle.timeline(model), has_text(said));
        CHECK_THROWS_AS(idle.timeline(model), invalid_argument);
        CHECK_THROWS_WITH(lockstep::time_stretches(idle, model), has_text(said));
      }
  };
  using loggp = lockstep::loggp_clock;
  check(loggp{}, {{"latency_us", &loggp::latency_us},
                  {"overhead_us", &loggp::overhead_us},
                  {"gap_us", &loggp::gap_us},
                  {"gap_us_per_byte", &loggp::gap_us_per_byte},
                  {"word_bytes", &loggp::word_bytes},
                  {"operation_us", &loggp::operation_us},
                  {"idle_us", &loggp::idle_us}});
  using hockney = lockstep::hockney_clock;
  check(hockney{}, {{"alpha_us", &hockney::alpha_us},
                    {"beta_us_per_word", &hockney::beta_us_per_word},
                    {"operation_us", &hockney::operation_us},
                    {"idle_us", &hockney::idle_us}});
  // A latency that the overhead would make up for.
  CHECK_THROWS_WITH(idle.timeline(loggp{.latency_us = -1, .overhead_us = 3}),
                    has_text("the model loggp-clock with latency_us = -1: give it a finite number "
                             "of 0 or more"));
  CHECK_THROWS_WITH(lockstep::max_rate_clock(-1, 1, 1, 1), has_text("alpha_us = -1"));
  CHECK_THROWS_WITH(lockstep::max_rate_clock(1, 0, 1, 1), has_text("processors_a_node = 0"));
  CHECK_THROWS_WITH(lockstep::max_rate_clock(1, 1, HUGE_VAL, 1), has_text("node_rate = inf"));
  CHECK_THROWS_WITH(lockstep::max_rate_clock(1, 1, 1, 0), has_text("core_rate = 0"));
}

TEST_CASE("a clock prices the sequential run by its price of an operation") {
  auto const run = machine(crossbar{4}, clocked).run([](processor& me) {
    me.work(25);
    static_cast<void>(me.exchange(me.rank() ^ 1, 1L));
  });
  auto model = by_hand();
  model.operation_us = 2;
  auto const times = run.timeline(model);
  CHECK(times.operation == 2);
  CHECK(near(times.makespan, 50 + 7 + 0.07));
  CHECK(near(times.speedup(100), 200 / times.makespan));
  CHECK(near(times.efficiency(100), 50 / times.makespan));
  CHECK_THROWS_WITH(run.timeline(by_hand()).speedup(100),
                    has_text("loggp-clock, which has no price of a local operation"));
  auto const nothing = machine(crossbar{4}, clocked).run([](processor&) {});
  CHECK_THROWS_WITH(nothing.timeline(model).speedup(100), has_text("a run that takes no time"));
}

TEST_CASE("messages that share a link take turns where the model says so") {
  auto const shift = [](processor& me) {  // 0 to 3, 1 to 4, 2 to 5: all over the link 2 -> 3
    if (me.rank() < 3) me.send(me.rank() + 3, longs(100));
    if (me.rank() >= 3) static_cast<void>(me.receive<long>(me.rank() - 3));
  };
  auto const run = machine(lockstep::mesh{{6}}, clocked).run(shift);
  lockstep::hockney_clock model{.alpha_us = 10, .beta_us_per_word = 1};
  CHECK(run.timeline(model).makespan == 110);
  model.sharing = true;
  CHECK(run.timeline(model).makespan == 310);  // served by (start, sender)
  auto loggp = by_hand();
  CHECK(near(run.timeline(loggp).makespan, 1 + 5 + 7.99 + 1));
  loggp.sharing = true;
  CHECK(near(run.timeline(loggp).makespan, 1 + 5 + 2 * 8 + 7.99 + 1));
}

TEST_CASE("a shared link serves the message first that starts first") {
  auto const run = machine(lockstep::mesh{{6}}, clocked).run([](processor& me) {
    if (me.rank() == 0) me.work(5);
    if (me.rank() < 3) me.send(me.rank() + 3, longs(100));
    if (me.rank() >= 3) static_cast<void>(me.receive<long>(me.rank() - 3));
  });
  auto const times = run.timeline(
      lockstep::hockney_clock{.beta_us_per_word = 1, .operation_us = 1, .sharing = true});
  CHECK(times.processors[4].waiting == 100);  // 1 and 2 start at 0, 1 first
  CHECK(times.processors[5].waiting == 200);
  CHECK(times.processors[3].waiting == 300);
  CHECK(times.makespan == 300);
}

namespace {

/// A message of a program in which the first half of a line sends and the second half receives.
struct planned {
  int from;
  int to;
  std::uint64_t words;
};

/// The time by Hockney's clock with links that are shared, of senders that wait for nobody: always serves
/// the send of the least (start, sender).
double served_one_by_one(std::vector<planned> const& messages, int size, double alpha,
                         double beta) {
  std::vector<double> out_free(static_cast<std::size_t>(size));
  std::vector<double> in_free(out_free);
  std::map<std::pair<int, int>, double> link_free;
  std::vector<bool> sent(messages.size());
  std::vector<double> begins(messages.size());
  for (std::size_t served = 0; served < messages.size(); ++served) {
    std::size_t next = messages.size();
    std::set<int> seen;  // the first unsent of each sender is its next
    for (std::size_t at = 0; at < messages.size(); ++at) {
      if (sent[at] || !seen.insert(messages[at].from).second) continue;
      auto const start = [&](std::size_t of) {
        return std::pair(out_free[static_cast<std::size_t>(messages[of].from)], messages[of].from);
      };
      if (next == messages.size() || start(at) < start(next)) next = at;
    }
    auto const& one = messages[next];
    double begin = out_free[static_cast<std::size_t>(one.from)];
    for (int at = one.from; at < one.to; ++at) begin = std::max(begin, link_free[{at, at + 1}]);
    auto const words = static_cast<double>(one.words);
    for (int at = one.from; at < one.to; ++at) link_free[{at, at + 1}] = begin + beta * words;
    out_free[static_cast<std::size_t>(one.from)] = begin + alpha + beta * words;
    begins[next] = begin;
    sent[next] = true;
  }
  double last = *std::ranges::max_element(out_free);
  for (std::size_t at = 0; at < messages.size(); ++at) {
    auto& in = in_free[static_cast<std::size_t>(messages[at].to)];
    in = std::max(begins[at], in) + alpha + beta * static_cast<double>(messages[at].words);
    last = std::max(last, in);
  }
  return last;
}

}  // namespace

TEST_CASE("random programs on a line whose links are shared take what serving one by one takes") {
  constexpr int size = 10;
  reference::dice roll(2026);
  for (int program = 0; program < 300; ++program) {
    std::vector<planned> messages;
    for (int count = roll.between(1, 30); count > 0; --count)
      messages.push_back({roll.below(size / 2), size / 2 + roll.below(size / 2),
                          static_cast<std::uint64_t>(roll.between(1, 9))});
    auto const run = machine(lockstep::mesh{{size}}, clocked).run([&](processor& me) {
      for (auto const& one : messages) {
        if (one.from == me.rank()) me.send(one.to, std::vector<char>(one.words));
        if (one.to == me.rank()) static_cast<void>(me.receive<char>(one.from));
      }
    });
    auto const times = run.timeline(
        lockstep::hockney_clock{.alpha_us = 0.5, .beta_us_per_word = 0.25, .sharing = true});
    INFO("program " << program);
    CHECK(times.makespan == served_one_by_one(messages, size, 0.5, 0.25));
  }
}

TEST_CASE("on a torus without sharing of links nothing changes") {
  auto const run = machine(lockstep::torus{{4, 4}}, clocked).run([](processor& me) {
    int const to = (me.rank() + 1) % 16;
    static_cast<void>(me.exchange(to, longs(10), (me.rank() + 15) % 16));
  });
  lockstep::hockney_clock model{.alpha_us = 1, .beta_us_per_word = 2, .sharing = true};
  auto const shared = run.timeline(model).makespan;
  model.sharing = false;
  if (run.counts().contention == 1)
    CHECK(shared == run.timeline(model).makespan);
  else
    CHECK(shared > run.timeline(model).makespan);
}

TEST_CASE("the max-rate model divides a node's rate among its processors") {
  auto const model = lockstep::max_rate_clock(2, 8, 100, 25);
  CHECK(model.beta_us_per_word == 0.08);
  CHECK(lockstep::max_rate_clock(2, 2, 100, 25).beta_us_per_word == 0.04);
  CHECK_THROWS_AS(lockstep::max_rate_clock(1, 0, 1, 1), invalid_argument);
  CHECK_THROWS_AS(lockstep::max_rate_clock(1, 1, 0, 1), invalid_argument);
}

TEST_CASE("a timeline of a run whose events were not kept says how to keep them") {
  auto const run = machine(crossbar{2}).run([](processor&) {});
  try {
    static_cast<void>(run.timeline(by_hand()));
    FAIL("there were no events");
  } catch (invalid_argument const& refused) {
    CHECK(std::string(refused.what()).find("{.clocked = true}") != std::string::npos);
  }
}

TEST_CASE("barriers of subsets and one-sided rounds have their times", "[threads]") {
  for (auto const& choice : reference::all_engines()) {
    INFO(choice);
    auto const run = machine(crossbar{4}, reference::on(choice, clocked)).run([](processor& me) {
      auto pair = me.subset(std::vector<int>{me.rank() & ~1, me.rank() | 1});
      me.work(10 * me.rank());
      pair.barrier();
      std::vector<long> mine{me.rank()};
      if (me.rank() == 0)
        me.serve(mine);
      else
        static_cast<void>(me.read(0, 0, 1, mine));
    });
    auto const times = run.timeline(lockstep::hockney_clock{.alpha_us = 100, .operation_us = 1});
    CHECK(times.processors[0].barrier == 10);
    CHECK(times.processors[1].barrier == 0);
    CHECK(times.processors[2].barrier == 10);
    CHECK(times.makespan == 310);  // 0 goes on at 10, and answers 1, 2, 3 in turn
  }
}

TEST_CASE("work on one line is one event on every engine, whatever others do in between",
          "[threads]") {
  std::vector<double> makespans;
  std::vector<std::size_t> pieces;
  for (auto const& choice : reference::all_engines()) {
    auto const run = machine(crossbar{3}, reference::on(choice, clocked)).run([](processor& me) {
      for (int times = 0; times < 6; ++times) {
        me.work(1);
        static_cast<void>(me.pending((me.rank() + 1) % me.size()));
      }
      for (int times = 0; times < 4; ++times)
        static_cast<void>(me.try_receive<long>((me.rank() + 1) % me.size()));
    });
    auto const times = run.timeline(lockstep::hockney_clock{.operation_us = 0.7, .idle_us = 0.3});
    makespans.push_back(times.makespan);
    pieces.push_back(times.critical_path.size());
  }
  for (double const one : makespans) CHECK(one == 6 * 0.7 + 4 * 0.3);
  for (auto const one : pieces) CHECK(one == 2);
}

TEST_CASE("a timeline can be asked for by several threads, and of a copy of the record",
          "[threads]") {
  auto const run = machine(crossbar{8}, clocked).run([](processor& me) {
    for (int step = 0; step < 100; ++step)
      static_cast<void>(me.exchange((me.rank() + 1) % me.size(), 1L, (me.rank() + 7) % me.size()));
  });
  lockstep::run_record const copy = run;
  std::vector<double> makespans(4);
  {
    std::vector<std::jthread> asking;
    for (auto& one : makespans)
      asking.emplace_back([&] { one = copy.timeline(by_hand()).makespan; });
  }
  for (double const one : makespans) CHECK(one == run.timeline(by_hand()).makespan);
}
