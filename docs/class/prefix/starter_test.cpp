#include <lockstep/grading.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include <string>
#include <vector>

long prefix(lockstep::processor& me, long own);  // the submission's

void lockstep_test(lockstep::grading& test) {
  // On one processor a program that does nothing is right: no points for that.
  for (int const dimension : {0, 1, 2, 3})
    test.check("hypercube:" + std::to_string(dimension), dimension > 0 ? 1 : 0,
               [dimension](lockstep::graded_check& check) {
                 lockstep::machine const cube{lockstep::hypercube{dimension},
                                              {.strict = true, .count = lockstep::words::bytes}};
                 auto const value_of = [](long rank) { return rank + 1; };
                 auto const run = cube.run(
                     [&](lockstep::processor& me) { return prefix(me, value_of(me.rank())); });
                 std::vector<long> sums;
                 for (int rank = 0; rank < cube.size(); ++rank)
                   sums.push_back(value_of(rank) + (sums.empty() ? 0 : sums.back()));
                 check.results(run, sums);
                 check.steps(run, dimension, dimension);
                 check.at_most("words", run.counts().words, dimension);
               });
}
