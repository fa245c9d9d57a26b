// The fixed workloads whose instructions bench/guard/check counts: 1,024 processors, one worker; of
// the complete exchange 64, which is what a class sees.
//   steps WORKLOAD STEPS   runs it, and prints the processor-steps that it took
//   steps --list           prints the names of the workloads
//   steps --built-by       prints what the counts depend on besides the code
// Two runs of a workload differ by nothing but their steps. Exit status 0 if every processor got
// what it should have.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <gnu/libc-version.h>

#include <lockstep/algorithms/exchange/all_to_all.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>
#include <lockstep/topologies/hypercube.hpp>
#include <lockstep/topologies/torus.hpp>

namespace {

using lockstep::processor;
using word = std::uint64_t;
using block = std::vector<word>;

constexpr int side = 32;
constexpr int dimensions = 10;
constexpr int processors = 1 << dimensions;
static_assert(processors == side * side);
constexpr std::size_t words_of_block = 64;

/// Makes the word that a processor sends in a step, different for all of them.
word value_of(int rank, int step) {
  return static_cast<word>(step) * processors + static_cast<word>(rank);
}

int ahead(int rank, int distance) { return (rank + distance) % processors; }
int behind(int rank, int distance) { return (rank + processors - distance) % processors; }

/// Runs a program that returns, on each processor, whether what it got is right. Result: the
/// processor-steps; 0 if anything is wrong.
template <class Network, class Program>
long processor_steps(Network const& network, int steps, std::uint64_t messages,
                     Program const& program) {
  lockstep::machine_options one_worker;
  one_worker.workers = 1;
  auto const run = lockstep::machine(network, one_worker).run(program);
  for (bool const right : run.results())
    if (!right) return 0;
  return run.counts().messages == messages ? long{processors} * steps : 0;
}

std::uint64_t full(int steps) { return static_cast<std::uint64_t>(steps) * processors; }

/// In every step, each processor sends a word to to(rank, step), and receives one from
/// from(rank, step).
template <class Network, class To, class From>
long exchange_words(Network const& network, int steps, To const& to, From const& from) {
  return processor_steps(network, steps, full(steps), [&](processor& me) {
    bool right = true;
    for (int step = 0; step < steps; ++step) {
      int const source = from(me.rank(), step);
      auto const got = me.exchange(to(me.rank(), step), value_of(me.rank(), step), source);
      right = right && got == value_of(source, step);
    }
    return right;
  });
}

template <class Network>
long shift(Network const& network, int steps) {
  return exchange_words(
      network, steps, [](int rank, int) { return ahead(rank, 1); },
      [](int rank, int) { return behind(rank, 1); });
}

long ring(int steps) { return shift(lockstep::torus{{processors}}, steps); }

long torus_neighbour(int steps) { return shift(lockstep::torus{{side, side}}, steps); }

long torus_varying(int steps) {
  auto const distance = [](int step) { return 1 + step * 37 % (processors - 1); };
  return exchange_words(
      lockstep::torus{{side, side}}, steps,
      [&](int rank, int step) { return ahead(rank, distance(step)); },
      [&](int rank, int step) { return behind(rank, distance(step)); });
}

/// rank -> multiplier * rank + shift. Both are odd, so it is a bijection without fixed points.
struct permutation {
  unsigned multiplier;
  unsigned shift;

  [[nodiscard]] int of(int rank) const {
    return static_cast<int>((multiplier * static_cast<unsigned>(rank) + shift) % processors);
  }
};

long random_permutation(int steps) {
  std::vector<permutation> to;
  std::vector<permutation> from;
  unsigned state = 20010112;  // seed
  auto const odd = [&state] { return (state = state * 1664525 + 1013904223) >> 15 | 1; };
  for (int step = 0; step < steps; ++step) {
    auto const& made = to.emplace_back(permutation{odd(), odd()});
    auto inverse =
        made.multiplier;  // modulo 2^32: each iteration of Newton's doubles the right bits
    for (int bits = 3; bits < 32; bits *= 2) inverse *= 2 - made.multiplier * inverse;
    from.push_back({inverse, 0 - inverse * made.shift});
  }
  auto const of = [](std::vector<permutation> const& all) {
    return [&all](int rank, int step) { return all[static_cast<std::size_t>(step)].of(rank); };
  };
  return exchange_words(lockstep::crossbar{processors}, steps, of(to), of(from));
}

/// Sums over the ranks 0 to r, again and again, each in as many steps as the hypercube has
/// dimensions.
long hypercube_prefix(int steps) {
  int const rounds = steps / dimensions;
  steps = rounds * dimensions;
  return processor_steps(lockstep::hypercube{dimensions}, steps, full(steps), [&](processor& me) {
    auto const rank = static_cast<word>(me.rank());
    word prefixes = 0;
    for (int round = 0; round < rounds; ++round) {
      word total = rank;
      prefixes += rank;
      for (int dimension = 0; dimension < dimensions; ++dimension) {
        int const partner = me.rank() ^ (1 << dimension);
        word const other = me.exchange(partner, total, partner);
        if (partner < me.rank()) prefixes += other;
        total += other;
      }
    }
    return prefixes == static_cast<word>(rounds) * (rank * (rank + 1) / 2);
  });
}

long barriers(int steps) {
  return processor_steps(lockstep::crossbar{processors}, steps, 0, [&](processor& me) {
    for (int step = 0; step < steps; ++step) me.barrier();
    return me.now() == 1;
  });
}

enum class transfer { copied, moved };

/// The ring with vectors: each processor sends on what it has received.
template <transfer How>
long ring_of_vectors(int steps) {
  return processor_steps(lockstep::torus{{processors}}, steps, full(steps), [&](processor& me) {
    int const to = ahead(me.rank(), 1);
    int const from = behind(me.rank(), 1);
    block held(words_of_block, value_of(me.rank(), 0));
    for (int step = 0; step < steps; ++step) {
      if constexpr (How == transfer::moved)
        held = me.exchange(to, std::move(held), from);
      else
        held = me.exchange(to, held, from);
    }
    return held == block(words_of_block, value_of(behind(me.rank(), steps % processors), 0));
  });
}

/// Complete exchanges, one after another, of a word a block; the second gives back what the first had.
long complete_exchange(int steps) {
  lockstep::machine_options one_worker;
  one_worker.workers = 1;
  lockstep::machine const small{lockstep::torus{{8, 8}}, one_worker};
  int const calls = steps / 6;
  auto const run = small.run([&](processor& me) {
    block blocks(static_cast<std::size_t>(me.size()));
    for (int to = 0; to < me.size(); ++to)
      blocks[static_cast<std::size_t>(to)] = value_of(me.rank(), to);
    for (int call = 0; call < calls; ++call) blocks = lockstep::all_to_all(me, std::move(blocks));
    bool right = true;
    for (int other = 0; other < me.size(); ++other)
      right =
          right && blocks[static_cast<std::size_t>(other)] ==
                       (calls % 2 == 0 ? value_of(me.rank(), other) : value_of(other, me.rank()));
    return right;
  });
  for (bool const right : run.results())
    if (!right) return 0;
  bool const as_many = run.counts().steps == static_cast<word>(calls) * 6;
  return as_many ? long{6} * calls * small.size() : 0;
}

/// Each row of a torus exchanges words in pipelined runs of two steps, whose messages share links.
long pipelined_rows(int steps) {
  return processor_steps(lockstep::torus{{side, side}}, steps, full(steps), [&](processor& me) {
    auto row = me.subset(lockstep::dimensions{1});
    int const rank = row.rank();
    bool right = row.size() == side;
    for (int step = 0; step < steps; step += 2)
      row.pipelined([&] {
        for (int const distance : {2, 3}) {
          auto const got = row.exchange((rank + distance) % side, value_of(rank, step),
                                        (rank + side - distance) % side);
          right = right && got == value_of((rank + side - distance) % side, step);
        }
      });
    return right;
  });
}

/// Calls of work, from two lines, one after another: not steps, but calls are counted.
long work_calls(int steps) {
  lockstep::machine_options one_worker;
  one_worker.workers = 1;
  auto const run =
      lockstep::machine(lockstep::crossbar{processors}, one_worker).run([&](processor& me) {
        for (int call = 0; call < steps; call += 2) {
          me.work(call);
          me.work(me.rank());
        }
      });
  auto const calls = static_cast<word>(steps);
  word const longest = calls / 2 * (calls / 2 - 1) + calls / 2 * (processors - 1);
  return run.counts().work == longest ? long{processors} * steps : 0;
}

/// The ring, where each processor works in each step.
long working_ring(int steps) {
  lockstep::machine_options one_worker;
  one_worker.workers = 1;
  lockstep::machine const around{lockstep::torus{{processors}}, one_worker};
  auto const run = around.run([&](processor& me) {
    word held = value_of(me.rank(), 0);
    for (int step = 0; step < steps; ++step) {
      held = me.exchange(ahead(me.rank(), 1), held, behind(me.rank(), 1));
      me.work(2);
    }
    return held == value_of(behind(me.rank(), steps % processors), 0);
  });
  for (bool const right : run.results())
    if (!right) return 0;
  bool const as_much =
      run.counts().work == 2 * static_cast<word>(steps) && run.span() == run.counts().work;
  return as_much ? long{processors} * steps : 0;
}

struct workload {
  std::string_view name;
  long (*run)(int steps);
};

constexpr workload workloads[] = {
    {"ring", ring},
    {"hypercube-prefix", hypercube_prefix},
    {"random-permutation", random_permutation},
    {"barrier", barriers},
    {"torus-neighbour", torus_neighbour},
    {"torus-varying", torus_varying},
    {"complete-exchange", complete_exchange},
    {"pipelined-rows", pipelined_rows},
    {"vectors-received", ring_of_vectors<transfer::copied>},
    {"vectors-moved", ring_of_vectors<transfer::moved>},
    {"work", work_calls},
    {"working-ring", working_ring},
};

long run(std::string_view name, int steps) {
  for (auto const& each : workloads)
    if (each.name == name) return each.run(steps);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::span<char* const> const given(argv, static_cast<std::size_t>(argc));
  if (given.size() == 2 && given[1] == std::string_view("--list")) {
    for (auto const& each : workloads) std::printf("%s\n", each.name.data());
    return EXIT_SUCCESS;
  }
  if (given.size() == 2 && given[1] == std::string_view("--built-by")) {
    std::printf("%s, glibc %s\n", LOCKSTEP_BUILT_BY, ::gnu_get_libc_version());
    return EXIT_SUCCESS;
  }
  long const took = given.size() == 3 ? run(given[1], std::atoi(given[2])) : 0;
  std::printf("%ld\n", took);
  return took > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
