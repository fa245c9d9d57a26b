// Machines of a million processors and more: each program completes, its results are checked, and
// its counts are compared with its claims or known counts. Run by hand, for it takes minutes and
// up to 19 GiB: lockstep_bench --large

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string_view>

#include <fmt/format.h>

#include <lockstep/algorithms/prefix/pipelined_prefix.hpp>
#include <lockstep/claim.hpp>
#include <lockstep/topologies/parse.hpp>

#include "measure.hpp"
#include "themes.hpp"

namespace bench {

namespace {

using number = std::int64_t;
using lockstep::claim;
using lockstep::processor;
lockstep::monoid<number, std::plus<number>> const sum{0, {}};

/// A large run's results and costs.
struct large_run {
  std::uint64_t steps = 0;
  std::uint64_t messages = 0;
  double seconds = 0;   ///< between the first and the last barrier
  double making = 0;    ///< seconds before the first barrier was over
  double ending = 0;    ///< seconds after the last one
  std::string wrong{};  ///< empty if nothing is
};

/// Runs a program that returns whether its result is right.
template <class Program>
large_run measured(lockstep::machine const& on, std::vector<claim> const& claims,
                   Program const& program) {
  round_clock clock;
  double begun = 0;
  double ended = 0;
  auto const now = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  auto const before = now();
  large_run did;
  {
    auto const run = on.run([&](processor& me) {
      me.barrier();
      if (me.rank() == 0) begun = now();
      clock.begin();
      bool const is_right = program(me);
      me.barrier();
      if (me.rank() == 0) ended = now();
      clock.end();
      return is_right;
    });
    did.making = begun - before;
    did.ending = now() - ended;
    did.seconds = clock.seconds();
    did.steps = run.counts().steps;
    did.messages = run.counts().messages;
    auto const& right = run.results();
    auto const wrong = std::find(right.begin(), right.end(), false);
    if (wrong != right.end())
      did.wrong = fmt::format("processor {} has a wrong result", wrong - right.begin());
    for (auto const& each : claims)
      if (each.erratum.empty() && !lockstep::holds(each, run.counts()))
        did.wrong +=
            fmt::format("{} is not {} {}", each.figure, lockstep::symbol(each.bound), each.formula);
  }
  return did;
}

/// Counts that a program has to have.
std::vector<claim> exactly(std::uint64_t steps, std::uint64_t messages, std::uint64_t hops) {
  std::vector<claim> all;
  auto const add = [&](std::string const& figure, std::uint64_t value) {
    all.push_back({figure, fmt::to_string(value), static_cast<double>(value)});
  };
  add("steps", steps);
  add("words", steps);
  add("messages", messages);
  add("volume", messages);
  add("hops", hops);
  add("contention", 1);
  add("queued", 0);
  return all;
}

// --- the programs ---

large_run prefix(lockstep::machine const& on) {
  return measured(on, lockstep::prefix_claims(on.topology(), 1), [](processor& me) {
    number const rank = me.rank();
    return lockstep::prefix(me, sum, rank) == rank * (rank + 1) / 2;
  });
}

large_run pipelined(lockstep::machine const& on) {
  constexpr std::uint64_t k = 8;
  auto const scheme = lockstep::pipelined_scheme::lagged;
  lockstep::prefix_schedule const schedule(on.topology(), scheme);
  return measured(on,
                  lockstep::pipelined_prefix_claims(on.topology(), scheme, k, lockstep::ports::one),
                  [&](processor& me) {
                    number const rank = me.rank();
                    std::vector<number> const mine(k, rank);
                    auto const all = lockstep::pipelined_prefix(me, sum, std::span(mine), schedule);
                    return std::ranges::count(all, rank * (rank + 1) / 2) == k;
                  });
}

/// The processors of a row of a square torus, or of a torus of one dimension.
int width_of(lockstep::topology const& network) {
  int const p = network.size();
  bool const is_square = network.spec().find('x') != std::string::npos;
  return is_square ? static_cast<int>(std::lround(std::sqrt(p))) : p;
}

constexpr int ring_rounds = 64;

/// The processors of each row of a torus are a ring.
large_run ring(lockstep::machine const& on) {
  int const length = width_of(on.topology());
  int const p = on.topology().size();
  return measured(on,
                  exactly(ring_rounds, ring_rounds * static_cast<std::uint64_t>(p), ring_rounds),
                  [&](processor& me) {
                    int const row = me.rank() / length * length;
                    auto const in_row = [&](int by) { return row + (me.rank() + by) % length; };
                    word held = static_cast<word>(me.rank());
                    for (int round = 0; round < ring_rounds; ++round)
                      held = me.exchange(in_row(1), held, in_row(length - 1));
                    return held == static_cast<word>(in_row(length - ring_rounds % length));
                  });
}

constexpr int neighbour_rounds = 4;

/// Each processor talks to its four neighbours, and adds up what they hold.
large_run neighbours(lockstep::machine const& on) {
  int const width = width_of(on.topology());
  int const p = on.topology().size();
  constexpr auto steps = std::uint64_t{4} * neighbour_rounds;
  return measured(on, exactly(steps, steps * static_cast<std::uint64_t>(p), steps),
                  [&](processor& me) {
                    int const row = me.rank() / width * width;
                    int const right = row + (me.rank() + 1) % width;
                    int const left = row + (me.rank() + width - 1) % width;
                    int const below = (me.rank() + width) % p;
                    int const above = (me.rank() + p - width) % p;
                    auto const rank = static_cast<word>(me.rank());
                    word got = 0;
                    for (int round = 0; round < neighbour_rounds; ++round) {
                      got += me.exchange(right, rank, left);
                      got += me.exchange(left, rank, right);
                      got += me.exchange(below, rank, above);
                      got += me.exchange(above, rank, below);
                    }
                    return got == static_cast<word>(neighbour_rounds) *
                                      (static_cast<word>(left) + static_cast<word>(right) +
                                       static_cast<word>(above) + static_cast<word>(below));
                  });
}

/// Each processor sends to another one that looks random, another one in each step.
large_run permutation(lockstep::machine const& on) {
  constexpr int rounds = 16;
  auto const p = static_cast<std::uint64_t>(on.topology().size());
  auto const mask = p - 1;
  // An odd factor and an odd shift: a bijection without fixed points modulo a power of two.
  auto const factor = [](int round) {
    return word{0x9E3779B97F4A7C15U} * static_cast<word>(2 * round + 1);
  };
  constexpr word shift = 0x85EBCA6BU;
  return measured(on, exactly(rounds, rounds * p, rounds), [&](processor& me) {
    auto const rank = static_cast<word>(me.rank());
    for (int round = 0; round < rounds; ++round) {
      word const by = factor(round);
      word inverse = by;
      for (int bits = 3; bits < 64; bits *= 2) inverse *= 2 - by * inverse;
      auto const from = inverse * (rank - shift) & mask;
      if (me.exchange(static_cast<int>((by * rank + shift) & mask), rank, static_cast<int>(from)) !=
          from)
        return false;
    }
    return true;
  });
}

large_run barriers(lockstep::machine const& on) {
  constexpr int rounds = 8;
  auto did = measured(on, {}, [](processor& me) {
    for (int round = 0; round < rounds; ++round) me.barrier();
    return true;
  });
  did.steps = rounds;  // to divide the time by
  return did;
}

// --- the list ---

struct large_program {
  char const* name;
  char const* network;
  large_run (*run)(lockstep::machine const& on);
};

constexpr large_program programs[] = {{"prefix", "hypercube:20", prefix},
                                      {"prefix", "shuffle-exchange:20", prefix},
                                      {"prefix", "tree:20", prefix},
                                      {"8 prefixes at once", "tree:20", pipelined},
                                      {"rings", "torus:1024x1024", ring},
                                      {"neighbour exchange", "torus:1024x1024", neighbours},
                                      {"random permutation", "crossbar:1048576", permutation},
                                      {"barrier", "crossbar:1048576", barriers},
                                      {"ring", "torus:16777216", ring},
                                      {"barrier", "crossbar:16777216", barriers}};

/// Own stacks of 2^24 processors would take 70 GB.
bool fits(large_program const& which, lockstep::stacks kind) {
  constexpr int most_with_own = 1 << 22;
  return kind == lockstep::stacks::copied ||
         lockstep::parse(which.network)->size() <= most_with_own;
}

}  // namespace

int print_large_run(int program, int workers, bool copied) {
  if (program < 0 || static_cast<std::size_t>(program) >= std::size(programs)) return 2;
  auto const& which = programs[program];
  auto options = engine_choice{lockstep::engine::fibers, workers}.options();
  options.stacks = copied ? lockstep::stacks::copied : lockstep::stacks::own;
  lockstep::machine const on{lockstep::parse(which.network), options};
  auto const before = peak_memory();
  auto const did = which.run(on);
  double const p = on.topology().size();
  auto const per_step = did.seconds * 1e9 / p / static_cast<double>(std::max<word>(did.steps, 1));
  auto const per_message =
      did.messages == 0
          ? std::string("-")
          : fmt::format("{:.0f}", did.seconds * 1e9 / static_cast<double>(did.messages));
  std::cout << fmt::format("| {} | {} | {} | {} | {} | {:.0f} | {} | {:.0f} | {:.0f} | {:.0f} |\n",
                           which.name, which.network, copied ? "copied" : "own", workers, did.steps,
                           per_step, per_message, (peak_memory() - before) / p,
                           did.making * 1e9 / p, did.ending * 1e9 / p)
            << std::flush;
  if (!did.wrong.empty())
    std::cerr << which.name << " on " << which.network << ": " << did.wrong << '\n';
  return did.wrong.empty() ? 0 : 1;
}

int print_large_runs(std::string_view filter) {
  std::cout
      << "| program | network | stacks | workers | steps | ns a processor-step | ns a message "
         "| bytes a processor | ns to make one | ns to end one |\n"
         "|---|---|---|---|---|---|---|---|---|---|\n"
      << std::flush;
  auto const self = std::filesystem::read_symlink("/proc/self/exe").string();
  bool all_right = true;
  for (int program = 0; program < static_cast<int>(std::size(programs)); ++program)
    for (auto const kind : {lockstep::stacks::own, lockstep::stacks::copied})
      for (int const workers : {1, 2}) {
        auto const& which = programs[program];
        if (!fits(which, kind) ||
            std::string_view(which.network).find(filter) == std::string_view::npos)
          continue;
        auto const command = fmt::format("'{}' {}{},{},{}", self, large_run_option, program,
                                         workers, kind == lockstep::stacks::copied ? 1 : 0);
        std::FILE* const row = ::popen(command.c_str(), "r");
        if (row == nullptr) return 1;
        for (int c = std::fgetc(row); c != EOF; c = std::fgetc(row))
          std::cout << static_cast<char>(c);
        std::cout << std::flush;
        all_right = ::pclose(row) == 0 && all_right;
      }
  return all_right ? 0 : 1;
}

}  // namespace bench
