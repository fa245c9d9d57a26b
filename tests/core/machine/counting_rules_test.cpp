// The counting rules one by one, on every engine; all expected figures are worked out by hand.

#include <array>
#include <cstdlib>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

#include "catch.hpp"
#include "core/usual_names.hpp"

namespace {

using namespace usual_names;
using lockstep::along;

struct complex_number {
  double real;
  double imaginary;
};

std::vector<int> numbers(std::size_t count) { return std::vector<int>(count, 7); }

}  // namespace

template <>
inline constexpr std::uint64_t lockstep::words_of<complex_number> = 2;

TEST_CASE("rule 1: a processor sends and takes in one message in a step", "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const pair{crossbar{2}, on(choice)};
  auto const run = pair.run([](processor& me) {
    for (int round = 0; round < 3; ++round) (void)me.exchange(1 - me.rank(), round);
    return me.now();
  });
  CHECK(run.results() == std::vector<std::uint64_t>{4, 4});
  CHECK(run.counts().steps == 3);
  CHECK(run.counts().messages == 6);
  CHECK(run.counts().barriers == 2);
}

TEST_CASE("rule 1: what came in goes on in the next step", "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const line{crossbar{5}, on(choice)};
  auto const run = line.run([](processor& me) {
    int value = 100;
    if (me.rank() > 0) value = me.receive_value<int>(me.rank() - 1) + 1;
    if (me.rank() < 4) me.send(me.rank() + 1, value);
    return value;
  });
  CHECK(run.results() == std::vector<int>{100, 101, 102, 103, 104});
  CHECK(run.counts().steps == 4);
  CHECK(run.counts().startups == 4);
  CHECK(run.counts().words == 4);
}

TEST_CASE("rule 2: the clock of sends, receives and idle steps", "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const pair{crossbar{2}, on(choice)};
  auto const run = pair.run([](processor& me) {
    std::vector<std::uint64_t> clock{me.now()};
    auto const note = [&] { clock.push_back(me.now()); };
    if (me.rank() == 0) {
      me.send(1, 1), note();  // stamp 1, and now stays
      me.send(1, 2), note();  // stamp 2
      me.idle(3), note();
      me.send(1, 3), note();  // stamp 5
      me.send(1, 4), note();  // stamp 6
    } else {
      me.idle(7), note();
      for (int i = 0; i < 4; ++i) (void)me.receive<int>(0), note();  // all came before step 8
    }
    return clock;
  });
  CHECK(run.results()[0] == std::vector<std::uint64_t>{1, 1, 2, 5, 5, 6});
  CHECK(run.results()[1] == std::vector<std::uint64_t>{1, 8, 8, 8, 8, 8});
  CHECK(run.counts().steps == 6);
  CHECK(run.counts().startups == 4);
  CHECK(run.counts().queued == 0);
  CHECK(run.steps()[3].steps == 0);
}

TEST_CASE("rule 2: an earlier message that is asked for later waits", "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  auto const run = three.run([](processor& me) {
    if (me.rank() == 2) me.idle(4);
    if (me.rank() > 0) return me.send(0, numbers(3)), me.now();
    (void)me.receive<int>(2);  // stamped 5, in step 5
    (void)me.receive<int>(1);  // stamped 1, in step 6
    return me.now();
  });
  CHECK(run.results() == std::vector<std::uint64_t>{7, 1, 5});
  CHECK(run.counts().steps == 6);
  CHECK(run.counts().startups == 2);
  CHECK(run.counts().words == 6);
  CHECK(run.counts().queued == 5);
}

TEST_CASE("rule 2: a machine with buffers counts what a strict one refuses", "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const children = [](processor& me) {
    if (me.rank() > 0) return me.send(0, 1);
    (void)me.receive<int>(1);
    (void)me.receive<int>(2);
  };
  auto const run = machine{crossbar{3}, on(choice)}.run(children);
  CHECK(run.counts().steps == 2);
  CHECK(run.counts().queued == 1);
  machine const strict{crossbar{3}, on(choice, {.strict = true})};
  CHECK_THROWS_AS(strict.run(children), lockstep::port_conflict);
}

TEST_CASE("rule 3: all ports", "[core][rules][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const to_all = [](processor& me) {
    for (int other = 0; other < me.size(); ++other)
      if (other != me.rank()) me.send(other, me.rank());
    for (int other = 0; other < me.size(); ++other)
      if (other != me.rank()) (void)me.receive<int>(other);
  };
  SECTION("a crossbar has a port for each of its p(p-1) links") {
    auto const run = machine{crossbar{6}, on(choice, {.ports = lockstep::ports::all})}.run(to_all);
    CHECK(run.counts().steps == 1);
    CHECK(run.counts().messages == 30);
    CHECK(run.counts().contention == 1);
  }
  SECTION("with one port the same takes a step for each partner") {
    // Processor r's sends to lower ranks leave in steps 1 .. r, to higher ones in r+1 .. 5: the one
    // to s in step s if r > s - 1, so in step s for s > r and s + 1 for s < r. Processor 0 takes in
    // all in step 1 .. 5; processor 5 needs the one that each sends in its step 5, one after
    // another.
    auto const run = machine{crossbar{6}, on(choice)}.run(to_all);
    CHECK(run.counts().messages == 30);
    CHECK(run.counts().steps == 9);
    CHECK(run.counts().queued == 4);
  }
  SECTION("the port is the first link of the route") {
    auto const run =
        machine{torus{{5}}, on(choice, {.ports = lockstep::ports::all})}.run([](processor& me) {
          if (me.rank() == 0) {
            me.send(1, 1);  // link 0 -> 1 in step 1
            me.send(2, 2);  // link 0 -> 1 again: step 2
            me.send(4, 3);  // link 0 -> 4 in now = 2
          }
          if (me.rank() == 1 || me.rank() == 2 || me.rank() == 4) (void)me.receive<int>(0);
          return me.now();
        });
    CHECK(run.results() == std::vector<std::uint64_t>{2, 2, 3, 1, 3});
    CHECK(run.counts().steps == 2);
    CHECK(run.counts().hops == 1 + 2);
  }
  SECTION("the in-port is the last link of the route") {
    // 0 -> 2 and 1 -> 2 both end with the link 1 -> 2.
    auto const run =
        machine{torus{{6}}, on(choice, {.ports = lockstep::ports::all})}.run([](processor& me) {
          if (me.rank() == 0 || me.rank() == 1 || me.rank() == 3) me.send(2, 1);
          if (me.rank() != 2) return;
          for (int const from : {0, 1, 3}) (void)me.receive<int>(from);
        });
    CHECK(run.counts().steps == 2);
    CHECK(run.steps()[0].messages == 2);  // from 0, and from 3 by another link
    CHECK(run.counts().queued == 1);
  }
}

TEST_CASE("rule 3: ports and channels for each pass", "[core][rules][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const pair{crossbar{2}, on(choice, {.ports = lockstep::ports::per_pass})};
  auto const run = pair.run([](processor& me) {
    std::vector<int> seen;
    if (me.rank() == 0) {
      me.send(1, 10);
      me.pass(1);
      me.send(1, 11);
      me.send(1, 12);  // out-port of pass 1 again: step 2
    } else {
      me.pass(1);
      seen.push_back(me.receive_value<int>(0));
      seen.push_back(me.receive_value<int>(0));
      me.pass(0);
      seen.push_back(me.receive_value<int>(0));
    }
    return seen;
  });
  CHECK(run.results()[1] == std::vector<int>{11, 12, 10});
  CHECK(run.counts().steps == 2);
  CHECK(run.counts().queued == 0);
  CHECK(run.counts().contention == 2);  // both passes on the link 0 -> 1 in step 1
  CHECK(run.counts().serialised_steps == 3);
}

TEST_CASE("rule 4: routes on a torus", "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  SECTION("the shorter way round") {
    auto const run = machine{torus{{5}}, on(choice)}.run([](processor& me) {
      if (me.rank() == 0) me.send(3, 1);
      if (me.rank() == 3) (void)me.receive<int>(0);
    });
    CHECK(run.counts().hops == 2);
  }
  SECTION("ties in the + direction, seen in the link loads of one step") {
    // 1 -> 2 shares a link with 0 -> 2 only if that goes in the + direction.
    auto const load = [&](lockstep::destination to) {
      machine const ring{torus{{4}}, on(choice, {.ports = lockstep::ports::per_pass})};
      return ring
          .run([&](processor& me) {
            me.pass(me.rank() == 1 ? 1 : 0);
            if (me.rank() == 0) me.send(to, 1);
            if (me.rank() == 1) me.send(2, 1);
            if (me.rank() != 2) return;
            (void)me.receive<int>(0);
            me.pass(1);
            (void)me.receive<int>(1);
          })
          .counts();
    };
    CHECK(load(2).contention == 2);
    CHECK(load(2).steps == 1);
    CHECK(load(2).serialised_steps == 2);
    CHECK(load(along{0, 2}).contention == 2);
    CHECK(load(along{0, -2}).contention == 1);
    CHECK(load(along{0, -2}).hops == 2);
  }
  SECTION("along overrides the shorter way") {
    auto const run = machine{torus{{5}}, on(choice)}.run([](processor& me) {
      if (me.rank() == 0) me.send(along{0, 4}, 1);
      if (me.rank() == 4) (void)me.receive<int>(0);
    });
    CHECK(run.counts().hops == 4);
  }
  SECTION("along a ring more than once, each link is loaded once") {
    // 0, 1, 2, 3, 0, 1, 2: six hops over the four links of that direction.
    auto const ports = GENERATE(lockstep::ports::one, lockstep::ports::all);
    auto const way = GENERATE(6, -6, 10);
    bool const strict = GENERATE(false, true);
    machine const ring{torus{{4}}, on(choice, {.ports = ports, .strict = strict})};
    auto const run = ring.run([&](processor& me) {
      if (me.rank() == 0) me.send(along{0, way}, numbers(5));
      return me.rank() == 2 ? me.receive<int>(0).size() : 0;
    });
    CHECK(run.results() == std::vector<std::size_t>{0, 0, 5, 0});
    CHECK(run.counts().hops == static_cast<std::uint64_t>(std::abs(way)));
    CHECK(run.counts().contention == 1);
    CHECK(run.counts().serialised_steps == 1);
    CHECK(run.counts().steps == 1);
    CHECK(run.counts().volume == 5);
  }
  SECTION("along a ring more than once, every link of that direction is loaded") {
    int const beside = GENERATE(0, 1, 2, 3);
    bool const same_direction = GENERATE(true, false);
    machine const ring{torus{{4}}, on(choice, {.ports = lockstep::ports::per_pass})};
    auto const run = ring.run([&](processor& me) {
      int const next = (beside + (same_direction ? 1 : 3)) % 4;
      me.pass(1);
      if (me.rank() == beside) me.send(next, 1);
      me.pass(0);
      if (me.rank() == 0) me.send(along{0, 6}, 1);
      if (me.rank() == 2) (void)me.receive<int>(0);
      me.pass(1);
      if (me.rank() == next) (void)me.receive<int>(beside);
    });
    CHECK(run.counts().contention == (same_direction ? 2 : 1));
    CHECK(run.counts().hops == 6);
    CHECK(run.counts().steps == 1);
  }
  SECTION("lowest dimension first") {
    // (0,0) -> (1,1) goes by (1,0); (1,0) -> (1,2) also takes the link (1,0) -> (1,1) of a 4x4
    // torus.
    torus const network{{4, 4}};
    auto const at = [&](int x, int y) { return network.rank_at(std::vector<int>{x, y}); };
    auto const run = machine{network, on(choice)}.run([&](processor& me) {
      if (me.rank() == at(0, 0)) me.send(at(1, 1), 1);
      if (me.rank() == at(1, 0)) me.send(at(1, 2), 1);
      if (me.rank() == at(1, 1)) (void)me.receive<int>(at(0, 0));
      if (me.rank() == at(1, 2)) (void)me.receive<int>(at(1, 0));
    });
    CHECK(run.counts().contention == 2);
    CHECK(run.counts().hops == 2);
  }
  SECTION("a torus of size 2 has one link each way") {
    auto const run =
        machine{torus{{2}}, on(choice, {.ports = lockstep::ports::all})}.run([](processor& me) {
          if (me.rank() == 0) {
            me.send(along{0, 1}, 1);
            me.send(along{0, -1}, 2);
            return std::vector<int>{};
          }
          int const first = me.receive_value<int>(0);
          return std::vector<int>{first, me.receive_value<int>(0)};
        });
    CHECK(run.counts().steps == 2);
    CHECK(run.results()[1] == std::vector<int>{1, 2});
  }
}

TEST_CASE("rule 4: link loads of a run whose first steps are summed up before its last are made",
          "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  // Processors 0 to 63 shift to their neighbours all the time, the others swap with the two in
  // turn: enough messages to sum up the first steps before the last are sent.
  bool const threads = choice.engine == lockstep::engine::threads;
  int const processors = threads ? 256 : 4096;
  constexpr int shifting = 64;
  constexpr int rounds = 40;
  constexpr int crossing_round = 20;  // in step 21
  auto const run = machine{torus{{processors}}, on(choice)}.run([&](processor& me) {
    int const rank = me.rank();
    for (int round = 0; round < rounds; ++round) {
      int const partner = (rank + round) % 2 == 0 ? rank + 1 : rank - 1;
      if (rank < shifting) {
        if (rank + 1 < shifting) me.send(rank + 1, round);
        if (rank > 0) (void)me.receive<int>(rank - 1);
      } else if (round == crossing_round && rank >= 100 && rank < 104) {
        if (rank < 102) me.send(rank + 2, round);  // both cross 101 -> 102
        if (rank >= 102) (void)me.receive<int>(rank - 2);
      } else if (partner < shifting || partner >= me.size()) {
        me.idle();
      } else {
        (void)me.exchange(partner, round);
      }
    }
    if (rank < shifting - 3) me.send(rank + 3, rounds);  // in step 41
    if (rank >= 3 && rank < shifting) (void)me.receive<int>(rank - 3);
  });
  REQUIRE(run.steps().size() == rounds + 1);
  for (auto const& step : run.steps()) {
    INFO("step " << step.step);
    CHECK(step.contention == (step.step == 21 ? 2 : step.step == 41 ? 3 : 1));
  }
  CHECK(run.counts().serialised_steps == 39 + 2 + 3);
}

TEST_CASE(
    "rule 4: a message that is asked for late loads the links of the step in which it came in",
    "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  // In step 1 two messages cross 7 -> 6. One of them waits until its receiver, long past that step,
  // asks for it; meanwhile two pairs talk until the first steps are summed up.
  auto const talk = [](processor& me, int with) {
    me.idle(10);
    for (int round = 0; round < 400; ++round) (void)me.exchange(with, round);
  };
  auto const run = machine{torus{{9}}, on(choice)}.run([&](processor& me) {
    switch (me.rank()) {
      case 3:
        me.idle(5000);
        (void)me.receive<char>(7);
        break;
      case 4:
        talk(me, 5);
        break;
      case 5:
        talk(me, 4);
        break;
      case 6:
        me.send(8, me.receive_value<char>(8));
        break;
      case 7:
        me.send(3, 'a');
        talk(me, 8);
        break;
      case 8:
        me.send(6, 'b');
        (void)me.receive<char>(6);
        talk(me, 7);
        break;
      default:
        break;
    }
  });
  CHECK(run.steps().front().contention == 2);
  CHECK(run.counts().steps == 412);
}

TEST_CASE("rule 4: switching can be chosen", "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const across = [](processor& me) {
    if (me.rank() == 0) me.send(7, 1);
    if (me.rank() == 7) (void)me.receive<int>(0);
  };
  CHECK_THROWS_AS((machine{hypercube{3}, on(choice)}.run(across)), lockstep::not_adjacent);
  auto const run =
      machine{hypercube{3}, on(choice, {.switching = lockstep::switching::cut_through})}.run(
          across);
  CHECK(run.counts().hops == 3);
  CHECK_THROWS_AS(
      (machine{torus{{9}}, on(choice, {.switching = lockstep::switching::neighbour})}.run(across)),
      lockstep::not_adjacent);
}

TEST_CASE("rule 5: pipelined rounds of the whole machine", "[core][rules][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const pair{crossbar{2}, on(choice)};
  auto const run = pair.run([](processor& me) {
    int const other = 1 - me.rank();
    (void)me.exchange(other, numbers(4));  // step 1: a start-up, 4 words
    me.pipelined([&] {
      if (me.rank() == 1) return;  // fewer rounds: waits at the end
      me.send(other, numbers(2));  // step 2
      me.send(other, numbers(3));  // step 3
    });
    auto const after = me.now();  // step 4
    if (me.rank() == 0) me.send(other, numbers(1));
    if (me.rank() == 0) return after;
    for (int i = 0; i < 3; ++i) (void)me.receive<int>(other);
    return after;
  });
  CHECK(run.results() == std::vector<std::uint64_t>{4, 4});
  CHECK(run.counts().steps == 4);
  CHECK(run.counts().startups == 3);
  CHECK(run.counts().words == 4 + 5 + 1);
  CHECK(run.counts().volume == 8 + 5 + 1);
  CHECK(run.steps()[1].startups == 1);
  CHECK(run.steps()[1].words == 5);
  CHECK(run.steps()[2].startups == 0);
  CHECK(run.steps()[2].words == 0);
  CHECK(run.steps()[2].volume == 3);
}

TEST_CASE("rule 5: the start-up stands in the run's first step with a message", "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const pair{crossbar{2}, on(choice)};
  auto const run = pair.run([](processor& me) {
    me.pipelined([&] {
      me.send(1 - me.rank(), std::vector<int>{});
      (void)me.receive<int>(1 - me.rank());
      me.idle(2);
      (void)me.exchange(1 - me.rank(), 5);
    });
    me.pipelined([&] { me.idle(3); });  // no message, no start-up
  });
  CHECK(run.counts().steps == 4);
  CHECK(run.counts().rounds == 4);
  CHECK(run.counts().startups == 1);
  CHECK(run.counts().words == 1);
  CHECK(run.steps()[0].startups == 0);
  CHECK(run.steps()[3].startups == 1);
}

namespace {

/// Keeps what it is told of the steps.
struct step_watcher : lockstep::observer {
  std::vector<lockstep::step_record> told;
  void message(lockstep::message_record const& /*seen*/) override {}
  void step(lockstep::step_record const& seen) override { told.push_back(seen); }
};

}  // namespace

TEST_CASE("rule 5: observers are told of a run when all that it pays is known", "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  // So many messages that the first steps are summed up in mid-run.
  int const rounds = choice.engine == lockstep::engine::threads ? 1000 : 40'000;
  step_watcher watching;
  SECTION("where one of its messages is asked for after its end") {
    auto const run = machine{crossbar{4}, on(choice)}.run(
        [&](processor& me) {
          me.pipelined([&] {
            if (me.rank() == 0) {
              me.send(1, 1);
              me.send(1, std::vector<int>(50));
            }
            if (me.rank() == 1) (void)me.receive_value<int>(0);
          });
          if (me.rank() >= 2)
            for (int round = 0; round < rounds; ++round) (void)me.exchange(5 - me.rank(), round);
          constexpr std::array late{1, 3};
          if (me.rank() % 2 == 1) me.subset(late).barrier();
          if (me.rank() == 1) (void)me.receive<int>(0);
        },
        watching);
    bool const told_alike = watching.told == run.steps();  // too many to print
    CHECK(told_alike);
    CHECK(run.steps().front().words == 51);
  }
  SECTION("where another overlaps with it and ends later") {
    auto const run = machine{crossbar{4}, on(choice)}.run(
        [&](processor& me) {
          std::array const pair{me.rank() / 2 * 2, me.rank() / 2 * 2 + 1};
          int const other = me.rank() ^ 1;
          auto both = me.subset(pair);
          bool const first = me.rank() < 2;
          if (!first) me.idle(3);
          both.pipelined([&] {
            for (int round = 0; round < (first ? 5 : rounds); ++round) {
              if (round == 10) both.barrier();
              (void)me.exchange(other, round);
            }
          });
        },
        watching);
    bool const told_alike = watching.told == run.steps();  // too many to print
    CHECK(told_alike);
  }
}

TEST_CASE("rule 5: runs of disjoint subsets", "[core][rules][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const four{crossbar{4}, on(choice)};
  // The pair {0, 1}: two rounds of one word; the pair {2, 3}: three rounds of two words, later.
  auto const pairs = [&](std::uint64_t later) {
    return four
        .run([&](processor& me) {
          bool const low = me.rank() < 2;
          auto const members = low ? std::vector{0, 1} : std::vector{2, 3};
          auto half = me.subset(members);
          if (!low) half.idle(later);
          half.pipelined([&] {
            for (int round = 0; round < (low ? 2 : 3); ++round)
              (void)half.exchange(1 - half.rank(), numbers(low ? 1 : 2));
          });
        })
        .counts();
  };
  SECTION("that overlap in time count as one") {
    CHECK(pairs(0).startups == 1);
    CHECK(pairs(0).words == 6);
    CHECK(pairs(0).steps == 3);
    CHECK(pairs(1).startups == 1);  // [1, 3) and [2, 5)
    CHECK(pairs(1).words == 6);
    CHECK(pairs(1).steps == 4);
  }
  SECTION("that do not overlap count apart") {
    CHECK(pairs(2).startups == 2);  // [1, 3) and [3, 6)
    CHECK(pairs(2).words == 2 + 6);
    CHECK(pairs(2).steps == 5);
  }
  SECTION("a sender's words count together, whichever of these runs they go into") {
    // 0 sends 5 words to 1 in its own run and 5 to 2 in the other.
    auto const run = four.run([&](processor& me) {
      auto half = me.subset(me.rank() < 2 ? std::vector{0, 1} : std::vector{2, 3});
      half.pipelined([&] {
        if (me.rank() == 0) me.send(1, numbers(5));
        if (me.rank() == 0) me.send(2, numbers(5));
        if (me.rank() == 1 || me.rank() == 2) (void)me.receive<int>(0);
        half.idle(2);
      });
    });
    CHECK(run.counts().startups == 1);
    CHECK(run.counts().words == 10);
    CHECK(run.counts().volume == 10);
  }
  SECTION("so do those of a sender that is in none of them") {
    machine const five{crossbar{5}, on(choice)};
    auto const run = five.run([&](processor& me) {
      if (me.rank() == 4) {
        me.send(1, numbers(5));
        me.send(2, numbers(5));
        return;
      }
      auto half = me.subset(me.rank() < 2 ? std::vector{0, 1} : std::vector{2, 3});
      half.pipelined([&] {
        if (me.rank() == 1 || me.rank() == 2) (void)me.receive<int>(4);
        half.idle(2);
      });
    });
    CHECK(run.counts().startups == 1);
    CHECK(run.counts().words == 10);
  }
  SECTION("messages of others in the same steps count as outside") {
    auto const run = four.run([](processor& me) {
      if (me.rank() < 2) {
        auto half = me.subset(std::vector{0, 1});
        half.pipelined([&] {
          for (int round = 0; round < 3; ++round) (void)half.exchange(1 - half.rank(), 1);
        });
      } else {
        for (int round = 0; round < 2; ++round) (void)me.exchange(5 - me.rank(), numbers(10));
      }
    });
    CHECK(run.counts().steps == 3);
    CHECK(run.counts().startups == 1 + 2);
    CHECK(run.counts().words == 3 + 20);
  }
}

TEST_CASE("rule 6: words and packets", "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const program = [](processor& me) {
    me.phase("both");
    (void)me.exchange(1 - me.rank(), std::vector<complex_number>(5));  // 10 words
    (void)me.exchange(1 - me.rank(), 'c');                             // 1 word
  };
  auto const whole = machine{crossbar{2}, on(choice)}.run(program);
  CHECK(whole.counts().words == 11);
  CHECK(whole.counts().volume == 22);
  CHECK(whole.phases()[0].port_words == 11);
  CHECK(whole.processors()[0].words_sent == 11);
  auto const packed = machine{crossbar{2}, on(choice, {.packet = 4})}.run(program);
  CHECK(packed.counts().words == 12 + 4);
  CHECK(packed.counts().volume == 32);
  CHECK(packed.phases()[0].port_words == 16);
  CHECK(packed.steps()[0].largest == 12);
}

TEST_CASE("rule 7: empty messages", "[core][rules][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  SECTION("count in no figure but rounds and queued") {
    machine const three{torus{{6}}, on(choice, {.packet = 4})};
    auto const run = three.run([](processor& me) {
      if (me.rank() == 1) me.send(2, numbers(1));
      if (me.rank() == 0 || me.rank() == 4) me.send(2, numbers(0));
      if (me.rank() == 2)
        for (int const from : {1, 0, 4}) (void)me.receive<int>(from);
      return me.now();
    });
    CHECK(run.results()[2] == 4);  // they take the in-port
    lockstep::counts expected;
    expected.steps = 1;
    expected.rounds = 3;
    expected.startups = 1;
    expected.words = 4;
    expected.volume = 4;
    expected.messages = 1;
    expected.hops = 1;
    expected.contention = 1;
    expected.serialised_steps = 1;
    expected.queued = 2;
    expected.link_words = 4;
    CHECK(run.counts() == expected);
    CHECK(run.steps().size() == 3);
    CHECK(run.steps()[2].steps == 0);
    CHECK(run.steps()[2].rounds == 1);
  }
  SECTION("obey strict") {
    machine const strict{crossbar{3}, on(choice, {.strict = true})};
    CHECK_THROWS_AS(strict.run([](processor& me) {
      if (me.rank() > 0) return me.send(0, numbers(0));
      for (int const from : {1, 2}) (void)me.receive<int>(from);
    }),
                    lockstep::port_conflict);
    machine const ring{torus{{6}}, on(choice, {.strict = true})};
    CHECK_THROWS_AS(ring.run([](processor& me) {
      if (me.rank() < 2) me.send(me.rank() + 2, numbers(0));
      if (me.rank() == 2 || me.rank() == 3) (void)me.receive<int>(me.rank() - 2);
    }),
                    lockstep::link_contention);
  }
  SECTION("alone make no step") {
    auto const run = machine{crossbar{2}, on(choice)}.run(
        [](processor& me) { (void)me.exchange(1 - me.rank(), std::vector<double>{}); });
    CHECK(run.counts().steps == 0);
    CHECK(run.counts().rounds == 1);
    CHECK(run.counts().barriers == 0);
    CHECK(run.counts().startups == 0);
    CHECK(run.counts().contention == 0);
  }
}

TEST_CASE("rule 8: barriers", "[core][rules][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const three{crossbar{3}, on(choice)};
  SECTION("everybody goes on in the latest step") {
    auto const run = three.run([](processor& me) {
      me.idle(static_cast<std::uint64_t>(me.rank()) * 2);
      me.barrier();
      return me.now();
    });
    CHECK(run.results() == std::vector<std::uint64_t>{5, 5, 5});
    CHECK(run.counts() == lockstep::counts{});
  }
  SECTION("a step with a used out-port is over") {
    auto const run = three.run([](processor& me) {
      if (me.rank() == 0) me.send(1, 1);
      me.barrier();
      auto const after = me.now();
      if (me.rank() == 1) (void)me.receive<int>(0);  // arrived in step 1
      me.barrier();
      return std::vector{after, me.now()};
    });
    for (auto const& one : run.results()) CHECK(one == std::vector<std::uint64_t>{2, 2});
    CHECK(run.counts().steps == 1);
  }
  SECTION("an earlier used out-port does not matter") {
    auto const run = three.run([](processor& me) {
      if (me.rank() == 0) me.send(1, 1);
      if (me.rank() == 1) (void)me.receive<int>(0);
      me.idle();
      me.barrier();
      return me.now();
    });
    CHECK(run.results() == std::vector<std::uint64_t>{3, 3, 3});
  }
}

TEST_CASE("rule 9: phases", "[core][rules][sanitize][threads]") {
  auto const choice = GENERATE(from_range(all_engines()));
  machine const pair{crossbar{2}, on(choice)};
  auto const run = pair.run([](processor& me) {
    int const other = 1 - me.rank();
    (void)me.exchange(other, numbers(9));  // step 1, before any phase
    me.phase("ring");                      // from step 2
    me.idle();
    (void)me.exchange(other, numbers(2));  // step 3
    me.rearrange(static_cast<std::uint64_t>(10 + me.rank()));
    me.idle(4);        // trailing idles belong to no phase
    me.phase("swap");  // from step 8
    if (me.rank() == 0) me.send(other, numbers(5));
    if (me.rank() == 1) (void)me.receive<int>(other);
    me.phase("ring");  // from step 9, with nothing
    if (me.rank() == 0) me.rearrange(3);
    if (me.rank() == 0) me.rearrange(4);
  });
  auto const& phases = run.phases();
  REQUIRE(phases.size() == 3);
  CHECK(phases[0].name == "ring");
  CHECK(phases[0].first_step == 2);
  CHECK(phases[0].steps == 2);
  CHECK(phases[0].startups == 1);
  CHECK(phases[0].words == 2);
  CHECK(phases[0].volume == 4);
  CHECK(phases[0].messages == 2);
  CHECK(phases[0].hops == 1);
  CHECK(phases[0].barriers == 1);
  CHECK(phases[0].port_words == 2);
  CHECK(phases[0].rearrangements == 1);
  CHECK(phases[0].rearranged == 11);
  CHECK(phases[1].name == "swap");
  CHECK(phases[1].first_step == 8);
  CHECK(phases[1].steps == 1);
  CHECK(phases[1].port_words == 5);
  CHECK(phases[2].name == "ring");
  CHECK(phases[2].first_step == 9);
  CHECK(phases[2].steps == 0);
  CHECK(phases[2].messages == 0);
  CHECK(phases[2].rearrangements == 2);
  CHECK(phases[2].rearranged == 7);
  CHECK(run.counts().steps == 8);
  CHECK(run.counts().rearrangements == 3);
  CHECK(run.counts().rearranged == 11 + 3 + 4);
  CHECK(run.steps()[0].phase == lockstep::no_phase);
  CHECK(run.steps()[2].phase == 0);
  CHECK(run.steps()[7].phase == 1);
}

TEST_CASE("rule 9: a message belongs to the phase of the step in which it came in",
          "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{3}, on(choice)}.run([](processor& me) {
    me.phase("early");
    if (me.rank() > 0) me.send(0, numbers(6));
    me.phase("late");  // from step 2
    if (me.rank() > 0) return;
    (void)me.receive<int>(1);  // step 1: early
    (void)me.receive<int>(2);  // step 2: late
  });
  CHECK(run.phases()[0].messages == 1);
  CHECK(run.phases()[0].volume == 6);
  CHECK(run.phases()[1].messages == 1);
  CHECK(run.phases()[1].steps == 1);
  CHECK(run.phases()[1].queued == 1);
  CHECK(run.counts().volume == 12);
}

TEST_CASE("rearrangements: the r-th call of every processor is rearrangement r", "[core][rules]") {
  auto const choice = GENERATE(from_range(all_engines()));
  auto const run = machine{crossbar{3}, on(choice)}.run([](processor& me) {
    for (int call = 0; call <= me.rank(); ++call)
      me.rearrange(static_cast<std::uint64_t>(10 * (3 - me.rank()) + call));
  });
  // Processor 0: 30; 1: 20, 21; 2: 10, 11, 12. Largest: 30, 21, 12.
  CHECK(run.counts().rearrangements == 3);
  CHECK(run.counts().rearranged == 63);
  CHECK(run.counts().steps == 0);
}

TEST_CASE("rule 6: a machine that counts bytes counts a message by its size", "[core][rules]") {
  struct wide {
    std::array<double, 3> x;
  };
  auto const words_of = [](auto const& values, lockstep::machine_options options) {
    options.count = lockstep::words::bytes;
    auto const counts =
        lockstep::machine{lockstep::crossbar{2}, options}
            .run([&](lockstep::processor& me) {
              if (me.rank() == 0) me.send(1, values);
              if (me.rank() == 1)
                static_cast<void>(me.receive<std::ranges::range_value_t<decltype(values)>>(0));
            })
            .counts();
    CHECK(counts.volume == counts.words);
    return counts.words;
  };
  CHECK(words_of(std::vector<double>(5), {}) == 5);
  CHECK(words_of(std::vector<int>(5), {}) == 3);  // 20 bytes
  CHECK(words_of(std::string(16, 'a'), {}) == 2);
  CHECK(words_of(std::string(17, 'a'), {}) == 3);
  CHECK(words_of(std::vector<int>{}, {}) == 0);
  CHECK(words_of(std::vector<wide>(2), {}) == 6);
  CHECK(words_of(std::vector<complex_number>(2), {}) == sizeof(complex_number) * 2 / 8);
  CHECK(words_of(std::vector<std::pair<int, double>>(3), {}) == 6);
  CHECK(words_of(std::vector<int>(5), {.packet = 2}) == 4);
  CHECK(words_of(std::vector<int>(5), {.strict = true}) == 3);
  CHECK(words_of(std::vector<int>(5), {.engine = lockstep::engine::threads}) == 3);
}

TEST_CASE("rule 6: elements are counted unless a machine says otherwise", "[core][rules]") {
  lockstep::machine const machine{lockstep::crossbar{2}};
  CHECK(machine.options().count == lockstep::words::elements);
  auto const swap = [](lockstep::processor& me) {
    static_cast<void>(me.exchange(1 - me.rank(), std::string(17, 'a')));
  };
  CHECK(machine.run(swap).counts().words == 17);
  lockstep::machine const bytes{lockstep::crossbar{2}, {.count = lockstep::words::bytes}};
  CHECK(bytes.run(swap).counts().words == 3);
  CHECK(bytes.run([](lockstep::processor& me) { static_cast<void>(me.exchange(1 - me.rank(), 7)); })
            .counts()
            .words == 1);
}
