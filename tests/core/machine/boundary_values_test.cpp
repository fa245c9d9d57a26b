// Each size that a program gives, at and beyond the ends of its range: what it is given is right, or
// refused by an error of lockstep; nothing wraps, and nothing takes long.

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <lockstep/lower_bounds.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/sweep.hpp>
#include <lockstep/topologies/binary_tree.hpp>
#include <lockstep/topologies/butterfly.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/cube_connected_cycles.hpp>
#include <lockstep/topologies/graph.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>
#include <lockstep/topologies/parse.hpp>
#include <lockstep/topologies/shuffle_exchange.hpp>
#include <lockstep/topologies/torus.hpp>
#include <lockstep/traces/chrome_trace.hpp>
#include <lockstep/traces/csv_trace.hpp>
#include <lockstep/traces/dot_trace.hpp>
#include <lockstep/traces/goal_trace.hpp>

#include "catch.hpp"
#include "core/boundary_values.hpp"
#include "core/machines.hpp"

using boundary::came_of;
using boundary::least_int;
using boundary::most;
using boundary::most_int;
using boundary::power;
using lockstep::along;
using lockstep::crossbar;
using lockstep::machine;
using lockstep::machine_options;
using lockstep::processor;

namespace {

/// Where counters of 31, 32, 53, 63 and 64 bits end.
constexpr std::array sizes{
    std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, power(31) - 1, power(31), power(32) - 1,
    power(32),        power(32) + 1,    power(32) + 2,    power(53),     power(62), power(62) + 1,
    power(63) - 1,    power(63),        power(63) + 1,    most - 1,      most};
constexpr std::array whole_numbers{least_int, least_int + 1, -2,      -1, 0, 1, 2,
                                   3,         most_int - 1,  most_int};

/// What comes of a call of processor 0 of that machine, in a run in which it stands alone.
template <class Call>
std::string came_of_call(machine const& on, Call&& call) {
  return came_of([&] {
    (void)on.run([&](processor& me) {
      if (me.rank() == 0) call(me);
    });
  });
}

std::string unless(bool right, char const* error) { return right ? "right" : error; }

template <class Set>
std::string made_with(Set&& set) {
  machine_options options;
  set(options);
  return came_of([&] { (void)machine(crossbar{2}, options); });
}

/// Looks at the ends of a network whose sizes are as large as they get.
void check_ends(lockstep::topology const& network) {
  INFO(network.spec());
  auto const links = network.links();
  REQUIRE(network.size() >= 1);
  REQUIRE(links >= 0);
  if (network.degree() <= 64)
    for (int const rank : {0, network.size() - 1})
      CHECK(network.neighbours(rank).size() <= static_cast<std::size_t>(network.degree()));
  if (links > 0)
    for (lockstep::link_number const number : {lockstep::link_number{0}, links - 1})
      CHECK(network.number_of(network.link_at(number)) == number);
  for (auto const number :
       {lockstep::link_number{-1}, links, std::numeric_limits<lockstep::link_number>::min(),
        std::numeric_limits<lockstep::link_number>::max()})
    CHECK(came_of([&] { (void)network.link_at(number); }) == "invalid_argument");
  for (int const rank : {least_int, -1, network.size()}) {
    CHECK(came_of([&] { (void)network.neighbours(rank); }) == "invalid_rank");
    CHECK(came_of([&] { (void)network.hops(0, rank); }) == "invalid_rank");
    CHECK(came_of([&] { (void)network.coordinates(rank); }) == "invalid_rank");
    CHECK_FALSE(network.adjacent(0, rank));
  }
  if (auto const width = network.bisection_width()) CHECK(*width >= 0);
}

template <class Network>
void check_dimension(int value, bool exists, int processors) {
  INFO("size " << value);
  CHECK(came_of([&] { (void)Network{value}; }) == unless(exists, "invalid_topology"));
  if (!exists) return;
  Network const network{value};
  CHECK(network.size() == processors);
  check_ends(network);
}

}  // namespace

TEST_CASE("boundary values: the options of a machine") {
  for (auto const value : sizes) {
    INFO(value);
    CHECK(made_with([&](auto& options) { options.packet = value; }) ==
          unless(value >= 1 && value <= power(32), "invalid_argument"));
    CHECK(made_with([&](auto& options) { options.max_steps = value; }) ==
          unless(value >= 1, "invalid_argument"));
    CHECK(made_with([&](auto& options) { options.word_bytes = value; }) ==
          unless(value >= 1, "invalid_argument"));
  }
  for (auto const value : {std::uint64_t{0}, std::uint64_t{16383}, std::uint64_t{16384}, power(40),
                           power(40) + 1, power(63), most - 4096, most})
    CHECK(made_with([&](auto& options) { options.stack = value; }) ==
          unless(value >= 16384 && value <= power(40), "invalid_argument"));
  for (int const value : {least_int, -1, 0, 1, 256, 257, most_int})
    CHECK(made_with([&](auto& options) { options.workers = value; }) ==
          unless(value >= 0 && value <= 256, "invalid_argument"));
}

TEST_CASE("boundary values: a machine with the largest options counts right") {
  machine_options options{.packet = power(32), .max_steps = most, .word_bytes = most};
  machine const pair{crossbar{2}, options};
  auto const run = pair.run([](processor& me) {
    std::pmr::vector<int> const held(10, me.memory());
    return me.exchange(1 - me.rank(), static_cast<int>(held.size()));
  });
  CHECK(run.counts().words == power(32));
  CHECK(run.counts().memory == 1);
}

TEST_CASE("boundary values: the sizes of networks", "[once]") {
  for (int const value : whole_numbers) {
    check_dimension<crossbar>(value, value >= 1, value);
    check_dimension<lockstep::hypercube>(value, value >= 0 && value <= 30,
                                         value == 0 ? 1 : 1 << (value & 31));
    check_dimension<lockstep::binary_tree>(value, value >= 1 && value <= 31,
                                           (1 << (value & 15)) - 1);
    check_dimension<lockstep::shuffle_exchange>(value, value >= 1 && value <= 30,
                                                1 << (value & 15));
    for (int const other : {1, 2, most_int}) {
      auto const product = std::int64_t{value} * other;
      bool const exists = value >= 1 && product <= most_int;
      INFO(value << " x " << other);
      CHECK(came_of([&] {
              (void)lockstep::torus{{value, other}};
            }) == unless(exists, "invalid_topology"));
      CHECK(came_of([&] {
              (void)lockstep::mesh{{other, value}};
            }) == unless(exists, "invalid_topology"));
      if (!exists) continue;
      check_ends(lockstep::torus{{value, other}});
      check_ends(lockstep::mesh{{other, value}});
    }
    CHECK(came_of([&] {
            (void)lockstep::graph(value, {{0, 1}, {1, 0}});
          }) == unless(value >= 2, "invalid_topology"));
    for (auto const end : {lockstep::link{0, value}, lockstep::link{value, 0}})
      CHECK(came_of([&] { (void)lockstep::graph(3, {end}); }) ==
            unless(value == 1 || value == 2, "invalid_topology"));
  }
  check_dimension<lockstep::hypercube>(30, true, 1 << 30);
  check_dimension<lockstep::hypercube>(31, false, 0);
  check_dimension<lockstep::binary_tree>(31, true, most_int);
  check_dimension<lockstep::binary_tree>(32, false, 0);
  check_dimension<lockstep::shuffle_exchange>(30, true, 1 << 30);
  check_dimension<lockstep::shuffle_exchange>(31, false, 0);
  check_dimension<lockstep::butterfly>(26, true, 27 << 26);
  check_dimension<lockstep::butterfly>(27, false, 0);
  check_dimension<lockstep::butterfly>(-1, false, 0);
  check_dimension<lockstep::cube_connected_cycles>(26, true, 26 << 26);
  check_dimension<lockstep::cube_connected_cycles>(27, false, 0);
  check_dimension<lockstep::cube_connected_cycles>(0, false, 0);
}

TEST_CASE("boundary values: numbers in a specification") {
  for (char const* const kind :
       {"crossbar", "hypercube", "torus", "mesh", "tree", "shuffle-exchange", "butterfly"})
    for (char const* const number :
         {"", "-1", "2147483648", "4294967296", "4294967297", "9223372036854775808",
          "18446744073709551617", "99999999999999999999999999", "0x10", "1e3", " 1"}) {
      auto const spec = std::string(kind) + ":" + number;
      INFO(spec);
      CHECK(came_of([&] { (void)lockstep::parse(spec); }) == "invalid_topology");
    }
  CHECK(came_of([] { (void)lockstep::parse("torus:65536x65536"); }) == "invalid_topology");
  CHECK(came_of([] { (void)lockstep::parse("torus:4294967297x1"); }) == "invalid_topology");
}

TEST_CASE("boundary values: memory that processors need", "[memory]") {
  for (auto const& choice : reference::all_engines())
    for (int const processors : {1, 2, 64}) {
      machine const on{crossbar{processors}, reference::on(choice)};
      for (auto const bytes : sizes) {
        INFO(choice << ", " << processors << " processors, " << bytes << " bytes each");
        if (bytes > 2 && bytes < power(53)) continue;  // that depends on the computer
        CHECK(came_of([&] { on.require_memory(bytes); }) == unless(bytes <= 2, "out_of_memory"));
      }
    }
  machine const copied{crossbar{4}, {.stacks = lockstep::stacks::copied}};
  for (auto const waiting : {power(53), power(63), most - 3000, most - 1, most}) {
    INFO(waiting << " bytes on each stack");
    CHECK(copied.memory_needed(0, waiting) >= waiting);
    CHECK(came_of([&] { copied.require_memory(0, waiting); }) == "out_of_memory");
  }
  machine const large{crossbar{1 << 20}};
  for (auto const bytes : {power(44), power(44) - 1, power(44) + 1, power(63), most - 3000, most})
    CHECK(came_of([&] { large.require_memory(bytes); }) == "out_of_memory");
  machine const largest{crossbar{most_int}, {.stack = power(40)}};
  CHECK(came_of([&] { largest.require_memory(0); }) == "out_of_memory");
  CHECK(came_of([&] { largest.require_memory(most); }) == "out_of_memory");
}

TEST_CASE("boundary values: idle steps") {
  machine const alone{crossbar{1}, {.max_steps = most}};  // 2^62
  for (auto const steps : sizes) {
    INFO(steps);
    std::uint64_t now = 0;
    CHECK(came_of_call(alone, [&](processor& me) {
            me.idle(steps);
            now = me.now();
          }) == unless(steps <= power(62), "step_limit"));
    if (steps <= power(62)) CHECK(now == 1 + steps);
    CHECK(came_of_call(alone, [&](processor& me) {
            me.idle(2);
            me.idle(steps);
          }) == unless(steps <= 2 || (steps < power(62) && steps > 2), "step_limit"));
    CHECK(came_of_call(machine{crossbar{1}, {.max_steps = 1}},
                       [&](processor& me) { me.idle(steps); }) == unless(steps <= 1, "step_limit"));
  }
}

TEST_CASE("boundary values: elements that are received") {
  for (auto const& choice : reference::all_engines()) {
    machine const pair{crossbar{2}, reference::on(choice)};
    for (std::size_t const sent : {std::size_t{0}, std::size_t{1}, std::size_t{2}})
      for (auto const wanted : sizes) {
        INFO(choice << ": " << wanted << " of " << sent);
        std::vector<long> came;
        CHECK(came_of([&] {
                (void)pair.run([&](processor& me) {
                  if (me.rank() == 0)
                    me.send(1, std::vector<long>(sent, 5));
                  else
                    came = me.receive<long>(0, wanted);
                });
              }) == unless(wanted == sent, "size_mismatch"));
        if (wanted == sent) CHECK(came == std::vector<long>(sent, 5));
      }
  }
}

TEST_CASE("boundary values: a receive that is refused names what it asked for") {
  machine const pair{crossbar{2}};
  try {
    (void)pair.run([](processor& me) {
      if (me.rank() == 0)
        me.send(1, 5);
      else
        (void)me.receive<int>(0, most);
    });
    FAIL("any number was received");
  } catch (lockstep::size_mismatch const& refused) {
    CHECK(refused.message().find("received 18446744073709551615 elements") != std::string::npos);
  }
}

TEST_CASE("boundary values: one-sided reads and writes") {
  machine const pair{crossbar{2}};
  constexpr std::uint64_t held = 4;
  for (auto const offset : sizes) {
    for (auto const count : sizes) {
      INFO(count << " elements from element " << offset << " on");
      bool const inside = offset <= held && count <= held - offset;
      std::vector<int> came;
      CHECK(came_of([&] {
              (void)pair.run([&](processor& me) {
                std::vector<int> mine(held, me.rank());
                if (me.rank() == 0)
                  came = me.read(1, offset, count, mine);
                else
                  me.serve(mine);
              });
            }) == unless(inside, "size_mismatch"));
      if (inside) CHECK(came == std::vector<int>(count, 1));
    }
    CHECK(came_of([&] {
            (void)pair.run([&](processor& me) {
              std::vector<int> mine(held, me.rank());
              if (me.rank() == 0)
                me.write(1, offset, std::vector<int>{7, 7}, mine);
              else
                me.serve(mine);
            });
          }) == unless(offset <= 2, "size_mismatch"));
  }
}

TEST_CASE("boundary values: words that are rearranged") {
  machine const pair{crossbar{2}};
  auto const limit = (most / 2) / 2;  // so that no sum over the two passes 64 bits
  for (auto const words : sizes) {
    INFO(words);
    std::uint64_t counted = 0;
    CHECK(came_of([&] {
            counted = pair.run([&](processor& me) { me.rearrange(words); }).counts().rearranged;
          }) == unless(words <= limit, "invalid_argument"));
    if (words <= limit) CHECK(counted == words);
  }
  CHECK(came_of_call(pair, [&](processor& me) {
          me.rearrange(limit);
          me.rearrange(1);
        }) == "invalid_argument");
}

TEST_CASE("boundary values: ranks, passes, ways and members") {
  machine const ring{lockstep::torus{{5}}};
  machine const passes{crossbar{2}, {.ports = lockstep::ports::per_pass}};
  for (int const value : {least_int, -1, 0, 1, 4, 5, 254, 255, 256, most_int}) {
    INFO(value);
    CHECK(came_of_call(ring, [&](processor& me) { me.send(value, 1); }) ==
          (value > 0 && value < 5 ? "unreceived_message" : "invalid_rank"));
    CHECK(came_of_call(ring, [&](processor& me) { (void)me.receive_value<int>(value); }) ==
          (value > 0 && value < 5 ? "deadlock" : "invalid_rank"));
    CHECK(came_of_call(passes, [&](processor& me) { me.pass(value); }) ==
          unless(value >= 0 && value <= 254, "invalid_argument"));
    CHECK(came_of_call(ring, [&](processor& me) {
            me.send(along{value, 1}, 1);
          }) == (value == 0 ? "unreceived_message" : "invalid_argument"));
    CHECK(came_of_call(ring, [&](processor& me) { (void)me.subset({value}); }) ==
          unless(value == 0, "invalid_argument"));
    std::array const members{0, value};
    CHECK(came_of_call(ring, [&](processor& me) { (void)me.subset(members); }) ==
          (value == 0               ? "invalid_argument"
           : value > 0 && value < 5 ? "right"
                                    : "invalid_rank"));
  }
  for (int const offset : {least_int, -(1 << 24) - 1, (1 << 24) + 1, most_int})
    CHECK(came_of_call(ring, [&](processor& me) {
            me.send(along{0, offset}, 1);
          }) == "invalid_argument");
  for (int const offset : {-5, 0, 5})
    CHECK(came_of_call(ring, [&](processor& me) {
            me.send(along{0, offset}, 1);
          }) == "invalid_rank");  // back to itself
}

TEST_CASE("boundary values: the longest way along a dimension", "[once]") {
  machine const ring{lockstep::torus{{5}}};
  along const way{0, 1 << 24};
  auto const to = ring.topology().end_of(0, way);
  auto const run = ring.run([&](processor& me) {
    if (me.rank() == 0) me.send(way, 1);
    if (me.rank() == to) (void)me.receive_value<int>(0);
  });
  CHECK(run.counts().hops == power(24));
}

TEST_CASE("boundary values: columns of a matrix that is shown") {
  std::vector<int> const numbers(6, 1);
  machine const recorded{crossbar{1}, {.recorded = true}};
  for (auto const columns : sizes) {
    INFO(columns);
    CHECK(came_of_call(recorded, [&](processor& me) {
            me.show("matrix", lockstep::matrix_view<int>{columns, numbers});
          }) == unless(columns == 1 || columns == 2, "invalid_argument"));
  }
}

TEST_CASE("boundary values: memory of a processor") {
  machine const alone{crossbar{1}};
  for (auto const bytes : {power(62), power(63) - 1, power(63), most - 64})
    CHECK(alone
              .run([&](processor& me) {
                try {
                  (void)me.memory().allocate(bytes, 8);
                } catch (std::bad_alloc const&) {
                  return true;
                }
                return false;
              })
              .results()[0]);
  std::size_t const volatile bytes = most - 64;  // volatile: else the compiler warns of the call
  CHECK(came_of_call(alone, [&](processor& me) { (void)me.memory().allocate(bytes, 8); }) !=
        "right");
}

TEST_CASE("boundary values: messages of a step") {
  auto const run =
      machine{crossbar{2}}.run([](processor& me) { (void)me.exchange(1 - me.rank(), me.rank()); });
  for (auto const step : sizes) CHECK(run.messages_in(step).size() == (step == 1 ? 2U : 0U));
}

TEST_CASE("boundary values: words of a complete exchange, and of a relation") {
  for (int const processors : {1, 2, 3, 1024, 1025, 1 << 20}) {
    crossbar const network{processors};
    auto const pairs =
        static_cast<std::uint64_t>(processors) * (static_cast<std::uint64_t>(processors) - 1);
    for (auto const words : sizes) {
      INFO(words << " words between " << processors);
      bool const fits = words == 0 || pairs <= most / words;
      lockstep::traffic_requirement traffic;
      CHECK(came_of([&] { traffic = lockstep::complete_exchange(network, words); }) ==
            unless(fits, "invalid_argument"));
      if (!fits) continue;
      CHECK(traffic.moved == pairs * words);
      CHECK(traffic.crossing <= traffic.moved);
    }
  }
  crossbar const pair{2};
  for (auto const words : sizes) {
    INFO(words);
    bool const fits = words <= most / 2;
    lockstep::traffic_requirement traffic;
    CHECK(came_of([&] {
            traffic = lockstep::relation_between(pair, {0, words, words, 0});
          }) == unless(fits, "invalid_argument"));
    if (fits) CHECK(traffic.moved == 2 * words);
  }
  for (std::size_t const numbers : {0U, 1U, 3U, 5U})
    CHECK(came_of([&] {
            (void)lockstep::relation_between(pair, std::vector<std::uint64_t>(numbers));
          }) == "invalid_argument");
}

TEST_CASE("boundary values: lists of integers") {
  CHECK(lockstep::integers(most_int - 1, most_int) == std::vector<int>{most_int - 1, most_int});
  CHECK(lockstep::integers(least_int, least_int + 1) == std::vector<int>{least_int, least_int + 1});
  CHECK(lockstep::integers(most_int, least_int).empty());
  CHECK(lockstep::powers_of_two(1 << 29, most_int) == std::vector<int>{1 << 29, 1 << 30});
  CHECK(lockstep::powers_of_two(most_int, most_int) == std::vector<int>{most_int});
  for (int const first : {least_int, -1, 0})
    CHECK(came_of([&] { (void)lockstep::powers_of_two(first, 8); }) == "invalid_argument");
}

TEST_CASE("boundary values: how much a trace keeps") {
  machine const ring{crossbar{4}};
  auto const program = [](processor& me) {
    for (int offset = 1; offset < 4; ++offset)
      (void)me.exchange((me.rank() + offset) % 4, me.rank(), (me.rank() + 4 - offset) % 4);
  };
  auto const chrome = [&](std::size_t most_kept) {
    std::ostringstream out;
    lockstep::chrome_trace trace(out, ring, {}, most_kept);
    (void)ring.run(program, trace);
    trace.finish();
    return out.str();
  };
  auto const usual = chrome(lockstep::chrome_trace::default_most_kept);
  for (auto const kept : {power(32), power(63) - 1, power(63), power(63) + 1, most})
    CHECK(chrome(kept) == usual);
  for (auto const kept : {std::uint64_t{0}, std::uint64_t{1}, power(63), most}) {
    std::ostringstream out;
    lockstep::dot_trace dot(out, ring, {}, kept);
    lockstep::goal_trace goal(out, ring, {}, kept);
    (void)ring.run(program, dot, goal);
    CHECK(came_of([&] { dot.finish(); }) == unless(kept > 1, "another class"));
    CHECK(came_of([&] { goal.finish(); }) == unless(kept > 1, "another class"));
  }
}

TEST_CASE("boundary values: bytes of a message in a GOAL schedule") {
  for (auto const word : {std::uint64_t{1}, power(62), most}) {
    machine const pair{crossbar{2}, {.word_bytes = word}};
    std::ostringstream out;
    lockstep::goal_trace goal(out, pair);
    (void)pair.run([](processor& me) { (void)me.exchange(1 - me.rank(), std::vector<int>(2)); },
                   goal);
    INFO(word);
    CHECK(came_of([&] { goal.finish(); }) == unless(word < most, "another class"));
    if (word < most)
      CHECK(out.str().find("send " + std::to_string(2 * word) + "b") != std::string::npos);
  }
}
