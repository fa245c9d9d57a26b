// What beside_others.py compares Python with: ns for a word of an array of 10^6 that two processors exchange.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <vector>

#include <lockstep/machine.hpp>
#include <lockstep/processor.hpp>
#include <lockstep/run.hpp>
#include <lockstep/topologies/parse.hpp>

int main() {
  constexpr std::size_t words = 1'000'000;
  constexpr int rounds = 20;
  lockstep::machine const pair(lockstep::parse("crossbar:2"), {.workers = 1});
  double least = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 7; ++repeat) {
    auto const begun = std::clock();
    auto const run = pair.run([](lockstep::processor& me) {
      std::vector<double> const mine(words, me.rank());
      for (int round = 0; round < rounds; ++round)
        if (me.exchange(1 - me.rank(), mine).back() != 1 - me.rank()) std::abort();
    });
    double const taken = 1e9 * static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    if (run.counts().words != words * rounds) return 1;
    least = std::min(least, taken / (2.0 * words * rounds));
  }
  std::printf("%.3f\n", least);
}
