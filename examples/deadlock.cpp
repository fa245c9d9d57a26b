// Four processors in a ring each wait for their left-hand neighbour before they send. On a real
// machine that hangs. Here it is found at once, and the report says which processor waits for which, and
// where.
#include <iostream>

#include <lockstep/lockstep.hpp>

int main() {
  lockstep::machine ring{lockstep::torus{{4}}};

  try {
    ring.run([](lockstep::processor& me) {
      int const left = (me.rank() + me.size() - 1) % me.size();
      int const right = (me.rank() + 1) % me.size();
      int const token = me.receive_value<int>(left);
      me.send(right, token);
    });
  } catch (lockstep::deadlock const& found) {
    std::cout << found.what() << '\n';
    return 0;
  }
  std::cout << "no deadlock was found\n";
  return 1;
}

// prints: processor 0 waits for processor 3 since step 1
// prints: in a cycle: 0 -> 3 -> 2 -> 1 -> 0
