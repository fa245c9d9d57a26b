// A pair is data if its members are.
#include <utility>

#include <lockstep/machine.hpp>

void start(lockstep::machine const& machine) {
  machine.run([](lockstep::processor& me) {
    int value = 1;
    me.send(1, std::pair<int, int*>(1, &value));
  });
}
