// Collectives of a word, beside the same messages written by hand: what the library adds to them, by
// looking up the scheme and by knowing the line of the program that called it.

#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <lockstep/algorithms/collectives/all_reduce.hpp>
#include <lockstep/algorithms/collectives/broadcast.hpp>
#include <lockstep/algorithms/collectives/scan.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/mesh.hpp>

#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

using lockstep::processor;

/// A program that calls a collective of a word once. Result: what tells a wrong one.
using collective = std::function<word(processor&)>;

/// A collective by the library and by hand, on a network.
struct pair_of_programs {
  std::string name;
  std::function<lockstep::machine(lockstep::machine_options const&)> machine;
  collective library;
  collective by_hand;
};

word own_value(processor const& me) { return static_cast<word>(me.rank()) + 1; }

word all_reduce_by_hand(processor& me) {
  me.barrier();
  auto sum = own_value(me);
  for (int bit = 1; bit < me.size(); bit *= 2) sum += me.exchange(me.rank() ^ bit, sum);
  return sum;
}

word scan_by_hand(processor& me) {
  me.barrier();
  auto prefix = own_value(me);
  auto sum = prefix;
  for (int bit = 1; bit < me.size(); bit *= 2) {
    auto const other = me.exchange(me.rank() ^ bit, sum);
    if ((me.rank() & bit) != 0) prefix += other;
    sum += other;
  }
  return prefix;
}

/// Along the highest dimension first. All are in the same step afterwards.
word broadcast_by_hand(processor& me) {
  me.barrier();
  auto const end = me.now() + static_cast<std::uint64_t>(me.topology().diameter());
  auto value = own_value(me);
  for (int bit = me.size() / 2; bit > 0; bit /= 2) {
    if (me.rank() % bit != 0) continue;
    if ((me.rank() & bit) != 0)
      value = me.receive_value<word>(me.rank() ^ bit);
    else
      me.send(me.rank() ^ bit, value);
  }
  if (me.now() < end) me.idle(end - me.now());
  return value;
}

/// A processor's place in a line of a grid whose processors are a power of two.
struct line_place {
  int position;
  int size;
  int stride;  ///< from a processor to the next, in ranks
};

void reduce_line(processor& me, line_place const& at, word& sum) {
  for (int d = 1; d < at.size; d *= 2) {
    if (at.position % (2 * d) == 0)
      sum += me.receive_value<word>(me.rank() + d * at.stride);
    else if (at.position % d == 0)
      me.send(me.rank() - d * at.stride, sum);
  }
}

void broadcast_line(processor& me, line_place const& at, word& sum) {
  for (int d = at.size / 2; d > 0; d /= 2) {
    if (at.position % (2 * d) == 0)
      me.send(me.rank() + d * at.stride, sum);
    else if (at.position % d == 0)
      sum = me.receive_value<word>(me.rank() - d * at.stride);
  }
}

/// To the first of each row, to the first of these, and back, on a square mesh.
word all_reduce_on_mesh_by_hand(processor& me) {
  me.barrier();
  int side = 1;
  while (side * side < me.size()) side *= 2;
  line_place const row{me.rank() % side, side, 1};
  line_place const column{me.rank() / side, side, side};
  auto sum = own_value(me);
  reduce_line(me, row, sum);
  if (row.position == 0) {
    reduce_line(me, column, sum);
    broadcast_line(me, column, sum);
  }
  broadcast_line(me, row, sum);
  return sum;
}

std::vector<pair_of_programs> programs(bool is_quick) {
  int const dimensions = is_quick ? 6 : 10;
  int const side = is_quick ? 8 : 32;
  auto const on_cube = [=](lockstep::machine_options const& options) {
    return lockstep::machine{lockstep::hypercube{dimensions}, options};
  };
  auto const on_mesh = [=](lockstep::machine_options const& options) {
    return lockstep::machine{lockstep::mesh{side, side}, options};
  };
  auto const all_reduce = [](processor& me) {
    return lockstep::all_reduce(me, std::plus<word>{}, own_value(me));
  };
  return {
      {fmt::format("all-reduce, hypercube:{}", dimensions), on_cube, all_reduce,
       all_reduce_by_hand},
      {fmt::format("scan, hypercube:{}", dimensions), on_cube,
       [](processor& me) { return lockstep::scan(me, std::plus<word>{}, own_value(me)); },
       scan_by_hand},
      {fmt::format("broadcast, hypercube:{}", dimensions), on_cube,
       [](processor& me) { return lockstep::broadcast(me, own_value(me)); }, broadcast_by_hand},
      {fmt::format("all-reduce, mesh:{}x{}", side, side), on_mesh, all_reduce,
       all_reduce_on_mesh_by_hand},
  };
}

/// The time of a run of calls, its counts and its results.
struct timed_calls {
  double seconds = 0;
  lockstep::counts counts{};
  std::vector<word> results;
};

timed_calls run_calls(lockstep::machine const& on, collective const& program, int calls) {
  round_clock clock;
  auto const run = on.run([&](processor& me) {
    word sum = program(me);  // the memory of schemes is filled
    me.barrier();
    clock.begin();
    for (int call = 0; call < calls; ++call) sum = 3 * sum + program(me);
    me.barrier();
    clock.end();
    return sum;
  });
  return {clock.seconds(), run.counts(), run.results()};
}

}  // namespace

void add_collectives(scope const& of) {
  int const calls = of.quick ? 20 : 200;
  for (auto const& engine : {one_worker, two_workers})
    for (auto const& each : programs(of.quick))
      add(fmt::format("collectives/{}, {}", each.name, engine.name()), 1,
          [=](benchmark::State& state) {
            auto const on = each.machine(engine.options());
            least library, by_hand;
            for ([[maybe_unused]] auto _ : state)
              for (int times = 0; times < 5; ++times) {
                auto const ours = run_calls(on, each.library, calls);
                auto const hand = run_calls(on, each.by_hand, calls);
                if (ours.results != hand.results)
                  return state.SkipWithError("the results are not the same");
                if (ours.counts.volume != hand.counts.volume ||
                    ours.counts.steps != hand.counts.steps)
                  return state.SkipWithError("the messages are not the same");
                library.add(ours.seconds / calls);
                by_hand.add(hand.seconds / calls);
              }
            state.counters[run_seconds] = library.seconds();
            state.counters[exchange_seconds] = by_hand.seconds();
          });
}

}  // namespace bench
