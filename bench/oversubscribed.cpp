// Runs by eight threads on two cores, beside the same by two. Eight are to take at most 1.3 times as
// long (marked ! otherwise): a thread that waits must not keep a core from one that has work. Exit
// status 1 if a result is wrong.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <sched.h>

#include <tbb/global_control.h>

#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "engine/tuning.hpp"

namespace {

constexpr int many = 8;
constexpr double most_times = 1.3;
constexpr int repetitions = 7;

}  // namespace

// In place of the library's: as many threads as workers, whatever the cores. The rest is the same.
lockstep::detail::tuning const lockstep::detail::usual_tuning{
    .cores = [] { return many; }, .patience = std::chrono::milliseconds(100)};

namespace {

using lockstep::crossbar;
using lockstep::machine;
using lockstep::processor;
using word = std::uint64_t;

constexpr int processors = 65536;

/// Sends far away, to the neighbour, and waits for all, many times over.
word talk(processor& me, std::size_t words, int rounds) {
  std::vector<word> held(words, static_cast<word>(me.rank()));
  std::vector<word> in(words);
  for (int round = 0; round < rounds; ++round) {
    for (int const distance : {1 + round * 37 % (processors - 1), 1}) {
      int const next = (me.rank() + distance) % processors;
      int const previous = (me.rank() + processors - distance) % processors;
      me.exchange_into(next, held, in, previous);
      std::swap(held, in);
    }
    me.barrier();
  }
  return held.front();
}

/// Seconds of a run, and whether its results are right.
struct timed {
  double seconds;
  bool right;
};

timed run(int workers, std::size_t words, int rounds) {
  auto const begin = std::chrono::steady_clock::now();
  auto const ended = machine{crossbar{processors}, {.workers = workers}}.run(
      [&](processor& me) { return talk(me, words, rounds); });
  auto const seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  int distance = 0;
  for (int round = 0; round < rounds; ++round)
    distance = (distance + 2 + round * 37 % (processors - 1)) % processors;
  bool right = true;
  for (int rank = 0; rank < processors; ++rank)
    right = right && ended.results()[static_cast<std::size_t>(rank)] ==
                         static_cast<word>((rank + processors - distance) % processors);
  return {seconds, right};
}

/// The messages of a run: their words, and in how many rounds they are sent.
struct workload {
  std::size_t words;
  int rounds;
};

/// Runs it by two workers and by eight in turn, and prints the medians. Result: whether the results are
/// right.
bool compare(workload const& of) {
  std::vector<double> two;
  std::vector<double> eight;
  for (int repetition = 0; repetition < repetitions; ++repetition)
    for (auto* const times : {&two, &eight}) {
      auto const did = run(times == &two ? 2 : many, of.words, of.rounds);
      if (!did.right) {
        std::puts("wrong results");
        return false;
      }
      times->push_back(did.seconds);
    }
  for (auto* const times : {&two, &eight}) std::ranges::sort(*times);
  auto const middle = static_cast<std::size_t>(repetitions / 2);
  auto const ratio = eight[middle] / two[middle];
  std::printf("%zu words: %.3f s by two workers, %.3f s by eight: %.2f times%s\n", of.words,
              two[middle], eight[middle], ratio, ratio > most_times ? " !" : "");
  return true;
}

}  // namespace

int main() {
  cpu_set_t two_cores;
  CPU_ZERO(&two_cores);
  CPU_SET(0, &two_cores);
  CPU_SET(1, &two_cores);
  static_cast<void>(sched_setaffinity(0, sizeof two_cores, &two_cores));  // if they are there
  tbb::global_control const threads(tbb::global_control::max_allowed_parallelism, many);
  bool well = true;
  for (workload const of : {workload{1, 12}, workload{1024, 2}}) well = compare(of) && well;
  return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
