#include <lockstep/grading.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/hypercube.hpp>

#include <string>
#include <vector>

long broadcast(lockstep::processor& me, int root, long value);  // the submission's

void lockstep_test(lockstep::grading& test) {
  // On one processor a program that does nothing is right: no points for that.
  for (int const dimension : {0, 1, 2, 3})
    for (int const root : {0}) {
      if (root >= 1 << dimension) continue;
      auto const name = "hypercube:" + std::to_string(dimension) + " from " + std::to_string(root);
      test.check(name, dimension > 0 ? 1 : 0, [dimension, root](lockstep::graded_check& check) {
        lockstep::machine const cube{lockstep::hypercube{dimension},
                                     {.strict = true, .count = lockstep::words::bytes}};
        auto const run = cube.run([root](lockstep::processor& me) {
          return broadcast(me, root, me.rank() == root ? 42 : -1);
        });
        check.results(run, std::vector<long>(cube.size(), 42));
        check.steps(run, dimension, dimension);
      });
    }
}
