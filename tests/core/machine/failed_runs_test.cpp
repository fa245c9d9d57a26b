// What observers are told of a run that fails does not depend on the engine, nor on which processor
// happened to come how far.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/observer.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "catch.hpp"
#include "core/call_log.hpp"
#include "core/machines.hpp"

using lockstep::processor;

namespace {

/// A program of random rounds, in one of which one processor makes a mistake. Processors idle apart,
/// so that some are far beyond the step of the error.
struct mistaken_program {
  unsigned seed;

  void operator()(processor& me) const {
    std::mt19937 random(seed);  // the same on each processor
    auto const below = [&](int bound) { return static_cast<int>(random() % unsigned(bound)); };
    int const p = me.size();
    int const rounds = 4 + below(10);
    int const wrong_round = below(rounds);
    int const wrong_rank = below(p);
    int const mistake = below(4);
    std::vector<int> memory(6, me.rank());
    auto const permute = [&] {
      int const shift = 1 + below(p - 1);
      auto const words = static_cast<std::size_t>((below(5) + me.rank()) % 5);
      me.send((me.rank() + shift) % p, std::vector<int>(words));
      me.show("sent", me.rank());
      (void)me.receive<int>((me.rank() - shift + p) % p);
    };
    for (int round = 0; round < rounds; ++round) {
      if (round == wrong_round && me.rank() == wrong_rank) {
        if (mistake == 0) throw std::runtime_error("a mistake");
        if (mistake == 1) me.send(p, 1);
        if (mistake == 2) (void)me.receive<int>((me.rank() + 1) % p);
        if (mistake == 3) me.idle(20);
      }
      switch (below(7)) {
        case 0:
          me.idle(static_cast<std::uint64_t>(1 + me.rank() * below(4)));
          break;
        case 1:
          me.barrier();
          break;
        case 2: {
          int const times = 1 + below(3);
          me.pipelined([&] {
            for (int time = 0; time < times; ++time) permute();
          });
          break;
        }
        case 3:
          if (int const owner = below(p); me.rank() == owner)
            me.serve(memory);
          else
            (void)me.read(owner, 0, static_cast<std::size_t>(1 + below(3)), memory);
          break;
        default:
          permute();
      }
      me.show("round", round);
    }
  }
};

std::string told(reference::call_log const& log) {
  std::ostringstream text;
  for (auto const& one : log.messages)
    text << one.step << ' ' << one.sent << ' ' << one.from << '>' << one.to << ' ' << one.words
         << '\n';
  for (auto const& one : log.steps)
    text << "step " << one.step << ' ' << one.steps << one.rounds << one.startups << ' '
         << one.words << ' ' << one.volume << ' ' << one.messages << ' ' << one.hops << ' '
         << one.contention << ' ' << one.queued << '\n';
  for (auto const& one : log.calls)
    text << "call " << one.rank << ' ' << static_cast<int>(one.kind) << ' ' << one.begin << ' '
         << one.end << ' ' << one.other << '\n';
  for (auto const& one : log.shows) text << "shown " << one.rank << ' ' << one.step << '\n';
  return text.str();
}

/// What the told messages of each step add up to.
std::map<std::uint64_t, std::uint64_t> volumes_of(reference::call_log const& log) {
  std::map<std::uint64_t, std::uint64_t> volumes;
  for (auto const& one : log.messages)
    if (one.words > 0) volumes[one.step] += one.words;
  return volumes;
}

}  // namespace

TEST_CASE("observers of a run that fails are told the same on each engine", "[threads]") {
  int failures = 0;
  for (unsigned seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    lockstep::machine_options options;
    if (seed % 4 == 0) options.ports = lockstep::ports::all;
    if (seed % 5 == 0) options.packet = 3;
    std::string first;
    for (auto const& engine : reference::all_engines()) {
      CAPTURE(engine);
      reference::call_log log;
      lockstep::machine const six{lockstep::crossbar{6}, reference::on(engine, options)};
      try {
        (void)six.run(mistaken_program{seed}, log);
      } catch (lockstep::error const&) {
        ++failures;
      }
      std::map<std::uint64_t, std::uint64_t> volumes;
      for (auto const& one : log.steps)
        if (one.volume > 0) volumes[one.step] = one.volume;
      CHECK(volumes == volumes_of(log));
      if (first.empty()) first = told(log);
      CHECK(told(log) == first);
    }
  }
  CHECK(failures > 300);
}

TEST_CASE("after an error steps count the messages that are told, with many processors as with few",
          "[threads]") {
  std::string first;
  for (auto const& engine : reference::all_engines()) {
    if (engine.engine == lockstep::engine::threads) continue;
    CAPTURE(engine);
    reference::call_log log;
    int const p = 4096;
    lockstep::machine const many{lockstep::crossbar{p}, reference::on(engine)};
    CHECK_THROWS_AS(many.run(
                        [](processor& me) {
                          for (int round = 0; round < 4; ++round) {
                            me.send((me.rank() + 1000) % p, round);
                            if (round == 2 && me.rank() == 2000) throw std::runtime_error("x");
                            me.idle(static_cast<std::uint64_t>(me.rank() % 3));
                            (void)me.receive_value<int>((me.rank() - 1000 + p) % p);
                          }
                        },
                        log),
                    lockstep::processor_failed);
    std::uint64_t volume = 0;
    for (auto const& one : log.steps) volume += one.volume;
    CHECK(volume == log.messages.size());
    if (first.empty()) first = told(log);
    CHECK(told(log) == first);
  }
}

TEST_CASE("after an error pipelined rounds pay for the messages that are told, and no later ones",
          "[threads]") {
  for (auto const& engine : reference::all_engines()) {
    CAPTURE(engine);
    reference::call_log log;
    lockstep::machine const six{lockstep::crossbar{6}, reference::on(engine)};
    CHECK_THROWS_AS(
        six.run(
            [](processor& me) {
              me.pipelined([&] {
                for (int round = 0; round < 12; ++round) {
                  if (me.rank() == 5 && round == 3) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(30));  // the others go on
                    throw std::runtime_error("x");
                  }
                  (void)me.exchange(me.rank() ^ 1, round);
                }
              });
            },
            log),
        lockstep::processor_failed);
    std::map<int, std::uint64_t> received;
    for (auto const& one : log.messages) received[one.to] += one.words;
    REQUIRE(!received.empty());
    std::uint64_t most = 0;
    for (auto const& [rank, words] : received) most = std::max(most, words);
    std::uint64_t paid = 0;
    for (auto const& one : log.steps) paid += one.words;
    CHECK(paid == most);
    CHECK(most == 4);  // it fails in step 4
  }
}
