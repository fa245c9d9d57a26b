// Runs by eight threads on two cores, beside the same by two. Eight are to take at most 1.3 times as
// long: a thread that waits must not keep a core from one that has work. Exit status 0 if so, in one
// of a few attempts: other programs can only make it worse.
//
//   taskset -c 0,1 lockstep_oversubscribed   on a computer with more cores

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <span>
#include <vector>

#include <sched.h>

#include <tbb/global_control.h>

#include <lockstep/machine.hpp>
#include <lockstep/memory.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include "engine/tuning.hpp"

namespace {

constexpr int many = 8;
constexpr double most_times = 1.3;
constexpr int attempts = 5;

}  // namespace

// In place of the library's: as many threads as workers, and a few rounds in each step.
lockstep::detail::tuning const lockstep::detail::usual_tuning{
    .processors_per_block = 512,
    .processors_per_worker = 512,
    .switches_per_turn = 64,
    .switches_per_look = 256,
    .bytes_lent = 2048,
    .bytes_handed_over = std::size_t{1} << 20,
    .entries_per_merge = std::size_t{1} << 16,
    .steps_per_merge = std::size_t{1} << 14,
    .most_untold = std::size_t{1} << 22,
    .most_stretches = std::size_t{1} << 20,
    .bytes_unasked = std::size_t{1} << 24,
    .available_memory = available_memory,
    .cores = [] { return many; },
    .patience = std::chrono::milliseconds(100)};

namespace {

using lockstep::crossbar;
using lockstep::machine;
using lockstep::processor;
using word = std::uint64_t;

constexpr int processors = 8192;

/// A step in which all send far away, a barrier, and a step with the neighbour, many times over.
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

/// The least ratio of eight workers' time to two workers', of a few attempts; 0 after a wrong run.
double least_ratio(std::size_t words, int rounds) {
  double least = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < attempts && least > most_times; ++attempt) {
    std::array<timed, 3> const two{run(2, words, rounds), run(2, words, rounds),
                                   run(2, words, rounds)};
    std::array<timed, 3> const eight{run(many, words, rounds), run(many, words, rounds),
                                     run(many, words, rounds)};
    auto const middle = [](std::array<timed, 3> of) {
      std::ranges::sort(of, {}, &timed::seconds);
      return of[1].seconds;
    };
    for (auto const& all : {two, eight})
      if (!std::ranges::all_of(all, &timed::right)) return 0;
    std::printf("%zu words: %.3f s by two workers, %.3f s by eight: %.2f times\n", words,
                middle(two), middle(eight), middle(eight) / middle(two));
    least = std::min(least, middle(eight) / middle(two));
  }
  return least;
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
  for (auto const& [words, rounds] : {std::pair{std::size_t{1}, 60}, {std::size_t{1024}, 6}}) {
    auto const ratio = least_ratio(words, rounds);
    well = well && ratio > 0 && ratio <= most_times;
    if (ratio == 0) std::puts("wrong results");
  }
  return well ? EXIT_SUCCESS : EXIT_FAILURE;
}
