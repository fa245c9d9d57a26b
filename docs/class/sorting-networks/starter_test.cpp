#include <lockstep/grading.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include <algorithm>
#include <string>
#include <vector>

long sort(lockstep::processor& me, long key);  // the submission's

void lockstep_test(lockstep::grading& test) {
  // On one processor a program that does nothing is right: no points for that.
  for (int const dimension : {0, 1, 2, 3})
    test.check("hypercube:" + std::to_string(dimension), dimension > 0 ? 1 : 0,
               [dimension](lockstep::graded_check& check) {
                 lockstep::machine const cube{lockstep::hypercube{dimension},
                                              {.strict = true, .count = lockstep::words::bytes}};
                 std::vector<long> keys;
                 for (long rank = 0; rank < cube.size(); ++rank)
                   keys.push_back((rank * rank * 3 + 7 * rank + 2) % 11);
                 auto const run =
                     cube.run([&](lockstep::processor& me) { return sort(me, keys[me.rank()]); });
                 std::ranges::sort(keys);
                 check.results(run, keys);
                 check.steps(run, dimension * (dimension + 1) / 2, dimension > 0 ? 1 : 0);
               });
}
