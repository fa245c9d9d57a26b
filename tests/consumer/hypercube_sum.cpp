// A sum over all processors of a hypercube; exits with 0 if it costs what it should. Of lockstep it
// knows the machine and the topologies.
#include <iostream>

#include <lockstep/core.hpp>
#include <lockstep/topologies.hpp>

int main() {
  lockstep::machine cube{lockstep::hypercube{4}};
  auto const run = cube.run([](lockstep::processor& me) {
    int sum = me.rank();
    for (int dimension = 0; dimension < 4; ++dimension)
      sum += me.exchange(me.rank() ^ (1 << dimension), sum);
    return sum;
  });
  std::cout << run.counts() << '\n';
  for (int const sum : run.results())
    if (sum != 15 * 16 / 2) return 1;
  auto const& counts = run.counts();
  return counts.steps == 4 && counts.words == 4 && counts.volume == 64 && counts.contention == 1
             ? 0
             : 1;
}
