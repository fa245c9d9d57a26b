#include <lockstep/grading.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/torus.hpp>

#include <string>
#include <vector>

std::vector<long> all_reduce(lockstep::processor& me, std::vector<long> own);  // the submission's

void lockstep_test(lockstep::grading& test) {
  // On one processor a program that does nothing is right: no points for that.
  for (int const p : {1, 2, 4})
    for (int const m : {1, 3}) {
      auto const name = "torus:" + std::to_string(p) + ", pieces of " + std::to_string(m);
      test.check(name, p > 1 ? 1 : 0, [p, m](lockstep::graded_check& check) {
        lockstep::machine const ring{lockstep::torus{{p}},
                                     {.strict = true, .count = lockstep::words::bytes}};
        auto const run = ring.run([p, m](lockstep::processor& me) {
          std::vector<long> own;
          for (int i = 0; i < p * m; ++i) own.push_back(me.rank() * 100 + i);
          return all_reduce(me, own);
        });
        std::vector<long> sums;
        for (long i = 0; i < p * m; ++i) sums.push_back(50L * p * (p - 1) + p * i);
        check.results(run, std::vector<std::vector<long>>(p, sums));
        check.steps(run, 2 * (p - 1), p > 1 ? 1 : 0);
        check.at_most("words", run.counts().words, 2 * (p - 1) * m);
      });
    }
}
