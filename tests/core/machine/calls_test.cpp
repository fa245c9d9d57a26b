#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <lockstep/detail/idle_until.hpp>
#include <lockstep/errors.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"
#include "core/machines.hpp"

using lockstep::call_kind;
using lockstep::call_record;
using lockstep::processor;

namespace {

using call_list = std::vector<std::vector<std::uint64_t>>;

/// The calls of one processor: kind, begin, end, other.
call_list calls_of(reference::call_log const& log, int rank) {
  call_list all;
  for (auto const& one : log.calls)
    if (one.rank == rank)
      all.push_back({static_cast<std::uint64_t>(one.kind), one.begin, one.end,
                     static_cast<std::uint64_t>(one.other + 1)});
  return all;
}

std::vector<std::uint64_t> entry(call_kind kind, std::uint64_t begin, std::uint64_t end,
                                 int other = -1) {
  return {static_cast<std::uint64_t>(kind), begin, end, static_cast<std::uint64_t>(other + 1)};
}

/// The call at which that end of the message stands.
call_record const* call_with(reference::call_log const& log, int rank, std::uint64_t number) {
  call_record const* found = nullptr;
  for (auto const& one : log.calls)
    if (one.rank == rank && one.number > 0 && one.number <= number) found = &one;
  return found;
}

}  // namespace

TEST_CASE("observers are told of each call, with the steps before and after it", "[threads]") {
  for (auto const& engine : reference::all_engines()) {
    CAPTURE(engine);
    lockstep::machine const two{lockstep::crossbar{2}, reference::on(engine)};
    reference::call_log log;
    auto const run = two.run(
        [](processor& me) {
          me.phase("first");
          (void)me.exchange(1 - me.rank(), me.rank());
          me.idle(3);
          me.rearrange(7);
          me.pipelined([&] {
            if (me.rank() == 0) me.send(1, std::vector{1, 2});
            if (me.rank() == 1) (void)me.receive<int>(0);
          });
          me.barrier();
          me.show("done", me.rank());
        },
        log);
    CHECK(calls_of(log, 0) ==
          call_list{entry(call_kind::phase, 1, 1), entry(call_kind::send, 1, 1, 1),
                    entry(call_kind::receive, 1, 2, 1), entry(call_kind::idle, 2, 5),
                    entry(call_kind::rearrange, 5, 5), entry(call_kind::begin_pipelined, 5, 5),
                    entry(call_kind::send, 5, 5, 1), entry(call_kind::end_pipelined, 5, 6),
                    entry(call_kind::barrier, 6, 6), entry(call_kind::show, 6, 6)});
    CHECK(calls_of(log, 1).at(6) == entry(call_kind::receive, 5, 6, 0));
    CHECK(log.calls.at(4).words == 7);
    CHECK(run.counts().steps == 5);
    CHECK(log.ends == 1);
    CHECK(log.failure == nullptr);
    CHECK(log.left_out.empty());
  }
}

TEST_CASE("a message knows the calls of both its ends", "[threads]") {
  for (auto const& engine : reference::all_engines()) {
    CAPTURE(engine);
    reference::call_log log;
    lockstep::machine const ring{lockstep::torus{{4, 4}}, reference::on(engine)};
    unsigned send_line = 0;
    unsigned receive_line = 0;
    (void)ring.run(
        [&](processor& me) {
          for (int offset = 1; offset < 4; ++offset) {
            me.send(lockstep::along{1, 1}, std::vector<long>(static_cast<std::size_t>(offset)));
            auto const row = me.rank() / 4 * 4;
            (void)me.receive<long>(row + (me.rank() + 3) % 4);
          }
          if (me.rank() == 0) me.send(5, 1);
          if (me.rank() == 5) (void)me.receive_value<int>(0);
        },
        log);
    for (auto const& one : log.messages) {
      auto const* const sent = call_with(log, one.from, one.sender_call);
      auto const* const received = call_with(log, one.to, one.receiver_call);
      REQUIRE(sent != nullptr);
      REQUIRE(received != nullptr);
      CHECK(sent->kind == call_kind::send);
      CHECK(sent->other == one.to);
      CHECK(sent->number == one.sender_call);
      CHECK(sent->end == one.sent);
      CHECK(received->kind == call_kind::receive);
      CHECK(received->other == one.from);
      CHECK(received->number == one.receiver_call);
      CHECK(received->end > one.step);
      if (one.words != 1) {
        if (send_line == 0) send_line = sent->where.line();
        if (receive_line == 0) receive_line = received->where.line();
        CHECK(sent->where.line() == send_line);
        CHECK(received->where.line() == receive_line);
      }
    }
    CHECK(receive_line == send_line + 2);
    CHECK(log.messages.size() == 16 * 3 + 1);
  }
}

TEST_CASE("messages of a one-sided round belong to its calls") {
  reference::call_log log;
  (void)lockstep::machine{lockstep::crossbar{3}}.run(
      [](processor& me) {
        std::vector<int> mine(3, me.rank());
        if (me.rank() == 0) (void)me.read(2, 1, 2, mine);
        if (me.rank() == 1) me.write(2, 0, std::vector{9}, mine);
        if (me.rank() == 2) me.serve(mine);
      },
      log);
  REQUIRE(log.calls.size() == 3);
  CHECK(calls_of(log, 0).at(0)[3] == 3);
  REQUIRE(log.messages.size() == 2);
  for (auto const& one : log.messages) {
    CHECK(call_with(log, one.from, one.sender_call)->kind == call_kind::one_sided);
    CHECK(call_with(log, one.to, one.receiver_call)->kind == call_kind::one_sided);
  }
}

TEST_CASE("observers that do not want calls learn how the run ended, and of no call") {
  struct plain : reference::call_log {
    [[nodiscard]] bool wants_calls() const override { return false; }
  } watching;
  auto const run = lockstep::machine{lockstep::crossbar{2}}.run(
      [](processor& me) { (void)me.exchange(1 - me.rank(), 1); }, watching);
  CHECK(watching.calls.empty());
  CHECK(watching.messages.size() == 2);
  CHECK(watching.ends == 1);
  CHECK(watching.counts == run.counts());
}

TEST_CASE("a deadlock tells programs which processor waits for which, and the cycle", "[threads]") {
  for (auto const& engine : reference::all_engines()) {
    CAPTURE(engine);
    reference::call_log log;
    lockstep::machine const four{lockstep::crossbar{4}, reference::on(engine)};
    try {
      (void)four.run(
          [](processor& me) {
            if (me.rank() == 3) return;
            (void)me.receive_value<int>((me.rank() + 1) % 3);
          },
          log);
      FAIL("it ends in a deadlock");
    } catch (lockstep::deadlock const& caught) {
      auto const* const details = caught.details();
      REQUIRE(details != nullptr);
      REQUIRE(details->waits.size() == 3);
      CHECK(details->waits[1].rank == 1);
      CHECK(details->waits[1].waits_for == 2);
      CHECK(details->waits[1].since == 1);
      CHECK(details->waits[1].in == "receive");
      CHECK(details->waits[1].where.line() == caught.where().line());
      CHECK(details->cycle == std::vector{0, 1, 2});
    }
    CHECK(log.ends == 1);
    CHECK_THROWS_AS(std::rethrow_exception(log.failure), lockstep::deadlock);
    CHECK(calls_of(log, 0) == call_list{entry(call_kind::receive, 1, 0, 1)});
    CHECK(calls_of(log, 3).empty());
  }
}

TEST_CASE("a barrier that some never reach tells which processors wait") {
  try {
    (void)lockstep::machine{lockstep::crossbar{3}}.run([](processor& me) {
      if (me.rank() != 1) me.phase("merge");
    });
    FAIL("the barrier is never complete");
  } catch (lockstep::barrier_mismatch const& caught) {
    auto const* const details = caught.details();
    REQUIRE(details != nullptr);
    REQUIRE(details->waits.size() == 2);
    CHECK(details->waits[1].rank == 2);
    CHECK(details->waits[1].waits_for == -1);
    CHECK(details->waits[1].in == "phase(\"merge\")");
    CHECK(details->cycle.empty());
  }
}

TEST_CASE("link contention tells both messages with their routes") {
  try {
    (void)lockstep::machine{lockstep::torus{{8}}, {.strict = true}}.run([](processor& me) {
      if (me.rank() == 0) me.send(2, 1);
      if (me.rank() == 1) me.send(3, 1);
      if (me.rank() == 2) (void)me.receive_value<int>(0);
      if (me.rank() == 3) (void)me.receive_value<int>(1);
    });
    FAIL("two messages take the link from 1 to 2");
  } catch (lockstep::link_contention const& caught) {
    auto const* const details = caught.details();
    REQUIRE(details != nullptr);
    REQUIRE(details->messages.size() == 2);
    CHECK(details->messages[0].from == 0);
    CHECK(details->messages[0].to == 2);
    CHECK(details->messages[0].step == 1);
    CHECK(details->messages[0].route == std::vector{0, 1, 2});
    CHECK(details->messages[1].route == std::vector{1, 2, 3});
    CHECK(details->messages[1].where.line() == caught.where().line());
  }
}

TEST_CASE("a message that is left tells its words and its route, and so do the others") {
  reference::call_log log;
  try {
    (void)lockstep::machine{lockstep::torus{{8}}, {.packet = 4}}.run(
        [](processor& me) {
          if (me.rank() == 1) me.send(4, std::vector{1, 2, 3, 4, 5});
          if (me.rank() == 6) me.send(7, 1);
        },
        log);
    FAIL("both messages are left");
  } catch (lockstep::unreceived_message const& caught) {
    auto const* const details = caught.details();
    REQUIRE(details != nullptr);
    REQUIRE(details->messages.size() == 2);
    CHECK(details->messages[0].words == 8U);
    CHECK(details->messages[0].route == std::vector{1, 2, 3, 4});
    CHECK(details->messages[1].words == 4U);
    CHECK(details->messages[1].to == 7);
  }
  CHECK(log.calls.size() == 2);
}

TEST_CASE("of very many messages that are left the first are told, the same on each engine",
          "[threads]") {
  for (auto const& engine : reference::all_engines()) {
    CAPTURE(engine);
    try {
      (void)lockstep::machine{lockstep::crossbar{72}, reference::on(engine)}.run([](processor& me) {
        for (int offset = 1; offset < me.size(); ++offset)
          me.send((me.rank() + offset) % me.size(), me.rank());
      });
      FAIL("all messages are left");
    } catch (lockstep::unreceived_message const& caught) {
      auto const& left = caught.details()->messages;
      REQUIRE(left.size() == 4'096);
      bool all_first = true;
      for (std::size_t at = 0; at < left.size(); ++at)
        all_first =
            all_first && left[at].step == 1 + at / 72 && left[at].from == static_cast<int>(at % 72);
      CHECK(all_first);
    }
  }
}

TEST_CASE("an observer that throws while it is told does not hide the error of the run") {
  struct refuses : lockstep::observer {
    [[nodiscard]] bool wants_calls() const override { return true; }
    void call(lockstep::call_record const& /*made*/) override { throw std::string("no"); }
  } refusing;
  reference::call_log log;
  CHECK_THROWS_AS(
      lockstep::machine{lockstep::crossbar{2}}.run(
          [](processor& me) { (void)me.receive_value<int>(1 - me.rank()); }, refusing, log),
      lockstep::deadlock);
  CHECK(log.left_out.find("an observer threw") != std::string::npos);
}

TEST_CASE("an observer that throws at the end ends the run, and the others are told all the same") {
  struct refuses : lockstep::observer {
    void ended(lockstep::run_end const& /*how*/) override { throw std::string("no"); }
  } refusing;
  reference::call_log log;
  CHECK_THROWS_AS(lockstep::machine{lockstep::crossbar{2}}.run([](processor&) {}, refusing, log),
                  std::string);
  CHECK(log.ends == 1);
}

TEST_CASE("a processor idles until a step, and not where it is there or later") {
  lockstep::machine const two{lockstep::crossbar{2}, {.max_steps = 20}};
  auto const run = two.run([](processor& me) {
    std::vector<std::uint64_t> steps;
    for (std::uint64_t const wanted : {4U, 4U, 2U, 9U})
      steps.push_back(lockstep::detail::idle_until(me, wanted));
    steps.push_back(me.now());
    return steps;
  });
  CHECK(run.results()[0] == std::vector<std::uint64_t>{4, 4, 4, 9, 9});
  CHECK_THROWS_AS(two.run([](processor& me) { (void)lockstep::detail::idle_until(me, 100); }),
                  lockstep::step_limit);
}
