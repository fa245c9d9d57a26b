#include <lockstep/grading.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/torus.hpp>

#include <string>
#include <vector>

long from_opposite(lockstep::processor& me, long own);  // the submission's

void lockstep_test(lockstep::grading& test) {
  for (int const p : {2, 4, 6, 10, 32})
    test.check("torus:" + std::to_string(p), 1, [p](lockstep::graded_check& check) {
      lockstep::machine const ring{lockstep::torus{{p}},
                                   {.strict = true, .count = lockstep::words::bytes}};
      auto const value = [](long rank) { return (rank * rank * 37 + 11) % 1009; };
      auto const run =
          ring.run([&](lockstep::processor& me) { return from_opposite(me, value(me.rank())); });
      std::vector<long> expected;
      for (int rank = 0; rank < p; ++rank) expected.push_back(value((rank + p / 2) % p));
      check.results(run, expected);
      check.steps(run, p / 2, 1);
    });
}
