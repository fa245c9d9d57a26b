#include <lockstep/grading.hpp>
#include <lockstep/machine.hpp>
#include <lockstep/topologies/crossbar.hpp>

#include <string>
#include <vector>

std::vector<std::vector<long>> deliver(
    lockstep::processor& me,
    std::vector<std::vector<long>> messages);  // the submission's

void lockstep_test(lockstep::grading& test) {
  // On one processor a program that does nothing is right: no points for that.
  for (int const p : {1, 2, 3, 4})
    test.check("crossbar:" + std::to_string(p), p > 1 ? 1 : 0, [p](lockstep::graded_check& check) {
      auto const message = [p](long from, long to) {
        return from == to ? std::vector<long>() : std::vector<long>(1, 100 * from + to);
      };
      lockstep::machine const machine{lockstep::crossbar{p},
                                      {.strict = true, .count = lockstep::words::bytes}};
      auto const run = machine.run([&](lockstep::processor& me) {
        std::vector<std::vector<long>> messages;
        for (int to = 0; to < p; ++to) messages.push_back(message(me.rank(), to));
        return deliver(me, messages);
      });
      std::vector<std::vector<std::vector<long>>> expected(p);
      for (int to = 0; to < p; ++to)
        for (int from = 0; from < p; ++from) expected[to].push_back(message(from, to));
      check.results(run, expected);
      check.steps(run, p - 1, p > 1 ? 1 : 0);
    });
}
