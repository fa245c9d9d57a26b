#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lockstep/claim.hpp>
#include <lockstep/lower_bounds.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies.hpp>

#include "catch.hpp"
#include "core/random_programs/random_generator.hpp"

using lockstep::hypercube;
using lockstep::lower_bound;
using lockstep::lower_bounds;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::message_record;
using lockstep::ports;
using lockstep::processor;
using lockstep::torus;
using lockstep::traffic_requirement;

namespace {

/// The strongest bound on a figure; 0 for none.
[[nodiscard]] std::uint64_t bound_on(std::string_view figure,
                                     std::vector<lower_bound> const& bounds) {
  auto const* const found = strongest(bounds, figure);
  return found == nullptr ? 0 : found->value;
}

struct message_log : lockstep::observer {
  std::vector<message_record> messages{};
  void message(message_record const& seen) override {
    if (seen.words > 0) messages.push_back(seen);
  }
};

/// In which step a processor has learned of another's data: known[rank][of].
[[nodiscard]] std::vector<std::vector<std::uint64_t>> steps_known(
    std::size_t p, std::vector<message_record> const& messages) {
  constexpr std::uint64_t never = ~std::uint64_t{0};
  std::vector known(p, std::vector<std::uint64_t>(p, never));
  for (std::size_t rank = 0; rank < p; ++rank) known[rank][rank] = 0;
  for (auto const& one : messages)
    for (std::size_t of = 0; of < p; ++of) {
      auto& there = known[static_cast<std::size_t>(one.to)][of];
      if (known[static_cast<std::size_t>(one.from)][of] < one.sent)
        there = std::min(there, one.step);
    }
  return known;
}

/// The fewest words, over all ways to halve the processors, that cross one way; 0 for many.
[[nodiscard]] std::uint64_t fewest_crossing(std::size_t p,
                                            std::vector<message_record> const& messages) {
  if (p < 2 || p > 9) return 0;
  std::uint64_t fewest = ~std::uint64_t{0};
  for (unsigned half = 0; half < 1U << p; ++half) {
    if (static_cast<std::size_t>(std::popcount(half)) != p / 2) continue;
    std::uint64_t out = 0;
    std::uint64_t back = 0;
    for (auto const& one : messages) {
      bool const from = ((half >> static_cast<unsigned>(one.from)) & 1U) != 0;
      bool const to = ((half >> static_cast<unsigned>(one.to)) & 1U) != 0;
      if (from && !to) out += one.words;
      if (to && !from) back += one.words;
    }
    fewest = std::min(fewest, std::max(out, back));
  }
  return fewest;
}

/// What a run has done is what a problem might have asked for.
[[nodiscard]] traffic_requirement done_by(lockstep::run_record const& run,
                                          std::vector<message_record> const& messages) {
  auto const& network = *run.network();
  auto const p = run.processors().size();
  traffic_requirement of{.moved = run.counts().volume, .crossing = fewest_crossing(p, messages)};
  for (auto const& one : run.processors()) {
    of.taken_in = std::max(of.taken_in, one.words_received);
    of.sent = std::max(of.sent, one.words_sent);
  }
  for (auto const& one : messages)
    of.word_links += one.words * static_cast<std::uint64_t>(network.hops(one.from, one.to));
  auto const known = steps_known(p, messages);
  std::vector<std::uint64_t> reached(p);
  for (std::size_t rank = 0; rank < p; ++rank) {
    std::uint64_t of_others = 0;
    for (std::size_t other = 0; other < p; ++other)
      if (known[rank][other] != ~std::uint64_t{0}) {
        ++of_others;
        ++reached[other];
        of.distance =
            std::max(of.distance, network.hops(static_cast<int>(other), static_cast<int>(rank)));
      }
    of.joined = std::max(of.joined, of_others);
  }
  of.joined = std::max(of.joined, std::ranges::max(reached));
  return of;
}

void check_bounds(lockstep::run_record const& run, std::vector<lower_bound> const& bounds) {
  for (auto const& one : bounds) {
    INFO(one.figure << " >= " << one.formula << " = " << one.value << "; " << run.counts());
    CHECK(holds(one, run.counts()));
  }
}

}  // namespace

TEST_CASE("bounds on words and volume are whole packets, on steps not") {
  traffic_requirement const of{.taken_in = 7, .moved = 56, .distance = 1, .joined = 8};
  lockstep::crossbar const network{8};
  auto const in_packets = lower_bounds(network, {.packet = 16}, of);
  CHECK(bound_on("words", in_packets) == 16);
  CHECK(bound_on("volume", in_packets) == 64);
  CHECK(bound_on("steps", in_packets) == 3);
  CHECK(strongest(in_packets, "words")->formula == "7 words into a processor, in packets of 16");
  CHECK(bound_on("words", lower_bounds(network, {}, of)) == 7);
  CHECK(bound_on("words", lower_bounds(network, {.packet = 7}, of)) == 7);
}

TEST_CASE("bounds in packets are kept by programs that send in one message") {
  for (std::uint64_t const packet : {1U, 2U, 5U, 16U})
    for (std::size_t const words : {1U, 7U, 16U, 17U}) {
      machine const on{lockstep::crossbar{2}, {.packet = packet}};
      auto const run = on.run([&](processor& me) {
        return me.exchange(1 - me.rank(), std::vector<int>(words)).size();
      });
      auto const bounds = lower_bounds(run, {.taken_in = words, .moved = 2 * words});
      INFO("packets of " << packet << ", " << words << " words");
      CHECK(bound_on("words", bounds) == run.counts().words);  // it can be reached
      for (auto const& bound : bounds) CHECK(holds(bound, run.counts()));
    }
}

TEST_CASE("no random program beats the bounds of its own traffic", "[core][bounds]") {
  std::size_t attained = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed)
    for (auto const& made : {reference::free_program(seed), reference::lockstep_program(seed)}) {
      INFO("seed " << seed << " on " << made.network->spec());
      message_log log;
      auto const run = machine(made.network, made.options)
                           .run(
                               [&](processor& me) {
                                 return play(made.calls[static_cast<std::size_t>(me.rank())], me);
                               },
                               log);
      auto const of = done_by(run, log.messages);
      auto const bounds = lower_bounds(run, of);
      check_bounds(run, bounds);
      check_bounds(run, lower_bounds(*made.network, made.options, of));
      for (auto const& one : bounds)
        attained += one.value == lockstep::metric_value(run.counts(), one.figure) ? 1U : 0U;
    }
  CHECK(attained > 300);  // bounds that are far off would hold, too
}

TEST_CASE("a broadcast on a hypercube attains diameter and log p", "[core][bounds]") {
  auto const run = machine{hypercube{4}}.run([](processor& me) {
    for (int informed = 1; informed < me.size(); informed *= 2) {
      if (me.rank() < informed)
        me.send(me.rank() + informed, 7);
      else if (me.rank() < 2 * informed)
        static_cast<void>(me.receive_value<int>(me.rank() - informed));
    }
  });
  auto const bounds =
      lower_bounds(run, {.taken_in = 1, .sent = 1, .moved = 15, .distance = 4, .joined = 16});
  CHECK(bound_on("steps", bounds) == 4);
  CHECK(bound_on("hops", bounds) == run.counts().hops);
  CHECK(bound_on("volume", bounds) == run.counts().volume);
  CHECK(run.counts().steps == 4);
  auto const* const steps = strongest(bounds, "steps");
  REQUIRE(steps != nullptr);
  CHECK(steps->formula == "ceil(log2 16)");
  CHECK(std::ranges::count(bounds, std::string("diameter"), &lower_bound::formula) ==
        2);  // hops, too
}

TEST_CASE("more ports: fewer steps, fewer words", "[core][bounds]") {
  traffic_requirement const of{.taken_in = 30, .sent = 60, .joined = 17};
  auto const on_cube = [&](machine_options const& options) {
    return lower_bounds(hypercube{4}, options, of);
  };
  auto const one = on_cube({.strict = true});
  CHECK(bound_on("steps", one) == 5);   // 2^5 >= 17
  CHECK(bound_on("words", one) == 60);  // as nothing waits, what is sent counts
  auto const all = on_cube({.ports = ports::all, .strict = true});
  CHECK(bound_on("steps", all) == 2);   // 5^2 >= 17
  CHECK(bound_on("words", all) == 15);  // over 4 ports
  CHECK(bound_on("words", on_cube({})) == 30);
  CHECK(on_cube({.ports = ports::per_pass}).empty());
}

TEST_CASE("words that cross between halves go over the bisection", "[core][bounds]") {
  torus const grid{{4, 8}};  // 8 links between halves
  traffic_requirement const of{.crossing = 100};
  CHECK(bound_on("words", lower_bounds(grid, {}, of)) == 0);  // links may be shared
  // Even where none is, a pipelined run's words are those of a processor, not of a link.
  CHECK(bound_on("words", lower_bounds(grid, {.strict = true}, of)) == 0);
  auto const to_neighbours = lower_bounds(grid, {.switching = lockstep::switching::neighbour}, of);
  CHECK(bound_on("words", to_neighbours) == 13);
  CHECK(to_neighbours.front() == lower_bound{"words", "100 words between halves, over 8 links", 13,
                                             "Thompson 1979", lockstep::bound_reason::halves});

  auto const run = machine{grid, {.strict = true}}.run([](processor& me) {
    me.send(lockstep::along{1, 1}, 1);
    static_cast<void>(me.receive_value<int>(me.topology().end_of(me.rank(), {1, -1})));
  });
  CHECK(bound_on("words", lower_bounds(run, {.crossing = 8})) == 1);  // attained, step by step
  CHECK(run.counts().words == 1);
}

TEST_CASE("a pipelined run with shared ways is not bounded by links", "[core][bounds]") {
  // Every processor sends one word, but all of them cross the link 0 -> 1, one after the other.
  auto const run = machine{torus{{9}}}.run([](processor& me) {
    me.pipelined([&] {
      for (int round = 0; round < 4; ++round) {
        int const from = (9 - round) % 9;
        int const to = 4 - round;
        if (me.rank() == from) {
          me.idle(static_cast<std::uint64_t>(round));
          me.send(lockstep::along{0, 4}, 1);
        }
        if (me.rank() == to) static_cast<void>(me.receive_value<int>(from));
      }
    });
  });
  CHECK(run.counts().words == 1);
  check_bounds(run, lower_bounds(run, {.word_links = 16, .crossing = 4}));
}

TEST_CASE("a complete exchange as a demand", "[core][bounds]") {
  auto const of = lockstep::complete_exchange(torus{{4, 6}}, 3);
  CHECK(of.taken_in == 23 * 3);
  CHECK(of.sent == 23 * 3);
  CHECK(of.moved == 24 * 23 * 3);
  CHECK(of.crossing == 12 * 12 * 3);
  CHECK(of.distance == 5);
  CHECK(of.joined == 24);
  CHECK(of.word_links == 24 * 3 * (4 * 9 + 6 * 4));  // per processor 6 (0+1+2+1) + 4 (0+1+2+3+2+1)
  CHECK(lockstep::complete_exchange(lockstep::crossbar{1}, 3).moved == 0);
  CHECK(lockstep::complete_exchange(torus{{4}}, 0).joined == 0);
}

TEST_CASE("words from each to each as a demand", "[core][bounds]") {
  // 0 -> 1: 2, 0 -> 3: 3, 2 -> 3: 4 words; what stays does not count.
  auto const of = relation_between(hypercube{2}, {9, 2, 0, 3, 0, 9, 0, 0, 0, 0, 9, 4, 0, 0, 0, 9});
  CHECK(of.taken_in == 7);
  CHECK(of.sent == 5);
  CHECK(of.moved == 9);
  CHECK(of.word_links == 2 + 2 * 3 + 4);
  CHECK(of.crossing == 0);
  CHECK(of.distance == 2);
  CHECK(of.joined == 3);
}

TEST_CASE("bounds without a requirement, and of a record without a machine", "[core][bounds]") {
  CHECK(lower_bounds(hypercube{3}, {}, {}).empty());
  // Of a network without links a processor has a port all the same.
  CHECK(bound_on("words", lower_bounds(lockstep::graph{2, {}}, {.ports = lockstep::ports::all},
                                       {.taken_in = 3})) == 3);
  CHECK_THROWS_WITH(lower_bounds(hypercube{3}, {.ports = lockstep::ports{3}}, {}),
                    has_text("machine_options::ports is 3: take one of ports::one"));
  CHECK_THROWS_AS(lower_bounds(lockstep::run_record{}, traffic_requirement{.moved = 1}),
                  lockstep::invalid_argument);
  CHECK(lockstep::strongest({}, "steps") == nullptr);
  CHECK(holds(lower_bound{"steps", "", 3, ""}, {.steps = 3}));
  CHECK_FALSE(holds(lower_bound{"steps", "", 4, ""}, {.steps = 3}));
}

TEST_CASE("a step that others send in hides no pipelined rounds") {
  // Six of eight exchange 100 words in one run of two rounds; the other two a word, in its second.
  auto const run = machine{torus{{8}}}.run([](processor& me) {
    int const rank = me.rank();
    int const opposite = (rank + 4) % 8;
    lockstep::along const way{0, rank % 4 == 0 || rank % 4 == 2 ? 4 : -4};
    if (rank % 4 == 3) {
      me.idle();
      me.send(way, 1);
      (void)me.receive<int>(opposite);
      return;
    }
    int const members[] = {0, 1, 2, 4, 5, 6};
    me.subset(members).pipelined([&] {
      if (rank % 4 == 2) me.idle();
      me.send(way, std::vector<int>(100));
      (void)me.receive<int>(opposite);
    });
  });
  std::vector<std::uint64_t> words(64);
  for (std::size_t rank = 0; rank < 8; ++rank)
    words[rank * 8 + (rank + 4) % 8] = rank % 4 == 3 ? 1 : 100;
  auto const bounds = lower_bounds(run, relation_between(*run.network(), words));
  CHECK(run.counts().words == 101);
  CHECK(bound_on("words", bounds) == 100);
}
