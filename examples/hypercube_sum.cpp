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
  std::cout << "sum " << run.results()[0] << '\n';  // prints: sum 523776
  std::cout << run.table() << run.summary();        // prints: step  phase
  std::cout << run.time(lockstep::paragon()) << " us on an Intel Paragon\n";
}
