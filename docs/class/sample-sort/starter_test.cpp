#include <lockstep/grading.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include <algorithm>
#include <string>
#include <vector>

std::vector<long> sort(lockstep::processor& me, std::vector<long> keys);  // the submission's

void lockstep_test(lockstep::grading& test) {
  // On one processor a program that does nothing is right: no points for that.
  for (int const p : {1, 2, 3, 4})
    for (int const m : {4 * p}) {
      auto const name = "crossbar:" + std::to_string(p) + ", keys " + std::to_string(m);
      test.check(name, p > 1 ? 1 : 0, [p, m](lockstep::graded_check& check) {
        std::vector<std::vector<long>> keys(p);
        std::vector<long> sorted;
        for (long i = 0; i < p * m; ++i) {
          keys[i % p].push_back((i * 37 + 11) % (p * m));
          sorted.push_back(keys[i % p].back());
        }
        std::ranges::sort(sorted);
        lockstep::machine const machine{lockstep::crossbar{p}, {.count = lockstep::words::bytes}};
        auto const run =
            machine.run([&](lockstep::processor& me) { return sort(me, keys[me.rank()]); });
        std::vector<long> found;
        std::size_t most = 0;
        for (auto const& part : run.results()) {
          found.insert(found.end(), part.begin(), part.end());
          most = std::max(most, part.size());
        }
        check.require(found == sorted, "the parts, one after another, are not the sorted keys");
        check.steps(run, 2 * (p - 1), p > 1 ? 1 : 0);
        check.at_most("keys of a processor", most, p == 1 ? m : 2 * m);
        // Samples of all go to all, and each key to its place.
        check.at_most("volume", run.counts().volume, p * p * (p - 1) + p * m);
      });
    }
}
