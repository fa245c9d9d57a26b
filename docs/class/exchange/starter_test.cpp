#include <lockstep/grading.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include <string>
#include <vector>

std::vector<long> exchange(lockstep::processor& me, std::vector<long> blocks);  // the submission's

void lockstep_test(lockstep::grading& test) {
  // On one processor a program that does nothing is right: no points for that.
  for (int const dimension : {0, 1, 2})
    test.check("hypercube:" + std::to_string(dimension), dimension > 0 ? 1 : 0,
               [dimension](lockstep::graded_check& check) {
                 lockstep::machine const cube{lockstep::hypercube{dimension},
                                              {.strict = true, .count = lockstep::words::bytes}};
                 int const p = cube.size();
                 auto const run = cube.run([p](lockstep::processor& me) {
                   std::vector<long> blocks;
                   for (int to = 0; to < p; ++to) blocks.push_back(1000 * me.rank() + to);
                   return exchange(me, blocks);
                 });
                 std::vector<std::vector<long>> expected(p);
                 for (int to = 0; to < p; ++to)
                   for (int from = 0; from < p; ++from) expected[to].push_back(1000 * from + to);
                 check.results(run, expected);
                 check.steps(run, dimension, dimension);
                 check.at_most("words", run.counts().words, dimension * p / 2);
               });
}
