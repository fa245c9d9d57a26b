// Two ways to a sum of vectors, over the processors and the length: which is cheaper where, as a table, a plot
// and a line.
// prints: halving, hypercube:4 is cheaper than doubling, hypercube:4 from m 262144 on

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <utility>
#include <vector>

#include <lockstep/lockstep.hpp>
#include <lockstep/sweep_output.hpp>

namespace {

using lockstep::hypercube;
using lockstep::problem_instance;
using lockstep::processor;

/// Sums vectors of m words: in every dimension all of it.
void by_doubling(processor& me, problem_instance const& at) {
  std::vector<double> sum(at.whole("m"), me.rank());
  for (int bit = 1; bit < me.size(); bit *= 2) {
    auto const theirs = me.exchange(me.rank() ^ bit, sum);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += theirs[i];
  }
}

/// Sums them by halves: each processor ends with a part of the sum, and collects the others'.
void by_halving(processor& me, problem_instance const& at) {
  std::vector<double> part(at.whole("m"), me.rank());
  for (int bit = me.size() / 2; bit > 0; bit /= 2) {
    auto const half = static_cast<std::ptrdiff_t>(part.size() / 2);
    bool const is_upper = (me.rank() & bit) != 0;
    std::vector<double> const given(is_upper ? part.begin() : part.begin() + half,
                                    is_upper ? part.begin() + half : part.end());
    std::vector<double> kept(is_upper ? part.begin() + half : part.begin(),
                             is_upper ? part.end() : part.begin() + half);
    auto const theirs = me.exchange(me.rank() ^ bit, given);
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] += theirs[i];
    part = std::move(kept);
  }
  for (int bit = 1; bit < me.size(); bit *= 2) {
    auto const theirs = me.exchange(me.rank() ^ bit, part);
    part.insert((me.rank() & bit) != 0 ? part.begin() : part.end(), theirs.begin(), theirs.end());
  }
}

/// Every processor needs the m words of all others, combined on the way at best.
lockstep::traffic_requirement traffic_of_sums(problem_instance const& at) {
  return {.taken_in = at.whole("m"),
          .distance = at.topology().diameter(),
          .joined = static_cast<std::uint64_t>(at.p())};
}

}  // namespace

int main(int argc, char** argv) {
  auto const cubes = lockstep::sweep()
                         .on(lockstep::integers(2, 4), [](int d) { return hypercube{d}; })
                         .traffic(traffic_of_sums)
                         .parallel();
  auto const log2 = [](problem_instance const& at) { return std::log2(at.p()); };
  auto const all = cubes.over("m", std::vector{64, 4096, 262'144});
  lockstep::sweep_output output("compare_sums");
  output
      .add("doubling", all.run(by_doubling, {{"steps", "log p", log2},
                                             {"words", "m log p",
                                              [&](auto const& at) { return at["m"] * log2(at); }}}))
      .add("halving",
           all.run(by_halving, {{"steps", "2 log p", [&](auto const& at) { return 2 * log2(at); }},
                                {"words", "2 m (1 - 1/p)",
                                 [](auto const& at) { return 2 * at["m"] * (1 - 1 / at.p()); }}}))
      .price(lockstep::paragon());
  std::cout << output.text() << '\n' << output.crossovers({.x = "m", .y = "time"});
  if (argc > 1) output.plot(argv[1], {.y = "time"});
}
