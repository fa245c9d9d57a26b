// Every error of the machine, provoked on each engine: type, rank, step, phase, source line, and
// what the message says.

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/usual_names.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LOCKSTEP_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LOCKSTEP_TEST_SANITIZED 1
#endif
#endif

namespace {

/// An element of as many words as there can be.
struct heavy {
  std::uint8_t content = 0;
};

}  // namespace

template <>
inline constexpr std::uint64_t lockstep::words_of<heavy> = 0xFFFF'FFFF;

namespace {

using namespace usual_names;

using program = std::function<void(processor&)>;

/// What is known of an error after the run.
struct report {
  std::string kind = "nothing was thrown";
  int rank = -2;
  std::uint64_t step = 0;
  std::string phase;
  int line = 0;
  std::string file;
  std::string text;
};

report error_of(machine const& on_machine, program const& body) {
  try {
    on_machine.run([&](processor& me) { body(me); });
  } catch (lockstep::error const& thrown) {
    return {reference::kind_of(thrown),
            thrown.rank(),
            thrown.step(),
            thrown.phase(),
            static_cast<int>(thrown.where().line()),
            thrown.where().file_name(),
            thrown.what()};
  }
  return {};
}

void check(report const& seen, std::string const& kind, std::uint64_t step, int rank) {
  INFO(seen.text);
  CHECK(seen.kind == kind);
  CHECK(seen.step == step);
  CHECK(seen.rank == rank);
}

/// The call's line in this file, in the error and in its text.
void check_line(report const& seen, int line) {
  INFO(seen.text);
  CHECK(seen.line == line);
  CHECK(seen.file.ends_with("errors_test.cpp"));
  CHECK(seen.text.find(fmt::format("errors_test.cpp:{}", line)) != std::string::npos);
}

void check_says(report const& seen, std::vector<std::string> const& words) {
  for (auto const& word : words) {
    INFO("\"" << word << "\" in: " << seen.text);
    CHECK(seen.text.find(word) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("not_adjacent", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const square{hypercube{2}, on(choice)};
  int const line = __LINE__ + 3;
  auto const sent = error_of(square, [](processor& me) {
    if (me.rank() == 0) me.idle(4);
    if (me.rank() == 0) me.send(3, 1);
  });
  check(sent, "not_adjacent", 5, 0);
  check_line(sent, line);
  check_says(sent, {"0", "3", "cut_through"});
  auto const received = error_of(square, [](processor& me) {
    if (me.rank() == 2) (void)me.receive<int>(1);
  });
  check(received, "not_adjacent", 1, 2);
  auto const exchanged = error_of(square, [](processor& me) {
    if (me.rank() == 1) (void)me.exchange(2, 5);
  });
  check(exchanged, "not_adjacent", 1, 1);
}

TEST_CASE("not_adjacent after a send to a neighbour belongs to the next step",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const square{hypercube{2}, on(choice)};
  auto const sent = error_of(square, [](processor& me) {
    if (me.rank() == 0) me.send(1, 1);  // takes the out-port of step 1
    if (me.rank() == 0) me.send(3, 1);
    if (me.rank() == 1) (void)me.receive<int>(0);
  });
  check(sent, "not_adjacent", 2, 0);
  auto const moved = error_of(square, [](processor& me) {
    if (me.rank() == 0) me.send(1, std::vector{1});
    if (me.rank() == 0) me.send(3, std::vector{1});
    if (me.rank() == 1) (void)me.receive<int>(0);
  });
  check(moved, "not_adjacent", 2, 0);
}

TEST_CASE("port_conflict", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const strict{crossbar{3}, on(choice, {.strict = true})};
  int const line = __LINE__ + 6;
  auto const seen = error_of(strict, [](processor& me) {
    me.phase("gather");
    if (me.rank() > 0) me.send(0, 1);
    if (me.rank() > 0) return;
    (void)me.receive<int>(1);
    (void)me.receive<int>(2);
  });
  check(seen, "port_conflict", 2, 0);
  CHECK(seen.phase == "gather");
  check_line(seen, line);
  check_says(seen, {"strict", "gather", "2"});
}

TEST_CASE("ways that are longer than any", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  int const offset = GENERATE((1 << 24) + 1, -(1 << 24) - 1, std::numeric_limits<int>::max(),
                              std::numeric_limits<int>::min());
  machine const ring{torus{{5}}, on(choice)};
  lockstep::along const way{0, offset};
  CHECK_THROWS_AS(ring.run([&](processor& me) {
    if (me.rank() == 0) me.send(way, 1);
  }),
                  lockstep::invalid_argument);
}

TEST_CASE("link_contention", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const strict{torus{{8}}, on(choice, {.strict = true})};
  int const line = __LINE__ + 3;
  auto const seen = error_of(strict, [](processor& me) {
    me.idle(2);
    if (me.rank() < 2) me.send(me.rank() + 3, 1);
    if (me.rank() == 3 || me.rank() == 4) (void)me.receive<int>(me.rank() - 3);
  });
  check(seen, "link_contention", 3, 1);
  check_line(seen, line);
  // Both routes: 0, 1, 2, 3 and 1, 2, 3, 4.
  auto const first = seen.text.find("0 -> 1 -> 2 -> 3");
  auto const second = seen.text.find("1 -> 2 -> 3 -> 4");
  INFO(seen.text);
  CHECK(first != std::string::npos);
  CHECK(second != std::string::npos);
}

TEST_CASE("type_mismatch", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const pair{crossbar{2}, on(choice)};
  int const line = __LINE__ + 3;
  auto const seen = error_of(pair, [](processor& me) {
    if (me.rank() == 0) me.send(1, 1.5);
    if (me.rank() == 1) (void)me.receive<long>(0);
  });
  check(seen, "type_mismatch", 1, 1);
  check_line(seen, line);
  check_says(seen, {"double", "long"});
  // The same size, and still another type; an empty message has a type as well.
  check(error_of(pair,
                 [](processor& me) {
                   if (me.rank() == 0) me.send(1, 1U);
                   if (me.rank() == 1) (void)me.receive_value<int>(0);
                 }),
        "type_mismatch", 1, 1);
  check(error_of(pair,
                 [](processor& me) {
                   std::array<char, 0> room{};
                   if (me.rank() == 0) me.send(1, std::vector<double>{});
                   if (me.rank() == 1) me.receive_into(0, room);
                 }),
        "type_mismatch", 1, 1);
}

TEST_CASE("size_mismatch", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const pair{crossbar{2}, on(choice)};
  int const line = __LINE__ + 4;
  auto const seen = error_of(pair, [](processor& me) {
    std::vector<int> room(3);
    if (me.rank() == 0) me.send(1, std::vector<int>(7));
    if (me.rank() == 1) me.receive_into(0, room);
  });
  check(seen, "size_mismatch", 1, 1);
  check_line(seen, line);
  check_says(seen, {"7", "3"});
  check(error_of(pair,
                 [](processor& me) {
                   if (me.rank() == 0) me.send(1, std::vector<int>(2));
                   if (me.rank() == 1) (void)me.receive_value<int>(0);
                 }),
        "size_mismatch", 1, 1);
  check(error_of(pair,
                 [](processor& me) {
                   if (me.rank() == 0) me.send(1, std::vector<int>(2));
                   if (me.rank() == 1) (void)me.receive<int>(0, 3);
                 }),
        "size_mismatch", 1, 1);
  check(error_of(pair,
                 [](processor& me) {
                   std::array<int, 2> room{};
                   auto const other = 1 - me.rank();
                   me.idle(static_cast<std::uint64_t>(other));
                   me.exchange_into(other, std::vector<int>(2 + static_cast<std::size_t>(other)),
                                    room, other);
                 }),
        "size_mismatch", 2, 1);  // asked for in step 1, sent in step 2
}

TEST_CASE("deadlock: a cycle", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const ring{torus{{4}}, on(choice)};
  int const line = __LINE__ + 4;
  auto const seen = error_of(ring, [](processor& me) {
    me.phase("round");
    me.idle(me.rank() == 2 ? 3 : 6);
    (void)me.receive<int>((me.rank() + 1) % 4);
  });
  check(seen, "deadlock", 4, 2);
  CHECK(seen.phase == "round");
  check_line(seen, line);
  check_says(seen, {"step 4", "step 7", "cycle"});
  // The cycle, from wherever it is begun.
  auto const doubled = [&] {
    for (auto const* cycle : {"0 -> 1 -> 2 -> 3 -> 0", "1 -> 2 -> 3 -> 0 -> 1",
                              "2 -> 3 -> 0 -> 1 -> 2", "3 -> 0 -> 1 -> 2 -> 3"})
      if (seen.text.find(cycle) != std::string::npos) return true;
    return false;
  };
  INFO(seen.text);
  CHECK(doubled());
}

TEST_CASE("deadlock: waiting for one that has finished", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const seen = error_of(machine{crossbar{3}, on(choice)}, [](processor& me) {
    if (me.rank() == 1) (void)me.receive<int>(2);
  });
  check(seen, "deadlock", 1, 1);
  check_says(seen, {"1", "2", "finished"});
}

TEST_CASE("deadlock: a receive and a barrier", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const seen = error_of(machine{crossbar{3}, on(choice)}, [](processor& me) {
    me.idle(static_cast<std::uint64_t>(5 - me.rank()));
    if (me.rank() == 1) (void)me.receive<int>(2);
    me.barrier();
  });
  check(seen, "deadlock", 4, 2);
  check_says(seen, {"barrier"});
}

TEST_CASE("deadlock: many wait", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const seen = error_of(machine{torus{{25}}, on(choice)},
                             [](processor& me) { (void)me.receive<int>((me.rank() + 24) % 25); });
  check(seen, "deadlock", 1, 0);
  check_says(seen, {"15 more"});  // ten are named
}

TEST_CASE("deadlock in a large machine is found at once", "[core][errors]") {
  auto const start = std::chrono::steady_clock::now();
  auto const seen = error_of(machine{torus{{100'000}}}, [](processor& me) {
    (void)me.receive<int>((me.rank() + 1) % me.size());
  });
  check(seen, "deadlock", 1, 0);
  check_says(seen, {"99990 more"});
  CHECK(seen.text.size() < 20'000);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

TEST_CASE("barrier_mismatch: some can never reach it", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  int const line = __LINE__ + 4;
  auto const seen = error_of(machine{crossbar{4}, on(choice)}, [](processor& me) {
    if (me.rank() == 3) return;
    me.idle(me.rank() == 1 ? 2 : 5);
    me.barrier();
  });
  check(seen, "barrier_mismatch", 3, 1);
  check_line(seen, line);
  check_says(seen, {"3", "barrier"});
}

TEST_CASE("barrier_mismatch: different barriers meet", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const four{crossbar{4}, on(choice)};
  auto const seen = error_of(four, [](processor& me) {
    me.idle(static_cast<std::uint64_t>(10 - me.rank()));
    me.phase(me.rank() < 2 ? "rows" : "columns");
  });
  check(seen, "barrier_mismatch", 11, 2);  // where they meet
  check_says(seen, {"rows", "columns"});
  check(error_of(four,
                 [](processor& me) {
                   if (me.rank() == 1) return me.phase("a phase");
                   me.barrier();
                 }),
        "barrier_mismatch", 1, 1);
  check(error_of(four,
                 [](processor& me) {
                   if (me.rank() == 3) return me.pipelined([] {});
                   me.barrier();
                   me.barrier();
                 }),
        "barrier_mismatch", 1, 3);
  check(error_of(four,
                 [](processor& me) {
                   me.pipelined([&] {
                     if (me.rank() == 2) me.barrier();
                   });
                 }),
        "barrier_mismatch", 1, 2);
}

TEST_CASE("barrier_mismatch in a subset", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const seen = error_of(machine{crossbar{4}, on(choice)}, [](processor& me) {
    auto half = me.subset(me.rank() < 2 ? std::vector{0, 1} : std::vector{2, 3});
    half.idle(7);
    if (me.rank() == 2) return;
    half.barrier();
  });
  check(seen, "barrier_mismatch", 8, 3);
}

TEST_CASE("barrier_mismatch beside barriers that are right", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  try {
    machine{crossbar{4}, on(choice)}.run([](processor& me) {
      auto half = me.subset(me.rank() % 2 == 0 ? std::vector{0, 2} : std::vector{1, 3});
      if (me.rank() == 3) return half.pipelined([] {});
      half.barrier();
      half.barrier();
    });
    FAIL("it went on");
  } catch (lockstep::barrier_mismatch const& caught) {
    // Those of the other half wait in their first barrier, whichever was looked at first.
    auto const& waits = caught.details()->waits;
    REQUIRE(waits.size() == 4);
    for (auto const& one : waits) {
      INFO(one.rank << " in " << one.in);
      CHECK((one.rank == 3) == (one.in.find("barrier") == std::string::npos));
      CHECK(one.in.find("one-sided") == std::string::npos);
      CHECK(one.since == 1);
    }
  }
}

TEST_CASE("a processor that a later failure stopped waits for nobody",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  try {
    machine{crossbar{4}, on(choice)}.run([](processor& me) {
      if (me.rank() == 3) {
        me.send(2, 1);
        me.idle(2);
        throw std::runtime_error("a later step");
      }
      if (me.rank() == 2) {
        static_cast<void>(me.receive_value<int>(3));
        me.idle(100);
        return me.idle();
      }
      auto half = me.subset(std::vector{0, 1});
      if (me.rank() == 0) return half.pipelined([] {});
      half.barrier();
    });
    FAIL("it went on");
  } catch (lockstep::barrier_mismatch const& caught) {
    for (auto const& one : caught.details()->waits) {
      INFO(one.rank << " in " << one.in);
      CHECK(one.rank < 2);
    }
    CHECK(caught.details()->waits.size() == 2);
  }
}

TEST_CASE("unreceived_message", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  int const line = __LINE__ + 4;
  auto const seen = error_of(three, [](processor& me) {
    if (me.rank() == 0) me.idle(9);
    if (me.rank() == 2) me.idle(1);
    if (me.rank() != 1) me.send(1, std::vector<int>(5));
  });
  check(seen, "unreceived_message", 2, 2);
  check_line(seen, line);
  check_says(seen, {"1", "2"});
  // Not where something else went wrong.
  check(error_of(three,
                 [](processor& me) {
                   if (me.rank() == 2) me.send(1, 1);
                   if (me.rank() == 0) me.idle(30);
                   if (me.rank() == 0) me.send(0, 1);
                 }),
        "invalid_rank", 31, 0);
}

TEST_CASE("unreceived_message says what else was in the channel, and what its receiver did",
          "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  int const line = __LINE__ + 4;
  auto const seen = error_of(three, [](processor& me) {
    if (me.rank() == 0)
      for (int message = 0; message < 3; ++message) me.send(1, message);
    if (me.rank() == 0) me.send(1, 3);
    if (me.rank() == 2) me.send(1, 9);
    if (me.rank() == 1) static_cast<void>(me.receive_value<int>(0));
  });
  auto const at = [&](int further) { return "errors_test.cpp:" + std::to_string(line + further); };
  check(seen, "unreceived_message", 1, 2);
  check_says(seen, {"left in that channel: 1 message, sent at", at(1),
                    "processor 1 made its last call at", at(2)});
  auto const more = error_of(three, [](processor& me) {
    if (me.rank() == 0)
      for (int message = 0; message < 4; ++message) me.send(1, message);
    if (me.rank() == 0) me.send(1, 4);
  });
  check(more, "unreceived_message", 1, 0);
  check_says(more, {"left in that channel: 5 messages, sent at", at(10), ", ", at(11),
                    "processor 1 made no call"});
}

TEST_CASE("unreceived_message says where others of its channel were received",
          "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  int const line = __LINE__ + 6;
  auto const at = [&](int further) { return "errors_test.cpp:" + std::to_string(line + further); };
  auto const seen = error_of(three, [](processor& me) {
    if (me.rank() == 2) me.send(1, 9);
    for (int message = 0; message < 4 && me.rank() == 0; ++message) me.send(1, message);
    if (me.rank() != 1) return;
    for (int message = 0; message < 2; ++message) static_cast<void>(me.receive_value<int>(0));
    static_cast<void>(me.receive_value<int>(0));
    static_cast<void>(me.receive_value<int>(2));
  });
  check(seen, "unreceived_message", 4, 0);
  check_says(seen, {"processor 1 received others of it at", at(0), ", ", at(1),
                    ", and made its last call at", at(2)});
}

TEST_CASE("unreceived_message says up to which step it knows the receives",
          "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const two{crossbar{2}, on(choice)};
  int const line = __LINE__ + 6;
  auto const at = [&](int further) { return "errors_test.cpp:" + std::to_string(line + further); };
  int const most = 9'000;
  auto const seen = error_of(two, [most](processor& me) {
    for (int message = 0; message <= most && me.rank() == 0; ++message) me.send(1, message);
    for (int message = 0; message < most && me.rank() == 1; ++message)
      static_cast<void>(me.receive_value<int>(0));
  });
  check(seen, "unreceived_message", 9'001, 0);
  check_says(seen, {"processor 1 received others of it at", at(0), " up to step 4096, and made",
                    "its last call at", at(0)});
}

TEST_CASE("unreceived_message gives way to every other error",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  // Processor 7 sends in step 1 what 6 never asks for; whatever goes wrong does so later.
  auto const beside = [&](lockstep::machine_options options, program const& body) {
    return error_of(machine{torus{{8}}, on(choice, options)}, [&](processor& me) {
      if (me.rank() == 7) return me.send(6, 1);
      me.idle(9);
      body(me);
    });
  };
  auto const contending = [](processor& me) {
    if (me.rank() < 2) me.send(me.rank() + 3, 1);
  };
  SECTION("link contention of messages that came in") {
    check(beside({.strict = true},
                 [&](processor& me) {
                   contending(me);
                   if (me.rank() == 3 || me.rank() == 4) (void)me.receive<int>(me.rank() - 3);
                 }),
          "link_contention", 10, 1);
  }
  SECTION("link contention of messages that are not received, either") {
    check(beside({.strict = true}, contending), "link_contention", 10, 1);
  }
  SECTION("links that may be shared") { check(beside({}, contending), "unreceived_message", 1, 7); }
  SECTION("port_conflict") {
    check(beside({.strict = true},
                 [](processor& me) {
                   if (me.rank() == 1 || me.rank() == 3) me.send(2, 1);
                   if (me.rank() != 2) return;
                   (void)me.receive<int>(1);
                   (void)me.receive<int>(3);
                 }),
          "port_conflict", 11, 2);
  }
  SECTION("deadlock") {
    check(beside({},
                 [](processor& me) {
                   if (me.rank() == 3) (void)me.receive<int>(4);
                 }),
          "deadlock", 10, 3);
  }
  SECTION("barrier_mismatch") {
    check(beside({},
                 [](processor& me) {
                   if (me.rank() == 3) me.barrier();
                 }),
          "barrier_mismatch", 10, 3);
  }
  SECTION("step_limit") {
    check(beside({.max_steps = 20},
                 [](processor& me) {
                   if (me.rank() == 3) me.idle(20);
                 }),
          "step_limit", 21, 3);
  }
  SECTION("processor_failed") {
    check(beside({},
                 [](processor& me) {
                   if (me.rank() == 3) throw std::runtime_error("stop");
                 }),
          "processor_failed", 10, 3);
  }
}

TEST_CASE("step_limit", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const pair{crossbar{2}, on(choice, {.max_steps = 50})};
  SECTION("exchange for ever") {
    int const line = __LINE__ + 2;
    auto const seen = error_of(pair, [](processor& me) {
      for (int value = 0;;) value = me.exchange(1 - me.rank(), value);
    });
    check(seen, "step_limit", 51, 0);
    check_line(seen, line);
    check_says(seen, {"50", "max_steps"});
  }
  SECTION("idle for ever") {
    auto const seen = error_of(pair, [](processor& me) {
      for (;;) me.idle();
    });
    check(seen, "step_limit", 51, 0);
    check_says(seen, {"50", "max_steps"});
  }
  SECTION("idle very long at once") {
    check(error_of(pair,
                   [](processor& me) {
                     me.idle(3);
                     if (me.rank() == 1) me.idle(~std::uint64_t{0});
                   }),
          "step_limit", 51, 1);
  }
  SECTION("an in-port that is too busy") {
    auto const seen = error_of(pair, [](processor& me) {
      if (me.rank() == 0) {
        me.send(1, 1);
        me.idle(49);
        return me.send(1, 2);  // stamp 50
      }
      (void)me.receive<int>(0);
      (void)me.receive<int>(0);  // in step 50: still allowed
    });
    CHECK(seen.kind == "nothing was thrown");
    machine const three{crossbar{3}, on(choice, {.max_steps = 50})};
    check(error_of(three,
                   [](processor& me) {
                     me.idle(49);
                     if (me.rank() > 0) return me.send(0, 1);
                     (void)me.receive<int>(1);
                     (void)me.receive<int>(2);
                   }),
          "step_limit", 51, 0);
  }
  SECTION("just enough") {
    auto const run = pair.run([](processor& me) {
      for (int step = 0; step < 50; ++step) (void)me.exchange(1 - me.rank(), step);
    });
    CHECK(run.counts().steps == 50);
  }
}

TEST_CASE("the default step limit ends endless programs soon", "[core][errors]") {
  auto const engine = GENERATE(lockstep::engine::fibers, lockstep::engine::threads);
  machine const pair{crossbar{2}, {.engine = engine}};
  auto const seen = error_of(pair, [](processor& me) {
    for (;;) me.idle(me.rank() == 0 ? 1 : 999);
  });
  check(seen, "step_limit", 1'000'001, 0);
}

TEST_CASE("barriers for ever, in which no step passes, end in step_limit", "[core][errors][once]") {
  // A thread for each of two processors would take a minute: one shows as much.
  bool const threads = GENERATE(false, true);
  machine const fast{
      crossbar{threads ? 1 : 2},
      {.engine = threads ? lockstep::engine::threads : lockstep::engine::fibers, .workers = 1}};
  std::string const said = "in which no step passed";
  SECTION("of the machine") {
    int const line = __LINE__ + 3;
    auto const seen = error_of(fast, [](processor& me) {
      me.idle(6);
      for (;;) me.barrier();
    });
    check(seen, "step_limit", 7, 0);
    check_line(seen, line);
    check_says(seen, {said, "1000000"});
  }
  SECTION("of a machine whose processors come to the barrier in any order") {
    if (threads) return;
    machine const eight{crossbar{8}, {.workers = 2}};
    check(error_of(eight,
                   [](processor& me) {
                     if (me.rank() == 7) me.send(0, 1);
                     if (me.rank() == 0) (void)me.receive<int>(7);  // and so comes last
                     for (;;) me.barrier();
                   }),
          "step_limit", 2, 0);
  }
  SECTION("of a subset, while the others wait for a message") {
    auto const seen = error_of(fast, [](processor& me) {
      auto alone = me.subset(std::vector{me.rank()});
      if (me.rank() == 1) (void)me.receive<int>(0);
      for (;;) alone.barrier();
    });
    check(seen, "step_limit", 1, 0);
    check_says(seen, {said});
  }
  SECTION("one-sided rounds") {
    auto const seen = error_of(fast, [](processor& me) {
      std::array<int, 1> const memory{};
      for (;;) me.serve(memory);
    });
    CHECK(seen.kind == "step_limit");
    check_says(seen, {said});
  }
}

TEST_CASE("many barriers are accepted if steps pass now and then", "[core][errors]") {
  auto const run = machine{crossbar{2}, {.workers = 1}}.run([](processor& me) {
    for (int round = 0; round < 2; ++round) {
      for (int call = 0; call < 600'000; ++call) me.barrier();
      me.idle();
    }
    return me.now();
  });
  CHECK(run.results() == std::vector<std::uint64_t>{3, 3});
}

TEST_CASE("the least and the largest max_steps", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const swap = [](processor& me) { (void)me.exchange(1 - me.rank(), 1); };
  SECTION("a machine of one step") {
    machine const brief{crossbar{2}, on(choice, {.max_steps = 1})};
    auto const run = brief.run([&](processor& me) {
      swap(me);
      me.barrier();
      me.pipelined([] {});
      me.phase("nothing more");
      return me.now();
    });
    CHECK(run.results() == std::vector<std::uint64_t>{2, 2});
    CHECK(run.counts().steps == 1);
    CHECK_NOTHROW(brief.run([](processor& me) { me.idle(); }));
    check(error_of(brief,
                   [&](processor& me) {
                     swap(me);
                     swap(me);
                   }),
          "step_limit", 2, 0);
    check(error_of(brief, [](processor& me) { me.idle(2); }), "step_limit", 2, 0);
  }
  SECTION("a machine without end") {
    auto const most = ~std::uint64_t{0};
    machine const endless{crossbar{2}, on(choice, {.max_steps = most})};
    CHECK(endless.options().max_steps > std::uint64_t{1} << 60U);
    CHECK(endless.run(swap).counts().steps == 1);
    // No clock wraps round, however far it goes.
    for (auto const at_once : {most, most - 1, most / 2, std::uint64_t{1} << 62U})
      for (int const before : {0, 5}) {
        auto const seen = error_of(endless, [&](processor& me) {
          me.idle(static_cast<std::uint64_t>(before));
          for (int call = 0; call < 4; ++call) me.idle(at_once);
        });
        INFO(seen.text);
        CHECK(seen.kind == "step_limit");
        CHECK(seen.rank == 0);
        CHECK(seen.step == endless.options().max_steps + 1);
      }
    auto const far = error_of(endless, [&](processor& me) {
      me.idle(endless.options().max_steps);
      me.barrier();
      if (me.rank() == 1) me.send(0, 1);
    });
    check(far, "step_limit", endless.options().max_steps + 1, 1);
  }
}

TEST_CASE("more steps than the default allows", "[core][errors]") {
  auto const run = machine{crossbar{2}, {.max_steps = ~std::uint64_t{0}}}.run([](processor& me) {
    me.idle(1'000'000);
    (void)me.exchange(1 - me.rank(), 1);
    return me.now();
  });
  CHECK(run.results() == std::vector<std::uint64_t>{1'000'002, 1'000'002});
  CHECK(run.counts().steps == 1'000'001);
}

TEST_CASE("invalid_rank", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  for (int const to : {-1, 3, 1, 1'000'000}) {
    INFO("to " << to);
    int const line = __LINE__ + 3;
    auto const sent = error_of(three, [&](processor& me) {
      me.idle(2);
      if (me.rank() == 1) me.send(to, 1);
    });
    check(sent, "invalid_rank", 3, 1);
    check_line(sent, line);
    check_says(sent, {std::to_string(to)});
    check(error_of(three,
                   [&](processor& me) {
                     if (me.rank() == 1) (void)me.receive<int>(to);
                   }),
          "invalid_rank", 1, 1);
    check(error_of(three,
                   [&](processor& me) {
                     if (me.rank() == 1) (void)me.exchange(2, 1, to);
                     if (me.rank() == 2) (void)me.receive<int>(1);
                   }),
          "invalid_rank", 1, 1);
  }
  check(error_of(machine{lockstep::torus{{4}}, on(choice)},
                 [](processor& me) {
                   me.send(lockstep::along{0, 4}, 1);
                 }),
        "invalid_rank", 1, 0);  // once round to itself
}

TEST_CASE("a send that fails reports the step in which it would have been sent",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const twice = [&](lockstep::ports ports) {
    return error_of(machine{crossbar{3}, on(choice, {.ports = ports})}, [](processor& me) {
      if (me.rank() == 0) me.send(1, 1);
      if (me.rank() == 0) me.send(0, 1);
      if (me.rank() == 1) (void)me.receive<int>(0);
    });
  };
  check(twice(lockstep::ports::one), "invalid_rank", 2, 0);  // the port is taken in step 1
  check(twice(lockstep::ports::all), "invalid_rank", 1, 0);  // a processor has no port to itself
}

TEST_CASE("invalid_argument", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const ring{torus{{3}}, on(choice)};
  int const line = __LINE__ + 3;
  auto const nested = error_of(ring, [](processor& me) {
    me.pipelined([&] {
      if (me.rank() == 1) me.pipelined([] {});
    });
  });
  check(nested, "invalid_argument", 1, 1);
  check_line(nested, line);
  check_says(nested, {"pipelined", "nest"});
  check(error_of(ring,
                 [](processor& me) {
                   me.send(lockstep::along{1, 1}, 1);
                 }),
        "invalid_argument", 1, 0);
  check(error_of(machine{crossbar{3}, on(choice)},
                 [](processor& me) {
                   me.send(lockstep::along{0, 1}, 1);
                 }),
        "invalid_argument", 1, 0);
  check(error_of(machine{crossbar{3}, on(choice, {.ports = lockstep::ports::per_pass})},
                 [](processor& me) { me.pass(-1); }),
        "invalid_argument", 1, 0);
}

TEST_CASE("processor_failed nests the program's exception", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const four{crossbar{4}, on(choice)};
  try {
    four.run([](processor& me) {
      me.phase("work");
      me.idle(3);
      if (me.rank() == 2) throw std::out_of_range("no such bin");
      me.barrier();
    });
    FAIL("nothing was thrown");
  } catch (lockstep::processor_failed const& failed) {
    CHECK(failed.rank() == 2);
    CHECK(failed.step() == 4);
    CHECK(failed.phase() == "work");
    CHECK(std::string(failed.what()).find("no such bin") != std::string::npos);
    try {
      std::rethrow_if_nested(failed);
      FAIL("nothing is nested");
    } catch (std::out_of_range const& original) {
      CHECK(std::string(original.what()) == "no such bin");
    }
  }
}

TEST_CASE("an exception that is not a std::exception comes out unchanged",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const four{crossbar{4}, on(choice)};
  auto const thrown = [&](auto const& program) {
    try {
      four.run(program);
    } catch (int thrown_by) {
      return thrown_by;
    }
    return -1;
  };
  SECTION("from the program") {
    CHECK(thrown([](processor& me) {
            if (me.rank() == 3) throw me.rank();
            me.barrier();
          }) == 3);
  }
  SECTION("from pipelined") {
    CHECK(thrown([](processor& me) {
            me.pipelined([&] {
              if (me.rank() == 2) throw me.rank();
            });
          }) == 2);
  }
  SECTION("the least (step, rank) wins, whatever was thrown") {
    CHECK(thrown([](processor& me) {
            if (me.rank() == 1) me.idle();
            if (me.rank() == 3) throw std::out_of_range("later");
            throw me.rank();
          }) == 0);
    CHECK_THROWS_AS(four.run([](processor& me) {
      if (me.rank() == 1) throw std::out_of_range("first");
      me.idle();
      throw me.rank();
    }),
                    lockstep::processor_failed);
  }
}

TEST_CASE("an exception that leaves pipelined ends the run", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const four{crossbar{4}, on(choice)};
  SECTION("it is nested, and the others are unwound") {
    std::atomic<int> unwound = 0;
    int line = 0;
    try {
      four.run([&](processor& me) {
        auto const counted = std::shared_ptr<int>(new int, [&](int* one) {
          delete one;
          ++unwound;
        });
        me.phase("bins");
        me.idle(2);
        if (me.rank() == 2) line = __LINE__ + 1;
        me.pipelined([&] {
          (void)me.exchange(me.rank() ^ 1, 1);  // in step 3
          if (me.rank() == 2) throw std::out_of_range("no such bin");
          (void)me.exchange(me.rank() ^ 1, 2);
        });
        me.barrier();
      });
      FAIL("nothing was thrown");
    } catch (lockstep::processor_failed const& failed) {
      CHECK(failed.rank() == 2);
      CHECK(failed.step() == 4);
      CHECK(failed.phase() == "bins");
      CHECK(static_cast<int>(failed.where().line()) == line);
      CHECK(failed.message().find("pipelined") != std::string::npos);
      CHECK_THROWS_WITH(std::rethrow_if_nested(failed), "no such bin");
      CHECK_THROWS_AS(std::rethrow_if_nested(failed), std::out_of_range);
    }
    CHECK(unwound == 4);
  }
  SECTION("while the others wait in it for messages, or at its end") {
    check(error_of(four,
                   [](processor& me) {
                     me.pipelined([&] {
                       if (me.rank() == 1) me.idle(5);
                       if (me.rank() == 1) throw std::runtime_error("stop");
                       if (me.rank() == 2) (void)me.receive<int>(1);
                       if (me.rank() == 3) (void)me.receive<int>(2);
                     });
                   }),
          "processor_failed", 6, 1);
  }
  SECTION("of a subset") {
    check(error_of(four,
                   [](processor& me) {
                     auto half = me.subset(me.rank() < 2 ? std::vector{0, 1} : std::vector{2, 3});
                     half.pipelined([&] {
                       (void)half.exchange(1 - half.rank(), 1);
                       if (me.rank() == 3) throw std::runtime_error("stop");
                     });
                     me.barrier();
                   }),
          "processor_failed", 2, 3);
  }
  SECTION("even if the program catches it outside") {
    auto const seen = error_of(four, [](processor& me) {
      try {
        me.pipelined([&] {
          if (me.rank() == 0) throw std::runtime_error("stop");
        });
      } catch (std::runtime_error const&) {  // too late: the others wait at the end
      }
      me.barrier();
    });
    check(seen, "processor_failed", 1, 0);
    check_says(seen, {"pipelined", "catch it inside"});
  }
  SECTION("but not one that is caught inside") {
    auto const run = four.run([](processor& me) {
      int caught = 0;
      me.pipelined([&] {
        try {
          throw std::runtime_error("handled");
        } catch (std::runtime_error const&) {
          caught = me.exchange(me.rank() ^ 1, 10);
        }
        caught += me.exchange(me.rank() ^ 1, 1);
      });
      return caught;
    });
    CHECK(run.results() == std::vector<int>(4, 11));
    CHECK(run.counts().startups == 1);
  }
  SECTION("an error of the machine stays what it is") {
    check(error_of(four,
                   [](processor& me) {
                     me.pipelined([&] {
                       if (me.rank() == 2) me.send(2, 1);
                     });
                   }),
          "invalid_rank", 1, 2);
  }
}

TEST_CASE("the error of the least step and rank wins", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const eight{crossbar{8}, on(choice)};
  SECTION("the least step") {
    check(error_of(eight,
                   [](processor& me) {
                     me.idle(static_cast<std::uint64_t>(20 - 2 * me.rank()));
                     if (me.rank() == 4) (void)me.receive<int>(4);
                     throw std::runtime_error("stop");
                   }),
          "processor_failed", 7, 7);
  }
  SECTION("the least rank in a step") {
    check(error_of(eight,
                   [](processor& me) {
                     me.idle(5);
                     if (me.rank() == 2) me.send(2, 0);
                     if (me.rank() > 2) throw std::runtime_error("stop");
                     me.barrier();
                   }),
          "invalid_rank", 6, 2);
  }
  SECTION("an error that depends on messages of others") {
    // 1 fails in step 4, late in the chain; 6 fails in step 5 at once.
    check(error_of(eight,
                   [](processor& me) {
                     if (me.rank() == 6) me.idle(4);
                     if (me.rank() == 6) throw std::runtime_error("stop");
                     if (me.rank() == 4) me.send(3, 1);
                     if (me.rank() == 3 || me.rank() == 2)
                       me.send(me.rank() - 1, me.receive_value<int>(me.rank() + 1));
                     if (me.rank() == 1) (void)me.receive<int>(2);
                     if (me.rank() == 1) throw std::runtime_error("stop");
                   }),
          "processor_failed", 4, 1);
  }
  SECTION("a receive fails in the step in which its message comes, at the earliest") {
    check(error_of(eight,
                   [](processor& me) {
                     if (me.rank() == 0) me.idle(2);
                     if (me.rank() == 0) throw std::runtime_error("stop");  // in step 3
                     if (me.rank() == 2) me.idle(10);
                     if (me.rank() == 2) me.send(1, 1.0);
                     if (me.rank() == 1) (void)me.receive<int>(2);
                   }),
          "processor_failed", 3, 0);
  }
  SECTION("barriers that differ beside another error") {
    // 2 waits since step 1, but 1 meets it in step 11 only; a race, if anything is: so, often.
    for (int round = 0; round < 50; ++round)
      for (int const thrower : {0, 3})
        check(error_of(eight,
                       [&](processor& me) {
                         if (me.rank() == thrower) me.idle(2);
                         if (me.rank() == thrower) throw std::runtime_error("stop");  // in step 3
                         if (me.rank() != 1 && me.rank() != 2) return;
                         auto pair = me.subset(std::vector{1, 2});
                         if (me.rank() == 2) return pair.pipelined([] {});
                         pair.idle(10);
                         pair.barrier();
                       }),
              "processor_failed", 3, thrower);
  }
  SECTION("a deadlock that follows from an error is not reported") {
    check(error_of(eight,
                   [](processor& me) {
                     if (me.rank() == 7) me.idle(30);
                     if (me.rank() == 7) throw std::runtime_error("stop");
                     (void)me.receive<int>((me.rank() + 1) % 8);
                   }),
          "processor_failed", 31, 7);
  }
}

TEST_CASE("an error of an early step that shows only late wins all the same",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const ring{torus{{16}}, on(choice, {.strict = true})};
  // 0 writes to 3 in step 1, over the link 1 -> 2 that 1 sends over in step 1; but 3 gives its memory
  // in step `given` only. 2 throws in step 11.
  auto const late_owner = [&](std::uint64_t given) {
    return error_of(ring, [=](processor& me) {
      std::array<int, 1> memory{};
      if (me.rank() == 0) me.write(3, 0, std::array{1}, memory);
      if (me.rank() == 1) me.send(4, 1);
      if (me.rank() == 4) (void)me.receive<int>(1);
      if (me.rank() == 2) me.idle(10);
      if (me.rank() == 2) throw std::runtime_error("stop");
      if (me.rank() != 3) return;
      for (std::uint64_t step = 1; step < given; ++step) me.idle();
      me.serve(memory);
    });
  };
  for (std::uint64_t const given : {1U, 10U, 11U, 12U, 50U}) {
    auto const seen = late_owner(given);
    check(seen, "link_contention", 1, 1);
    check_says(seen, {"0 -> 1 -> 2 -> 3", "1 -> 2 -> 3 -> 4"});
  }
  SECTION("an owner that has failed itself takes no part") {
    check(error_of(ring,
                   [](processor& me) {
                     std::array<int, 1> memory{};
                     if (me.rank() == 0) me.write(3, 0, std::array{1}, memory);
                     if (me.rank() == 3) me.idle(10);
                     if (me.rank() == 3) throw std::runtime_error("stop");
                     if (me.rank() == 5) me.idle(20);
                     if (me.rank() == 5) throw std::runtime_error("stop");
                   }),
          "processor_failed", 11, 3);
  }
  SECTION("of owners that take no part, that of the least step and rank") {
    // Reads are served first.
    check(error_of(ring,
                   [](processor& me) {
                     std::array<int, 1> memory{};
                     if (me.rank() == 0) me.write(1, 0, std::array{1}, memory);
                     if (me.rank() == 2) (void)me.read(1, 0, 1, memory);
                   }),
          "barrier_mismatch", 1, 0);
  }
  SECTION("what goes on for its sake may fail, too") {
    check(error_of(ring,
                   [](processor& me) {
                     std::array<int, 1> memory{};
                     if (me.rank() == 0) me.idle(5);
                     if (me.rank() == 0) me.write(3, 0, std::array{1.0}, memory);
                     if (me.rank() == 2) me.idle(10);
                     if (me.rank() == 2) throw std::runtime_error("stop");
                     if (me.rank() == 3) me.idle(30);
                     if (me.rank() == 3) me.serve(memory);
                     if (me.rank() > 8) me.idle(15);
                     if (me.rank() > 8) throw std::runtime_error("stop");
                   }),
          "processor_failed", 11, 2);
  }
}

TEST_CASE("link contention counts before a deadlock, however often the steps were counted before",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const ring{torus{{8}}, on(choice, {.strict = true})};
  for (int const steps : {0, 1, 10, 100})
    check(error_of(ring,
                   [=](processor& me) {
                     if (me.rank() == 7) (void)me.receive<int>(6);  // which sends nothing
                     if (me.rank() == 5) me.send(6, 1);
                     if (me.rank() == 6) (void)me.receive<int>(5);
                     for (int step = 0; step < steps; ++step) {
                       if (me.rank() == 5) me.send(6, 1);
                       if (me.rank() == 6) (void)me.receive<int>(5);
                     }
                     if (me.rank() < 2) me.idle(2);
                     if (me.rank() < 2) me.send(me.rank() + 3, 1);
                     if (me.rank() == 3 || me.rank() == 4) (void)me.receive<int>(me.rank() - 3);
                   }),
          "link_contention", 3, 1);
}

TEST_CASE("of messages that clash, of one sender and in one step, the same are named",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const ring{torus{{8}}, on(choice, {.ports = lockstep::ports::per_pass, .strict = true})};
  int const line = __LINE__ + 6;
  for (int round = 0; round < 10; ++round) {
    auto const seen = error_of(ring, [](processor& me) {
      auto const send_with = [&](int pass) {
        me.pass(pass);
        if (pass == 1) me.send(2, 1);
        if (pass != 1) me.send(2, 1);
      };
      auto const receive_with = [&](int pass) {
        me.pass(pass);
        (void)me.receive<int>(0);
      };
      // In step 1 with pass 2 and then pass 1: the later is the one of the higher pass.
      if (me.rank() == 0) send_with(2);
      if (me.rank() == 0) send_with(1);
      if (me.rank() == 2) receive_with(1);
      if (me.rank() == 2) receive_with(2);
    });
    check(seen, "link_contention", 1, 0);
    check_line(seen, line);
  }
}

TEST_CASE("words that would pass 64 bits are refused", "[core][errors]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const pair{crossbar{2}, on(choice, {.packet = 0xFFFF'FFFF})};
  auto const most = std::numeric_limits<std::uint64_t>::max() / 4;  // 2^63 / 2 processors
  SECTION("rearranged") {
    auto const run = pair.run([&](processor& me) {
      me.rearrange(most - 1);
      me.rearrange(1);
    });
    CHECK(run.counts().rearranged == most);
    int const line = __LINE__ + 4;
    auto const seen = error_of(pair, [&](processor& me) {
      me.rearrange(most);
      me.idle(4);
      if (me.rank() == 1) me.rearrange(1);
    });
    check(seen, "invalid_argument", 5, 1);
    check_line(seen, line);
    check_says(seen, {"rearranged 1 words more", "4611686018427387903", "64 bits"});
  }
  SECTION("sent") {
    // A message is of nearly 2^52 words, and each of 256 processors may send nearly 2^55 in all.
    machine const many{crossbar{256}, on(choice)};
    std::vector<heavy> const values(1 << 20);
    auto const send = [&](int messages) {
      return [&, messages](processor& me) {
        for (int message = 0; message < messages; ++message) {
          if (me.rank() == 0) me.send(1, values);
          if (me.rank() == 1) (void)me.receive<heavy>(0);
        }
      };
    };
    CHECK(many.run(send(8)).counts().volume == 8 * (std::uint64_t{1} << 20) * 0xFFFF'FFFF);
    auto const seen = error_of(many, send(9));
    check(seen, "invalid_argument", 9, 0);
    check_says(seen, {"64 bits"});
  }
}

TEST_CASE("a program that catches an error still fails the run",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const pair{crossbar{2}, on(choice)};
  auto const seen = error_of(pair, [](processor& me) {
    try {
      if (me.rank() == 0) me.send(0, 1);
    } catch (lockstep::error const&) {  // and goes on as if nothing had happened
    }
    me.send(1 - me.rank(), 5);
    (void)me.receive<int>(1 - me.rank());
  });
  check(seen, "invalid_rank", 1, 0);
}

TEST_CASE("a program's own exceptions that it catches are its own affair",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{2}, on(choice)}.run([](processor& me) {
    try {
      throw std::runtime_error("handled");
    } catch (std::runtime_error const&) {
      return me.exchange(1 - me.rank(), me.rank());
    }
  });
  CHECK(run.results() == std::vector<int>{1, 0});
}

TEST_CASE("a program that swallows everything for a while is unwound",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  std::atomic<int> finished = 0;
  auto const seen = error_of(machine{crossbar{5}, on(choice)}, [&](processor& me) {
    if (me.rank() == 4) throw std::runtime_error("first");
    for (int attempt = 0; attempt < 30; ++attempt) {
      try {
        (void)me.receive<int>((me.rank() + 1) % 5);
      } catch (...) {  // NOLINT(bugprone-empty-catch): this is the misuse
      }
      try {
        me.barrier();
      } catch (...) {  // NOLINT(bugprone-empty-catch)
      }
      try {
        (void)me.exchange((me.rank() + 1) % 5, attempt);
      } catch (...) {  // NOLINT(bugprone-empty-catch)
      }
    }
    ++finished;
  });
  check(seen, "processor_failed", 1, 4);
  CHECK(finished == 4);
}

namespace {

void check_swallowing_for_ever(lockstep::machine_options const& options) {
  machine const five{crossbar{5}, options};
  auto const seen = error_of(five, [&](processor& me) {
    if (me.rank() == 4) throw std::runtime_error("first");
    for (;;) {
      try {
        (void)me.receive<int>((me.rank() + 1) % 5);
      } catch (...) {  // NOLINT(bugprone-empty-catch): this is the misuse
      }
    }
  });
  check(seen, "processor_failed", 1, 4);
  auto const after = five.run([](processor& me) {
    return me.exchange((me.rank() + 1) % 5, me.rank(), (me.rank() + 4) % 5);
  });
  CHECK(after.results() == std::vector<int>{4, 0, 1, 2, 3});
}

}  // namespace

TEST_CASE("a program that swallows everything for ever does not hang", "[core][errors][sanitize]") {
  check_swallowing_for_ever({});
}

TEST_CASE("a program that swallows everything for ever hangs on no engine",
          "[core][errors][threads]") {
  check_swallowing_for_ever(on(GENERATE(from_range(all_engines()))));
}

TEST_CASE("a message that a destructor sends while its processor fails does not arrive",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  struct last_words {
    explicit last_words(processor& me) : m_me(me) {}
    last_words(last_words const&) = delete;
    last_words& operator=(last_words const&) = delete;
    ~last_words() { m_me.send(0, 7); }
    processor& m_me;
  };
  std::atomic<bool> arrived = false;
  auto const seen = error_of(machine{crossbar{2}, on(choice)}, [&](processor& me) {
    if (me.rank() == 1) {
      last_words const spoken(me);
      throw std::runtime_error("stop");
    }
    arrived = me.receive_value<int>(1) == 7;
  });
  check(seen, "processor_failed", 1, 1);
  CHECK_FALSE(arrived);
}

TEST_CASE("every processor is unwound, and its destructors run",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const size = GENERATE(3, 60);
  std::atomic<int> made = 0;
  std::atomic<int> destroyed = 0;
  struct resource {
    resource(std::atomic<int>& up, std::atomic<int>& down) : m_down(down) { ++up; }
    resource(resource const&) = delete;
    resource& operator=(resource const&) = delete;
    ~resource() { ++m_down; }
    std::atomic<int>& m_down;
  };
  auto const seen = error_of(machine{crossbar{size}, on(choice)}, [&](processor& me) {
    resource const outer(made, destroyed);
    auto const inner = std::make_unique<resource>(made, destroyed);
    switch (me.rank() % 3) {
      case 0:
        (void)me.receive<int>((me.rank() + 1) % size);
        break;
      case 1:
        me.barrier();
        break;
      default:
        throw std::runtime_error("stop");
    }
  });
  check(seen, "processor_failed", 1, 2);
  CHECK(made == destroyed);
  CHECK(made >= 2);
}

TEST_CASE("calls while a processor is unwound do nothing", "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  struct talkative {
    explicit talkative(processor& me) : m_me(me) {}
    talkative(talkative const&) = delete;
    talkative& operator=(talkative const&) = delete;
    ~talkative() {
      int const next = (m_me.rank() + 1) % m_me.size();
      m_me.send(next, 1);
      m_me.send(next, std::vector<int>(3));
      m_me.idle(5);
      m_me.barrier();
      m_me.phase("the end");
      m_me.rearrange(1);
      m_me.pipelined([] {});
      m_me.send(m_me.rank(), 1);  // not even an error
      std::array<int, 1> room{};
      m_me.receive_into(next, room);
      (void)m_me.receive<int>(next);
      (void)m_me.receive_value<int>(next);
      (void)m_me.exchange(next, 1);
    }
    processor& m_me;
  };
  auto const seen = error_of(machine{crossbar{4}, on(choice)}, [](processor& me) {
    talkative const until_the_end(me);
    me.idle(2);
    if (me.rank() == 3) throw std::runtime_error("stop");
    (void)me.receive<int>(3);
  });
  check(seen, "processor_failed", 3, 3);
}

TEST_CASE("moved vectors in flight are not lost when a run fails",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));  // for the leak checker
  auto const seen = error_of(machine{crossbar{4}, on(choice)}, [](processor& me) {
    for (int round = 0; round < 20; ++round)
      me.send((me.rank() + 1) % 4, std::vector<int>(1000, round));
    if (me.rank() == 0) throw std::runtime_error("stop");
    me.barrier();
  });
  check(seen, "processor_failed", 20, 0);
}

TEST_CASE("moved vectors in flight are not lost when an observer throws at the end of a run",
          "[core][errors][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));  // for the leak checker
  class refusing : public lockstep::observer {
    void step(lockstep::step_record const& /*seen*/) override {
      throw std::runtime_error("seen enough");
    }
  } watching;
  machine const pair{crossbar{2}, on(choice)};
  CHECK_THROWS_WITH(pair.run(
                        [](processor& me) {
                          if (me.rank() == 0) me.send(1, 5);
                          if (me.rank() == 0) me.send(1, std::vector<int>(1000));
                          if (me.rank() == 1) (void)me.receive<int>(0);
                        },
                        watching),
                    "seen enough");
}

TEST_CASE("out_of_memory is seen before starting", "[core][errors]") {
  auto const engine = GENERATE(lockstep::engine::fibers, lockstep::engine::threads);
  auto const start = std::chrono::steady_clock::now();
  std::atomic<bool> started = false;
  auto const seen =
      error_of(machine{hypercube{30}, {.engine = engine}}, [&](processor&) { started = true; });
  INFO(seen.text);
  CHECK(seen.kind == "out_of_memory");
  CHECK_FALSE(started);
  check_says(seen, {"1073741824"});
  CHECK(
      (seen.text.find("iB") != std::string::npos || seen.text.find("bytes") != std::string::npos));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
}

#ifdef LOCKSTEP_TEST_THREAD_SANITIZER
TEST_CASE("out_of_memory: more processors than ThreadSanitizer follows",
          "[core][errors][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const large{crossbar{8001}, on(choice)};
  auto const seen = error_of(large, [](processor&) {});
  CHECK(seen.kind == "out_of_memory");
  check_says(seen, {"8001", "8000", "ThreadSanitizer"});
}
#endif

#ifndef LOCKSTEP_TEST_SANITIZED

namespace {

/// Calls itself until the stack is used up, with this much of it for each call.
template <std::size_t Bytes>
[[gnu::noinline]] int recurse(int depth) {
  std::array<char volatile, Bytes> frame;
  frame[0] = static_cast<char>(depth);
  frame[Bytes - 1] = 1;
  if (depth == 0) return frame[0];
  auto const below = recurse<Bytes>(depth - 1);
  asm volatile(""
               :
               : "r"(frame.data())
               : "memory");  // the frame is in use until here: no loop will do
  return below + frame[0] + frame[Bytes - 1];
}

/// Takes that much of the stack at once, and writes to its far end first.
template <std::size_t Bytes>
[[gnu::noinline]] int take_at_once(int value) {
  std::array<char volatile, Bytes> frame;
  for (std::size_t at = 0; at < Bytes; at += 512) frame[at] = static_cast<char>(value);
  asm volatile("" : : "r"(frame.data()) : "memory");
  return frame[0] + frame[Bytes / 2];
}

}  // namespace

TEST_CASE("stack_overflow", "[core][errors]") {
  auto const workers = GENERATE(1, 2);
  machine const four{crossbar{4}, {.workers = workers}};
  auto const small_frames = GENERATE(true, false);
  std::atomic<int> kept = 0;
  auto const seen = error_of(four, [&](processor& me) {
    auto const counted = std::shared_ptr<int>(new int, [&](int* one) {
      delete one;
      ++kept;
    });
    (void)me.exchange(me.rank() ^ 1, 1);
    if (me.rank() == 2)
      (void)me.exchange(3, small_frames ? recurse<16>(100'000'000) : recurse<3000>(100'000'000));
    (void)me.exchange(me.rank() ^ 1, 1);
  });
  check(seen, "stack_overflow", 2, 2);
  check_says(seen, {"stack", "65536"});
  CHECK(kept == 3);  // the one processor that overflowed is abandoned
  // The process is as good as new.
  auto const after = four.run([](processor& me) { return me.exchange(me.rank() ^ 1, me.rank()); });
  CHECK(after.results() == std::vector<int>{1, 0, 3, 2});
}

TEST_CASE("stack_overflow by a single frame, larger than the guard below the stack",
          "[core][errors]") {
  auto const choice = GENERATE(from_range(all_engines()));
  bool const threads = choice.engine == lockstep::engine::threads;
  machine const six{crossbar{6}, on(choice)};
  auto const failing = GENERATE(0, 3, 5);
  auto const size = GENERATE(0, 1, 2);
  std::atomic<int> kept = 0;
  std::atomic<bool> survived = false;
  auto const seen = error_of(six, [&](processor& me) {
    auto const counted = std::shared_ptr<int>(new int, [&](int* one) {
      delete one;
      ++kept;
    });
    std::array<int, 200> mine{};
    mine.fill(me.rank());
    me.idle(2);
    (void)me.exchange(me.rank() ^ 1, 1);
    if (me.rank() == failing) {
      int sum = 0;
      if (threads)
        sum = take_at_once<std::size_t{1} << 30U>(1);
      else if (size == 0)
        sum = take_at_once<70'000>(1);  // what it lacks is about the guard
      else if (size == 1)
        sum = take_at_once<3 * 69'632>(1);  // some stacks further down
      else
        sum = take_at_once<std::size_t{16} << 20U>(1);  // beyond all stacks
      survived = true;
      me.idle(static_cast<std::uint64_t>(sum));
    }
    me.barrier();
  });
  check(seen, "stack_overflow", 4, failing);
  CHECK_FALSE(survived);
  CHECK(kept == 5);
  auto const after = six.run([](processor& me) { return me.exchange(me.rank() ^ 1, me.rank()); });
  CHECK(after.results() == std::vector<int>{1, 0, 3, 2, 5, 4});
}

TEST_CASE("stack_overflow while the others wait, in every way", "[core][errors]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const six{crossbar{6}, on(choice)};
  // Again and again: each time the process goes on as if nothing had happened.
  for (int round = 0; round < 3; ++round)
    for (int const failing : {0, 5}) {
      INFO("round " << round << ", processor " << failing);
      std::atomic<int> unwound = 0;
      auto const seen = error_of(six, [&](processor& me) {
        auto const counted = std::shared_ptr<int>(new int, [&](int* one) {
          delete one;
          ++unwound;
        });
        me.idle(3);
        int const next = (me.rank() + 1) % 6;
        std::array<int, 1> const memory{me.rank()};
        if (me.rank() == failing) {
          me.idle();
          me.send(next, 1);  // it runs when the others wait, or while they come to that
          me.idle(static_cast<std::uint64_t>(recurse<200>(1'000'000'000)));
        }
        if (next == failing) (void)me.receive<int>(failing);
        switch (me.rank() % 4) {
          case 0:
            return me.barrier();
          case 1:
            return me.serve(memory);
          case 2:
            return me.pipelined([&] { (void)me.receive<int>(failing); });
          default:
            me.send(failing, std::vector<int>(1000));
            (void)me.receive<int>(failing);
        }
      });
      check(seen, "stack_overflow", 5, failing);
      CHECK(unwound == 5);
      auto const after =
          six.run([](processor& me) { return me.exchange(me.rank() ^ 1, me.rank()); });
      REQUIRE(after.results() == std::vector<int>{1, 0, 3, 2, 5, 4});
      REQUIRE(after.counts().steps == 1);
    }
}

TEST_CASE("stack_overflow of several processors, and in an inner machine", "[core][errors]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const four{crossbar{4}, on(choice)};
  auto const overflow = [](processor& me) {
    me.idle(static_cast<std::uint64_t>(recurse<200>(1'000'000'000)));
  };
  check(error_of(four,
                 [&](processor& me) {
                   me.idle(static_cast<std::uint64_t>(10 - me.rank()));
                   overflow(me);
                 }),
        "stack_overflow", 8, 3);
  std::atomic<int> caught = 0;
  auto const run = four.run([&](processor& me) {
    auto const inner = error_of(machine{crossbar{3}, on(choice)}, [&](processor& mine) {
      if (mine.rank() == 1) overflow(mine);
      mine.barrier();
    });
    if (inner.kind == "stack_overflow" && inner.rank == 1) ++caught;
    return me.exchange(me.rank() ^ 1, me.rank());
  });
  CHECK(caught == 4);
  CHECK(run.results() == std::vector<int>{1, 0, 3, 2});
}

TEST_CASE("stack_overflow in one of many processors", "[core][errors]") {
  int const last = 39'999;
  auto const failing = GENERATE(0, 17'123, 39'999);
  auto const seen = error_of(machine{crossbar{last + 1}}, [&](processor& me) {
    me.idle();
    if (me.rank() == failing) me.idle(static_cast<std::uint64_t>(recurse<200>(100'000'000)));
    if (failing > 0 && me.rank() == 0) (void)me.receive<int>(failing);
  });
  check(seen, "stack_overflow", 2, failing);
}

namespace {

/// Makes a call at each depth, until the stack is used up somewhere in a call.
template <std::size_t Bytes>
void call_ever_deeper(processor& me, bool exchanges, int levels = 100'000'000) {
  std::array<char, Bytes> frame{};
  asm volatile("" : : "r"(frame.data()) : "memory");
  if (exchanges)
    (void)me.exchange(me.rank() ^ 1, 1);
  else
    me.barrier();
  if (levels > 0) call_ever_deeper<Bytes>(me, exchanges, levels - 1);
  asm volatile("" : : "r"(frame.data()) : "memory");
}

/// Runs that on two processors, with frames of `Bytes` bytes.
template <std::size_t Bytes>
void overflow_two(machine const& two) {
  for (bool const exchanges : {false, true}) {
    auto const seen = error_of(two, [&](processor& me) { call_ever_deeper<Bytes>(me, exchanges); });
    CAPTURE(Bytes, exchanges);
    CHECK(seen.kind == "stack_overflow");
  }
}

/// Tries frames of 16 bytes and more, so that the stack ends in another place of the call each time.
template <std::size_t... Sizes>
void overflow_everywhere(machine const& two, std::index_sequence<Sizes...> /*sizes*/) {
  (overflow_two<16 * (Sizes + 1)>(two), ...);
}

}  // namespace

TEST_CASE("stack_overflow within the calls of a machine", "[core][errors]") {
  auto const many = std::make_index_sequence<16>();
  overflow_everywhere(machine{crossbar{2}}, many);
  overflow_everywhere(machine{crossbar{2}, {.stacks = lockstep::stacks::copied}}, many);
  overflow_everywhere(machine{crossbar{2}, {.engine = lockstep::engine::threads}},
                      std::make_index_sequence<4>());
}

TEST_CASE("a larger stack is a machine option", "[core][errors]") {
  auto const deep = [](processor& me) { return me.rank() + recurse<1000>(1000); };
  auto const too_deep = [&](processor& me) {
    [[maybe_unused]] int const volatile kept =
        deep(me);  // or the compiler leaves the recursion out
  };
  check(error_of(machine{crossbar{2}}, too_deep), "stack_overflow", 1, 0);
  machine const roomy{crossbar{2}, {.stack = std::size_t{4} << 20U}};
  CHECK_NOTHROW(roomy.run(deep));
}

#endif
