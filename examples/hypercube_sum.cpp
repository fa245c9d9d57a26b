#include <iostream>
#include <lockstep/lockstep.hpp>

int main() {
  lockstep::machine cube{lockstep::hypercube{10}};  // 1,024 processors
  auto run = cube.run([](lockstep::processor& me) {
    long sum = me.rank();
    for (int dimension = 0; dimension < 10; ++dimension)
      sum += me.exchange(me.rank() ^ (1 << dimension), sum);  // send, then receive
    return sum;                                               // this processor's result
  });
  auto const counts = run.counts();
  std::cout << "sum        " << run.results()[0] << '\n'  // prints: 523776
            << "steps      " << counts.steps << '\n'      // prints: 10
            << "words      " << counts.words << '\n'
            << "hops       " << counts.hops << '\n'
            << "contention " << counts.contention << '\n'
            << "time       " << run.time(lockstep::paragon()) << " us on an Intel Paragon\n";
}
